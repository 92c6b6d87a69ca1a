import FrameModel
import Parameters
import RecordingStore
import RecordingTestSupport
import Replay
import Scores
import Support
import Sweeps
import TestSupport
import Testing

/// What goes wrong with one setting is nothing to the others.
@Suite struct SweepFailureTests {
  @Test
  func `a setting that makes no matte, or whose network is not there, is a row with its sentence; the others go on`()
    throws
  {
    let made = try SimulatedRecording("frames=6&size=64x48&depth-size=32x24&seed=3")
    var settings = try SweepCase.grid(("matte.blur", ["1", "2"]))
    var filter = settings[0]
    try filter.set("composite.kind=filter")
    var nameless = settings[0]
    try nameless.set("mask.kind=segmentation")
    var missing = nameless
    try missing.set("mask.model=/nowhere/person.onnx")
    settings.insert(contentsOf: [filter, nameless, missing], at: 1)
    let sweep = try SweepCase(made.recording, settings: settings)
    let (file, outcome) = try sweep.run()
    #expect(outcome.runCount == 5 && outcome.failedRunCount == 3 && outcome.isWhole)
    #expect(try file.failure(1)?.hasPrefix("composite.kind=filter makes no matte") == true)
    #expect(try file.failure(2)?.hasPrefix("No segmentation network is given.") == true)
    #expect(try file.failure(3)?.hasPrefix("There is no model /nowhere/person.onnx") == true)
    for setting in [0, 4] {
      let lone = try LoneScores(made.recording, settings[setting], scores: Set(ScoreKind.allCases))
      #expect(try file.frames(RunKey(setting: setting, recording: 0)) == lone.scored.frames)
    }
  }

  @Test
  func `a frame that cannot be read ends the settings that want it, wherever they are; the others are whole`() throws {
    let made = try SimulatedRecording("frames=12&size=64x48&depth-size=32x24&seed=3")
    let recording = made.recording
    let depth = try #require(recording.firstStream(.depth))
    let row = try #require(try recording.frameRow(stream: depth, number: 7))
    try made.damage(row)
    let settings = try SweepCase.grid(("depth.rate", ["1/1", "1/2", "1/6"]), ("matte.blur", ["1", "2"]))
    let sweep = try SweepCase(recording, settings: settings, scores: [.area, .iou])
    for limit in [1, 1 << 30] {
      let (file, outcome) = try sweep.run("limit-\(limit)", memoryLimit: limit)
      #expect(outcome.isWhole && outcome.failedRunCount == 2)
      for setting in [0, 1] {
        let sentence = try #require(try file.failure(setting))
        #expect(sentence.hasPrefix("Frame 7 of stream 'depth'") && sentence.contains("is damaged"))
      }
      for setting in 2..<6 { #expect(try file.score(setting, .area) != nil) }
    }
    // What lag is measured beside wants every frame.
    let lagging = try SweepCase(recording, settings: settings, scores: [.lag])
    #expect(try lagging.run().outcome.failedRunCount == 6)
  }

  @Test
  func `truth that cannot be read for a setting is nothing to those whose lag is measured beside it`() throws {
    let made = try SimulatedRecording("frames=12&size=64x48&depth-size=32x24&seed=3")
    let recording = made.recording
    let alpha = try #require(recording.firstStream(.alpha))
    try made.damage(try #require(try recording.frameRow(stream: alpha, number: 7)))
    // A throttled camera gives the even frames alone.
    let settings = try SweepCase.grid(("throttle.from", ["-1", "0"]), ("throttle.rate", ["1/2"]))
    let (file, outcome) = try SweepCase(recording, settings: settings, scores: [.iou, .lag]).run()
    #expect(outcome.isWhole && outcome.failedRunCount == 1)
    #expect(try file.failure(0)?.hasPrefix("Frame 7 of stream") == true)
    let (lone, loneOutcome) = try SweepCase(recording, settings: [settings[1]], scores: [.iou, .lag]).run()
    #expect(loneOutcome.isWhole && loneOutcome.failedRunCount == 0)
    #expect(
      try file.frames(RunKey(setting: 1, recording: 0)) == lone.frames(RunKey(setting: 0, recording: 0)))
    for kind in [ScoreKind.iou, .lag] { #expect(try file.score(1, kind) == lone.score(0, kind)) }
  }

  @Test
  func `no settings, no scores and one recording twice are refused in a sentence`() throws {
    let made = try SimulatedRecording("frames=2&size=64x48&depth-size=32x24")
    let settings = try SweepCase.grid(("matte.blur", ["1"]))
    #expect(throws: RetakeError.self) { try SweepCase(made.recording, settings: []).job.identity() }
    #expect(throws: RetakeError.self) { try SweepCase(made.recording, settings: settings, scores: []).job.identity() }
    var job = try SweepCase(made.recording, settings: settings).job
    job.sources.append(SweepSource(made.recording, path: "b.retake", order: .everything, truth: nil))
    let error = #expect(throws: RetakeError.self) { try job.identity() }
    #expect(error?.message.hasPrefix("a.retake and b.retake have the same id: one is a copy of the other") == true)
    var reversed = PlayOrder.everything
    reversed.isReversed = true
    for order in [reversed, PlayOrder(frames: 5..<9)] {
      let job = try SweepCase(made.recording, settings: settings, order: order).job
      #expect(throws: RetakeError.self) { try job.identity() }
    }
  }
}
