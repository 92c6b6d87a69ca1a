/// A rectangle of samples with margins, so that kernels need no special case at its edges.
package struct SamplePlane<Sample: FixedWidthInteger & Sendable> {
  /// Samples before the first row and after the last that kernels may read and write.
  private static var margin: Int { 32 }

  let width: Int
  let height: Int
  /// Samples from one row to the next.
  let stride: Int
  private let origin: UnsafeMutablePointer<Sample>

  /// Size of a plane in bytes, a multiple of 64.
  package static func byteCount(width: Int, height: Int) -> Int {
    (2 * margin + rowStride(width) * (height + 1)) * MemoryLayout<Sample>.stride
  }

  /// At least 48 samples more than a row: the decoder's skewed blocks overwrite up to 15 samples
  /// before a row and 31 after it.
  private static func rowStride(_ width: Int) -> Int { (width + 79) & ~31 }

  /// - Parameter memory: `byteCount(width:height:)` bytes, aligned for samples.
  package init(width: Int, height: Int, in memory: UnsafeMutableRawPointer) {
    self.width = width
    self.height = height
    stride = Self.rowStride(width)
    origin = memory.assumingMemoryBound(to: Sample.self) + (Self.margin + stride)
  }

  /// Row −1 is valid too.
  @inline(__always)
  package func row(_ y: Int) -> UnsafeMutablePointer<Sample> { origin + y * stride }

  /// Zeroes the row above the first and the column left of the first, as predictions require.
  package func clearSurroundings() {
    (row(-1) - Self.margin).update(repeating: 0, count: stride + Self.margin)
    for y in 0..<height { row(y)[-1] = 0 }
  }
}
