/// A picture of one 16-bit sample a pixel, rows packed: a depth map as data sets store it.
package struct Grey16Image: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// `width * height` samples in host order.
  package var samples: [UInt16]

  package init(width: Int, height: Int, samples: [UInt16]) {
    precondition(samples.count == width * height)
    self.width = width
    self.height = height
    self.samples = samples
  }
}
