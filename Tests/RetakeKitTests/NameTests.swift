// Programs import Foundation too, which has a Stream of its own: no type of ours may need qualification.
import Foundation
import RetakeKit
import Testing

struct NameTests {
  @Test func `types can be named beside Foundation's`() {
    let types: [Any.Type] = [
      Recording.self, RecordedStream.self, Frame.self, FrameSet.self, Face.self, Image.self, PixelFormat.self,
      Event.self, Mark.self, Alignment.self, Summary.self, RetakeError.self, Recorder.self, SourceStream.self,
      FrameOutput.self, Parameters.self, Replay.self, Tap.self, Sweep.self, SweepResults.self, BugBundle.self,
      ReproductionResult.self, MaskSetup.self, StageInput.self, StageParameter.self, MaskResult.self,
    ]
    #expect(types.count == 26)
  }
}
