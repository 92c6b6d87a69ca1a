import Kernels

/// Converts pictures to grey for scores that use the video. The weights are those of the guided
/// filter.
package enum GreyPicture {
  /// Computes (38 R + 75 G + 15 B + 64) >> 7 for each pixel.
  /// - Parameters:
  ///   - picture: packed RGB.
  ///   - result: of the picture's size, with one channel.
  package static func convert(
    _ picture: PixelPlane<UInt8>, to result: PixelPlane<UInt8>, processor: Processor = .best
  ) {
    precondition(picture.channels == 3 && result.channels == 1)
    precondition(picture.width == result.width && picture.height == result.height)
    // One row at a time, so that the kernel's output stays in the cache.
    withUnsafeTemporaryAllocation(of: Int16.self, capacity: picture.width) { row in
      guard let grey = row.baseAddress else { return }
      for y in 0..<picture.height {
        GreyReduction.grey(picture.row(y), to: grey, count: picture.width, processor: processor)
        let out = result.row(y)
        for x in 0..<picture.width { out[x] = UInt8(truncatingIfNeeded: (grey[x] &+ 64) >> 7) }
      }
    }
  }
}
