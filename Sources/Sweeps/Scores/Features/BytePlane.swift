/// A borrowed view of an 8-bit plane: a matte (0 background, 255 person) or a grey picture. Valid
/// as long as the memory it points to.
package struct BytePlane {
  package let samples: UnsafePointer<UInt8>
  package let width: Int
  package let height: Int

  package var count: Int { width * height }

  /// - Parameter samples: rows without gaps, `width` · `height` bytes.
  package init(_ samples: UnsafePointer<UInt8>, width: Int, height: Int) {
    self.samples = samples
    self.width = width
    self.height = height
  }

  func isSameSize(as other: BytePlane) -> Bool { width == other.width && height == other.height }
}
