import Kernels
import RecordingStore
import Support

extension Recording {
  /// By how many depth pixels the stored alignment moves depth.
  /// - Throws: `.corrupt` for an alignment that cannot be read.
  package func depthShift() throws(RetakeError) -> DepthShift {
    try alignment().map { DepthShift(x: $0.pixels.x, y: $0.pixels.y) } ?? .none
  }
}
