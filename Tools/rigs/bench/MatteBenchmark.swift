import FrameModel
import Kernels
import MattePipeline
import RecordingStore
import Replay
import Support

/// CPU time per frame of the presets of Retake's own, by stage, on one thread. Frames are decoded beforehand.
/// A preset that makes no matte of the timed frames is not measured: static-camera has none until it has learned.
enum MatteBenchmark {
  private static let presets = ["desk", "static-camera", "handheld"]
  private static let goalMilliseconds = 10.0
  private static let roundCount = 9
  /// Frames that the presets may learn the scene from, and the last of them, which are timed.
  private static let (frameCount, timedCount) = (120, 30)

  static func run(_ recording: Recording) throws {
    let sets = try DecodedSets(recording, count: frameCount)
    print("  \(sets), one thread, CPU ms a frame (median of \(roundCount) rounds):")
    for name in presets {
      let tree = try sets.tree(Preset.named(name))
      _ = try sets.process(tree, sets.all)
      guard try sets.process(tree, sets.all.suffix(timedCount)) == min(timedCount, sets.all.count) else {
        print("    \(name): not measured, since frames lack a matte; begin the recording without a person")
        continue
      }
      var rounds: [[Double]] = []
      for _ in 0..<roundCount { rounds.append(try sets.timed(tree, sets.all.suffix(timedCount))) }
      let stages = (0..<rounds[0].count).map { stage in Stopwatch.median(rounds.map { $0[stage] }) }
      let text = zip(["colour", "depth", "mask", "matte", "composite"], stages).map {
        "\($0) \(Stopwatch.text($1))"
      }
      print("    \(name): \(text.joined(separator: ", ")), all \(Goal.atMost(goalMilliseconds, stages[5]))")
    }
  }
}

private struct DecodedSets: CustomStringConvertible {
  let all: [FrameSet]
  let format: PipelineFormat
  let description: String

  init(_ recording: Recording, count: Int) throws {
    guard let color = recording.firstStream(.color), let depth = recording.firstStream(.depth) else {
      throw RetakeError(.unsupported, "\(recording.folder.path) has no colour and depth.")
    }
    let (video, map) = (recording.streams[color].layout, recording.streams[depth].layout)
    let cursor = try ReplayCursor(
      recording, ReplayPlan(schedule: DepthSchedule(rate: .one), order: PlayOrder(frames: 0..<count)))
    var sets: [FrameSet] = []
    while let frames = try cursor.next() { sets.append(frames) }
    all = sets
    format = try PipelineFormat(color: video, depth: map)
    description =
      "\(recording.folder.path): \(video.width)x\(video.height), depth \(map.width)x\(map.height)"
  }

  func tree(_ preset: Preset) throws -> StageTree {
    let background = StillBackground(.gradient(width: format.color.width, height: format.color.height))
    return try StageTree(
      format, settings: [preset.parameters(ReplayParameters.all + PipelineParameters.all)],
      sources: PipelineSources(background: background), wanted: .all, threads: BandRunner(threadCount: 1))
  }

  /// - Returns: how many frames got a matte.
  func process(_ tree: StageTree, _ sets: some Collection<FrameSet>) throws -> Int {
    if let failure = tree.failure(ofSetting: 0) { throw failure }
    var matteCount = 0
    for frames in sets { try tree.process(frames) { _, output in matteCount += output.matte == nil ? 0 : 1 } }
    return matteCount
  }

  /// Milliseconds per frame of colour conversion, depth, mask, matte and composite, and of all of them.
  func timed(_ tree: StageTree, _ sets: some Collection<FrameSet>) throws -> [Double] {
    let before = tree.times(ofSetting: 0)
    let all = try Stopwatch.measure { _ = try process(tree, sets) } * 1000
    let after = tree.times(ofSetting: 0)
    let stages = [\StageTimes.color, \.depth, \.mask, \.matte].map {
      Double(after[keyPath: $0] - before[keyPath: $0]) / 1e6
    }
    let parts = stages + [all - stages.reduce(0, +), all]
    return parts.map { $0 / Double(sets.count) }
  }
}
