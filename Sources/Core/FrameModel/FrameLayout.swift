import Support

/// The memory layout of a frame.
package struct FrameLayout: Hashable, Sendable {
  /// Far above any camera. A larger claim is damaged or hostile, and rejected before allocation.
  package static let largestSide = 16_384
  package static let largestByteCount = 1 << 28

  package let format: PixelFormat
  package let width: Int
  package let height: Int
  /// Bytes from one row to the next, at least `format.packedBytesPerRow(width:)`. 0 for JPEG.
  package let bytesPerRow: Int

  /// - Throws: `.corrupt` for impossible sizes.
  package init(_ format: PixelFormat, width: Int, height: Int, bytesPerRow: Int? = nil) throws(RetakeError) {
    let sides = 1...Self.largestSide
    guard sides.contains(width), sides.contains(height) else {
      throw RetakeError(
        .corrupt, "A \(format.rawValue) frame cannot have \(width)x\(height) pixels.",
        hint: "valid sizes are 1x1 to \(Self.largestSide)x\(Self.largestSide)")
    }
    let packed = format.packedBytesPerRow(width: width)
    let stride = bytesPerRow ?? packed
    guard stride >= packed, stride <= Self.largestByteCount / format.rowCount(height: height) else {
      throw RetakeError(
        .corrupt, "\(stride) bytes per row are invalid for a \(format.rawValue) frame of \(width)x\(height) pixels.")
    }
    self.format = format
    self.width = width
    self.height = height
    self.bytesPerRow = stride
  }

  private init(packing layout: FrameLayout) {
    format = layout.format
    width = layout.width
    height = layout.height
    bytesPerRow = layout.format.packedBytesPerRow(width: layout.width)
  }

  /// The same frame without row padding: the form that is hashed, encoded and stored.
  package var packed: FrameLayout { FrameLayout(packing: self) }
  package var isPacked: Bool { bytesPerRow == format.packedBytesPerRow(width: width) }

  /// Rows of bytes; more than `height` if a second plane follows.
  package var rowCount: Int { format.rowCount(height: height) }

  /// Bytes of a frame. For JPEG an upper limit: twice RGB24's, at least 64 KiB.
  package var byteCount: Int {
    format == .jpeg ? min(Self.largestByteCount, max(65_536, width * height * 6)) : bytesPerRow * rowCount
  }
}
