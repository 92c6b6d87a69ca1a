import Foundation
import Parameters
import RecordingStore
import RecordingTestSupport
import Scores
import Sweeps
import TestSupport
import Testing

/// Masks that a network makes are its settings' in common.
@Suite struct SweepNetworkTests {
  @Test
  func `settings of two networks have the scores of lone replays; what the networks said is kept, and is enough`()
    throws
  {
    let made = try SimulatedRecording("frames=8&size=64x48&depth-size=32x24&seed=3")
    let folder = try TemporaryFolder()
    let first = try SegmentationNetwork.write(SegmentationNetwork.matte(32, 24), to: folder, "first.onnx")
    let second = try SegmentationNetwork.write(SegmentationNetwork.labels(24, 18), to: folder, "second.onnx")
    let settings = try SweepCase.grid(
      ("mask.kind", ["segmentation"]), ("mask.model", [first, second]), ("mask.every", ["1", "3"]),
      ("depth.rate", ["1/1", "1/2"]), ("matte.blur", ["0", "2"]))
    let sweep = try SweepCase(made.recording, settings: settings, scores: [.area, .iou, .flicker, .lag])
    let forecast = try SweepRunner(sweep.job, into: nil, threadCount: 2, memoryLimit: 1 << 30).forecast()
    #expect(forecast.leftRunCount == settings.count && forecast.failingRunCount == 0)
    // A forecast looks, and leaves nothing behind.
    #expect(made.recording.keptMasks().isEmpty)
    let (file, outcome) = try sweep.run()
    #expect(outcome.failedRunCount == 0)
    for (number, setting) in settings.enumerated() {
      let lone = try LoneScores(made.recording, setting, scores: Set(sweep.job.scores))
      #expect(try file.frames(RunKey(setting: number, recording: 0)) == lone.scored.frames)
    }
    #expect(made.recording.keptMasks().count == 2)
    let digests = Set(file.identity.settings.map(\.digest))
    #expect(digests.count == settings.count)

    for model in [first, second] { try FileManager.default.removeItem(atPath: model) }
    let (again, _) = try sweep.run("again", memoryLimit: 1)
    #expect(areSame(try again.contentText(), try file.contentText()))
  }
}
