/// A rectangle of samples in scratch memory, with room around it so that kernels need no special case at its edges.
struct SamplePlane<Sample: FixedWidthInteger & Sendable> {
  /// Samples before the first row and behind the last that may be read and written.
  private static var margin: Int { 32 }

  let width: Int
  let height: Int
  /// Samples from one row to the next.
  let stride: Int
  private let origin: UnsafeMutablePointer<Sample>

  /// Bytes that a plane takes, a multiple of 64.
  static func byteCount(width: Int, height: Int) -> Int {
    (2 * margin + rowStride(width) * (height + 1)) * MemoryLayout<Sample>.stride
  }

  /// Two vectors wider than a row: the skewed blocks of the decoder begin 15 samples before it and end 30 behind it.
  private static func rowStride(_ width: Int) -> Int { (width + 79) & ~31 }

  /// - Parameter memory: `byteCount(width:height:)` bytes, aligned for samples.
  init(width: Int, height: Int, in memory: UnsafeMutableRawPointer) {
    self.width = width
    self.height = height
    stride = Self.rowStride(width)
    origin = memory.assumingMemoryBound(to: Sample.self) + (Self.margin + stride)
  }

  /// Row −1 is there too.
  @inline(__always)
  func row(_ y: Int) -> UnsafeMutablePointer<Sample> { origin + y * stride }

  /// Makes 0 of the row above the first and of the column before the first: so they count in predictions.
  func clearSurroundings() {
    (row(-1) - Self.margin).update(repeating: 0, count: stride + Self.margin)
    for y in 0..<height { row(y)[-1] = 0 }
  }
}
