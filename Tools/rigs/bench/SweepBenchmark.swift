import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Scores
import Support
import Sweeps

/// Compares a sweep of a hundred settings, which differ only in matte and composite, with separate
/// replays to digests of every stage: CPU time on one thread, and the sweep's time by part.
enum SweepBenchmark {
  private static let side = 10
  private static let replayCount = 6
  /// Without gradient and connectivity, which are slow, and without those that a sweep had not when the goals were set.
  private static let quick: Set<ScoreKind> = [
    .iou, .boundaryF, .sad, .mse, .dtssd, .flicker, .holes, .edgeAlignment, .soft, .components, .area, .areaVariation,
    .dropOuts, .faceCoverage, .lag,
  ]
  /// Scores, grouped by the code that computes them.
  private static let parts: [(name: String, scores: Set<ScoreKind>)] = [
    ("overlap, sad, mse", [.iou, .sad, .mse]), ("boundary", [.boundaryF]), ("gradient", [.gradient]),
    ("connectivity", [.connectivity]), ("dtssd", [.dtssd]), ("flicker", [.flicker]), ("haze", [.haze]),
    ("edge spill", [.edgeSpill]), ("edge contrast", [.edgeContrast]), ("edge alignment", [.edgeAlignment]),
    ("shape", [.soft, .holes, .components, .area, .areaVariation, .dropOuts]), ("faces", [.faceCoverage]),
    ("lag", [.lag]),
  ]
  /// Frames used to measure the groups. The sweep and the replays use all frames.
  private static let partFrameCount = 40

  static func run(_ recording: Recording, folder: String) throws {
    let preset = Preset.measured
    let settings = try settings(preset)
    let frameCount = try recording.frameSetCount()

    // Replays and sweeps alternate, because the machine's speed varies over time.
    var replays: [Double] = []
    func replay() throws {
      let setting = settings[replays.count * (settings.count - 1) / (replayCount - 1)]
      let request = ReplayRequest(preset: preset.name, parameters: setting)
      let session = try ReplaySession(recording, request, threadCount: 1)
      let outputs = RenderOutputs([
        ("digests", try DigestSink(path: "\(folder)/digests", header: session.header))
      ])
      replays.append(try Stopwatch.measure { _ = try session.run(outputs) })
    }
    func sweepInTurn(_ settings: [ParameterSet], _ scores: Set<ScoreKind>, _ name: String) throws -> Double {
      let seconds = try sweep(recording, preset, settings, scores, frames: frameCount, folder, name)
      try replay()
      return seconds
    }
    try replay()
    let all = Set(ScoreKind.allCases)
    let quick = try sweepInTurn(settings, Self.quick, "quick")
    let slow = try sweepInTurn(settings, Self.quick.union([.gradient, .connectivity]), "slow")
    let standard = try sweepInTurn(settings, Set(ScoreKind.standard), "standard")
    let whole = try sweepInTurn(settings, all, "whole")
    let shared = try sweepInTurn(try withComposites(preset), all, "composites")
    let meanReplay = replays.reduce(0, +) / Double(replays.count)
    func perFrame(_ seconds: Double, _ count: Int, _ frames: Int) -> String {
      Stopwatch.text(seconds * 1e3 / Double(count * frames))
    }
    func ratio(_ seconds: Double) -> Double { seconds / (meanReplay * Double(settings.count)) }
    print(
      """
        \(settings.count) settings over \(frameCount) frames, \(preset.name), one thread, CPU ms for each frame and setting: \
      a replay to digests \(perFrame(meanReplay, 1, frameCount)); a sweep of a hundred mattes with fifteen scores \
      \(perFrame(quick, settings.count, frameCount)), of the replays \(Goal.atMost(0.18, ratio(quick))); with gradient and connectivity \
      \(perFrame(slow, settings.count, frameCount)), of the replays \(Goal.atMost(0.30, ratio(slow))); with the scores that one has by default \
      \(perFrame(standard, settings.count, frameCount)), of the replays \(Stopwatch.text(ratio(standard))); with all scores \
      \(perFrame(whole, settings.count, frameCount)), of the replays \(Stopwatch.text(ratio(whole))); of 25 mattes with 4 composites each \
      \(perFrame(shared, settings.count, frameCount)), of the replays \(Stopwatch.text(ratio(shared)))
      """)

    let frames = min(frameCount, partFrameCount)
    func part(_ scores: Set<ScoreKind>, _ name: String) throws -> Double {
      try sweep(recording, preset, settings, scores, frames: frames, folder, name)
    }
    // The area costs almost nothing, so this measures mattes, reading and the sweep itself.
    let mattes = try part([.area], "mattes")
    print(
      "    of these, over \(frames) frames: mattes and area \(perFrame(mattes, settings.count, frames))", terminator: ""
    )
    for (place, one) in parts.enumerated() {
      let seconds = try part(one.scores.union([.area]), "part-\(place)") - mattes
      print(", \(one.name) \(perFrame(max(0, seconds), settings.count, frames))", terminator: "")
    }
    print()
  }

  private static func settings(_ preset: Preset) throws -> [ParameterSet] {
    let base = try preset.parameters(ReplaySession.declarations)
    return try (0..<side * side).map { number in
      var setting = base
      try setting.set("matte.blur=\(1 + number / side)")
      try setting.set("matte.gamma=\(Double(2 + number % side) / 4)")
      return setting
    }
  }

  /// A hundred settings too: 25 mattes with 4 composites each.
  private static func withComposites(_ preset: Preset) throws -> [ParameterSet] {
    let mattes = try settings(preset).enumerated().filter { $0.offset / side % 2 == 0 && $0.offset % 2 == 0 }
    return try mattes.map(\.element).flatMap { matte in
      try ["#000000", "#ff0000", "#00ff00", "#0000ff"].map { color in
        var setting = matte
        try setting.set("composite.color", to: color)
        return setting
      }
    }
  }

  private static func sweep(
    _ recording: Recording, _ preset: Preset, _ settings: [ParameterSet], _ scores: Set<ScoreKind>, frames: Int,
    _ folder: String, _ name: String
  ) throws -> Double {
    let source = SweepSource(
      recording, path: recording.folder.path, order: PlayOrder(frames: 0..<frames), truth: nil)
    let job = SweepJob(
      preset: preset.name, settings: settings, tried: ["matte.blur", "matte.gamma"], words: "", defaultSetting: nil,
      scores: ScoreKind.allCases.filter(scores.contains), sources: [source])
    let file = try SweepResultsFile.create("\(folder)/\(name).sweep", try job.identity())
    return try Stopwatch.measure {
      let outcome = try SweepRunner(job, into: file, threadCount: 1, memoryLimit: 2 << 30).run()
      guard outcome.failedRunCount == 0, outcome.isWhole else {
        throw RetakeError(.corrupt, "The sweep did not finish.")
      }
    }
  }
}
