/// A 16-bit greyscale image with packed rows, such as a depth map from a data set.
package struct Grey16Image: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// `width * height` samples in host byte order.
  package var samples: [UInt16]

  package init(width: Int, height: Int, samples: [UInt16]) {
    precondition(samples.count == width * height)
    self.width = width
    self.height = height
    self.samples = samples
  }
}
