/// An 8-bit plane to look at: a matte, where 0 is background and 255 the person, or a picture in grey. Borrowed: it holds as
/// long as what it was made of.
package struct BytePlane {
  package let samples: UnsafePointer<UInt8>
  /// Pixels.
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
