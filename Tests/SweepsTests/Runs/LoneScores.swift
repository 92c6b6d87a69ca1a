import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Scores
import Support
import Sweeps

/// A setting replayed alone and scored alone, with nothing of a sweep's machinery: what sweeps are compared with.
struct LoneScores {
  let scored: ScoredRecording

  init(_ recording: Recording, _ setting: ParameterSet, scores: Set<ScoreKind>, order: PlayOrder = .everything) throws {
    var reference: MatteKeeper?
    if scores.contains(.lag), let parameters = try LagReference.parameters(of: setting) {
      let keeper = MatteKeeper()
      try Self.replay(recording, parameters, order, keeper)
      reference = keeper
    }
    let sink = try ScoringSink(recording, scores, reference)
    try Self.replay(recording, setting, order, sink)
    scored = sink.scorer.finish()
  }

  private static func replay(
    _ recording: Recording, _ setting: ParameterSet, _ order: PlayOrder, _ sink: any RenderSink
  ) throws {
    let request = ReplayRequest(preset: "truedepth-backdrop", parameters: setting, order: order)
    let session = try ReplaySession(recording, request, wanted: .matte, threadCount: 1)
    _ = try session.run(RenderOutputs([("scores", sink)]))
  }
}

private final class MatteKeeper: RenderSink {
  private(set) var mattes: [Int: [UInt8]] = [:]

  func take(_ output: PipelineOutput) {
    guard let matte = output.matte else { return }
    mattes[output.index] = Array(UnsafeBufferPointer(start: matte.samples, count: matte.count))
  }
  func finish() {}
}

/// Takes truth and faces by the colour frame that is shown, from the recording's frames themselves.
private final class ScoringSink: RenderSink {
  let scorer: SettingScorer
  private let maker: SceneMaker
  private let reader: FrameReader
  /// By the number of the colour frame.
  private var entries: [Int: FrameSetEntry] = [:]
  private let alpha: Int?
  private let reference: MatteKeeper?
  private let scores: Set<ScoreKind>
  private var previous: Int?

  init(_ recording: Recording, _ scores: Set<ScoreKind>, _ reference: MatteKeeper?) throws {
    let layout = recording.streams[try there(recording.firstStream(.color))].layout
    scorer = SettingScorer(scores: scores, width: layout.width, height: layout.height)
    maker = SceneMaker(
      scores: scores, width: layout.width, height: layout.height, hasTruth: recording.firstStream(.alpha) != nil)
    reader = try FrameReader(recording)
    for entry in try recording.frameSets(0..<Int.max) { entries[entry.master.number] = entry }
    alpha = recording.firstStream(.alpha)
    self.reference = reference
    self.scores = scores
  }

  func take(_ output: PipelineOutput) throws(RetakeError) {
    let entry = entries[output.sourceColor.number]
    let row = alpha.flatMap { entry?.partner(stream: $0) }
    let truth = try row.map { row throws(RetakeError) in Array(try reader.frame(row).bytes) }
    let matte = (output.matte?.samples).map { UnsafePointer($0) }
    func take(_ truth: UnsafePointer<UInt8>?) {
      let scene = maker.scene(
        number: output.index, previousNumber: previous, picture: output.original, truth: truth,
        faces: entry?.faces ?? [])
      scorer.take(scene, matte: matte)
    }
    if let truth { truth.withUnsafeBufferPointer { take($0.baseAddress) } } else { take(nil) }
    previous = output.index
    guard let reference else { return }
    if let other = reference.mattes[output.index] {
      other.withUnsafeBufferPointer { scorer.takeForLag(matte: matte, reference: $0.baseAddress) }
    } else {
      scorer.takeForLag(matte: matte, reference: nil)
    }
  }
  func finish() {}
}

private func there<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw RetakeError(.unsupported, "It is not there.") }
  return value
}
