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
    try FileBytes.write(try picture(output), to: "\(path)/\(output.index.zeroPadded(6)).png")
  }

  /// A frame that lacks the tap shows the video (C.13).
  private func picture(_ output: PipelineOutput) throws(RetakeError) -> [UInt8] {
    switch tap {
    case .composite: return try PNGEncoder.encode(output.composite, as: .rgb8)
    case .mask: if let mask = output.mask { return try PNGEncoder.encode(mask, as: .grey8) }
    case .matte: if let matte = output.matte { return try PNGEncoder.encode(matte, as: .grey8) }
    case .depth: if let depth = output.depth { return try PNGEncoder.encode(depth, as: .grey16) }
    case .original: break
    }
    return try PNGEncoder.encode(output.original, as: .rgb8)
  }

  package func finish() {}
}
