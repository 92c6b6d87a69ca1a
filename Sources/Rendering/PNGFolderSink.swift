import FrameModel
import Glibc
import MattePipeline
import Pictures

/// A PNG for each frame: `000000.png`, named by the video frame. Depth is written as 16-bit grey millimetres, masks and
/// mattes as 8-bit grey: exactly what the pipeline had.
package final class PNGFolderSink: RenderSink {
  private let path: String
  private let tap: Tap

  /// Makes the folder.
  package init(path: String, tap: Tap) throws(RetakeError) {
    self.path = path
    self.tap = tap
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw FileBytes.failure("create", path) }
  }

  package func take(_ output: PipelineOutput) throws(RetakeError) {
    let file =
      switch tap {
      case .original: try PNGEncoder.encode(output.original, as: .rgb8)
      case .composite: try PNGEncoder.encode(output.composite, as: .rgb8)
      case .mask: try PNGEncoder.encode(output.mask, as: .grey8)
      case .matte: try PNGEncoder.encode(output.matte, as: .grey8)
      case .depth: try PNGEncoder.encode(output.depth, as: .grey16)
      }
    try FileBytes.write(file, to: "\(path)/\(output.index.zeroPadded(6)).png")
  }

  package func finish() {}
}
