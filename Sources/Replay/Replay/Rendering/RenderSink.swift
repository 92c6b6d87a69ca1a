import MattePipeline
import Support

package protocol RenderSink: AnyObject {
  /// The output's planes are valid only during the call.
  func take(_ output: PipelineOutput) throws(RetakeError)
  /// Call after the last frame. A sink released before removes its file; one to replace stays.
  func finish() throws(RetakeError)
}
