package import FrameModel

/// The bytes of a picture or a depth map. A copy shares the bytes, which never change.
public struct Image: Sendable {
  public let format: PixelFormat
  /// Pixels.
  public let width: Int
  public let height: Int
  /// Bytes from one row to the next; 0 for JPEG. Rows of recorded frames have no padding.
  public let bytesPerRow: Int
  /// Bytes in all. Fewer than the rows need if the frame is damaged.
  public let byteCount: Int
  private let buffer: FrameBuffer

  /// - Parameter buffer: filled, and not written to afterwards.
  package init(_ layout: FrameLayout, _ buffer: FrameBuffer, byteCount: Int) {
    format = PixelFormat(rawValue: layout.format.rawValue)
    (width, height, bytesPerRow) = (layout.width, layout.height, layout.bytesPerRow)
    (self.buffer, self.byteCount) = (buffer, byteCount)
  }

  /// Reads the bytes without copying them. The pointer is valid only during the call.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(buffer) {} }
    return try body(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<byteCount]))
  }

  /// A copy of the bytes.
  public var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

  /// A sample of one byte: grey, masks, mattes.
  /// - Precondition: the format has one byte a pixel, and the pixel is in the picture.
  public func value8(x: Int, y: Int) -> UInt8 {
    check(x, y, sampleByteCount: 1)
    return withUnsafeBytes { $0[y * bytesPerRow + x] }
  }

  /// A sample of two bytes: `depthMillimeters16`, `grey16`, `kinectRaw11`.
  /// - Precondition: the format has two bytes a pixel, and the pixel is in the picture.
  public func value16(x: Int, y: Int) -> UInt16 {
    check(x, y, sampleByteCount: 2)
    return withUnsafeBytes {
      UInt16(littleEndian: $0.loadUnaligned(fromByteOffset: y * bytesPerRow + 2 * x, as: UInt16.self))
    }
  }

  private func check(_ x: Int, _ y: Int, sampleByteCount: Int) {
    precondition(
      (0..<width).contains(x) && (0..<height).contains(y) && bytesPerRow >= width * sampleByteCount,
      "pixel \(x), \(y) is not in a picture of \(width)x\(height) with \(sampleByteCount) bytes a pixel")
  }
}
