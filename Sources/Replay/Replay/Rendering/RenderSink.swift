import FrameModel
import MattePipeline
import Support

/// Something that takes what the pipeline made, frame by frame.
package protocol RenderSink: AnyObject {
  /// The output's planes hold only during the call.
  func take(_ output: PipelineOutput) throws(RetakeError)
  /// After the last frame. A file of a sink that goes away before is removed, and one that it would replace stays.
  func finish() throws(RetakeError)
}
