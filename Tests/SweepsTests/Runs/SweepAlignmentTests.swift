import FrameModel
import Parameters
import RecordingStore
import RecordingTestSupport
import Scores
import Support
import Sweeps
import Testing

@Suite struct SweepAlignmentTests {
  @Test func `a sweep moves depth as the recording's alignment says, and its results belong to that alignment`() throws
  {
    let made = try SimulatedRecording("frames=6&size=64x48&depth-size=64x48&seed=3")
    let plain = try SweepCase(made.recording, settings: SweepCase.grid(("depth.shift-x", ["0", "4"])))
    let byHand = try plain.run().file
    #expect(try byHand.frames(RunKey(setting: 0, recording: 0)) != byHand.frames(RunKey(setting: 1, recording: 0)))
    try AlignmentFile(made.recording.folder).write(ColorAlignment(x: 4000, y: 0, uncertainty: 500, frameCount: 6))
    let aligned = try SweepCase(
      made.recording, settings: SweepCase.grid(("depth.shift-x", ["0", "-4"])), scores: [.iou, .area])
    let file = try aligned.run().file
    for score in [ScoreKind.iou, .area] {
      #expect(try file.score(0, score) == byHand.score(1, score))
      #expect(try file.score(1, score) == byHand.score(0, score))
    }
    let own = byHand.identity.recordings[0].id
    #expect(file.identity.recordings[0].id == own.replacing(" faces", with: " moved 4 0 faces"))
    #expect(own.hasPrefix(made.recording.identity.id + " faces ") && !own.contains("moved"))
  }
}
