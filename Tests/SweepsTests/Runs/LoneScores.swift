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
    var references: [ReferenceSink] = []
    if scores.contains(where: \.usesReferences) {
      let count = try SweepSource(recording, path: "", order: order, truth: nil).playedOrder().countOfOnePass
      for parameters in try AgreementReferences.parameters(frameCount: count) {
        let sink = try ReferenceSink(recording, scores)
        try Self.replay(recording, parameters, order, sink)
        references.append(sink)
      }
    }
    let sink = try ScoringSink(recording, scores, reference, references.map(\.mattes))
    try Self.replay(recording, setting, order, sink)
    scored = sink.scorer.finish(reference: ReferenceMatte.best(references.map(\.reference)))
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

/// Keeps a reference's mattes, and how well the pictures support them.
private final class ReferenceSink: RenderSink {
  let reference: ReferenceMatte
  private let keeper = MatteKeeper()
  private let maker: SceneMaker
  private var previous: Int?

  var mattes: [Int: [UInt8]] { keeper.mattes }

  init(_ recording: Recording, _ scores: Set<ScoreKind>) throws {
    let layout = recording.streams[try there(recording.firstStream(.color))].layout
    reference = ReferenceMatte(width: layout.width, height: layout.height)
    maker = SceneMaker(scores: scores, width: layout.width, height: layout.height)
  }

  func take(_ output: PipelineOutput) {
    keeper.take(output)
    let scene = maker.scene(
      number: output.index, previousNumber: previous, picture: output.original, truth: nil, faces: [])
    reference.take((output.matte?.samples).map { UnsafePointer($0) }, scene)
    previous = output.index
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
  /// By reference, then frame.
  private let mattes: [[Int: [UInt8]]]
  private let references: [ReferenceMatte]
  private let scores: Set<ScoreKind>
  private var previous: Int?

  init(
    _ recording: Recording, _ scores: Set<ScoreKind>, _ reference: MatteKeeper?, _ mattes: [[Int: [UInt8]]]
  ) throws {
    let layout = recording.streams[try there(recording.firstStream(.color))].layout
    scorer = SettingScorer(scores: scores, width: layout.width, height: layout.height)
    maker = SceneMaker(
      scores: scores, width: layout.width, height: layout.height, hasTruth: recording.firstStream(.alpha) != nil)
    reader = try FrameReader(recording)
    for entry in try recording.frameSets(0..<Int.max) { entries[entry.master.number] = entry }
    alpha = recording.firstStream(.alpha)
    self.reference = reference
    self.mattes = mattes
    references = mattes.map { _ in ReferenceMatte(width: layout.width, height: layout.height) }
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
      for (reference, mattes) in zip(references, mattes) {
        if let matte = mattes[output.index] {
          matte.withUnsafeBufferPointer { reference.take($0.baseAddress, scene) }
        } else {
          reference.take(nil, scene)
        }
      }
      scorer.take(scene, matte: matte, references: references)
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
