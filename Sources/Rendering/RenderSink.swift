import FrameModel
import MattePipeline

/// Something that takes what the pipeline made, frame by frame.
package protocol RenderSink: AnyObject {
  /// The output's planes hold only during the call.
  func take(_ output: PipelineOutput) throws(RetakeError)
  /// After the last frame.
  func finish() throws(RetakeError)
}
