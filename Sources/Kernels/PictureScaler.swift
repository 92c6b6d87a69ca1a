import FrameModel

/// Scales pictures that are prepared once: backgrounds, contact sheets. Each output pixel is the weighted mean of the
/// source under a triangle as wide as the pixel, or as a source pixel where that is wider: smooth both ways.
package enum PictureScaler {
  /// Cuts the largest part of the target's aspect out of the middle, and scales it to the target's size.
  package static func fill(_ image: RGBImage, width: Int, height: Int) -> RGBImage {
    // Compare image.width / image.height with width / height, in whole numbers.
    let isWider = image.width * height >= image.height * width
    let cropWidth = isWider ? Double(image.height * width) / Double(height) : Double(image.width)
    let cropHeight = isWider ? Double(image.height) : Double(image.width * height) / Double(width)
    let columns = taps(
      from: image.width, start: (Double(image.width) - cropWidth) / 2, length: cropWidth, to: width)
    let rows = taps(
      from: image.height, start: (Double(image.height) - cropHeight) / 2, length: cropHeight, to: height)

    var along = [UInt16](repeating: 0, count: width * image.height * 3)
    for y in 0..<image.height {
      for (x, tap) in columns.enumerated() {
        for channel in 0..<3 {
          var sum: UInt32 = 0
          for (k, weight) in tap.weights.enumerated() {
            sum += weight * UInt32(image.pixels[(y * image.width + tap.first + k) * 3 + channel])
          }
          along[(y * width + x) * 3 + channel] = UInt16((sum + 128) >> 8)  // eight fractional bits
        }
      }
    }
    var result = RGBImage(width: width, height: height)
    for (y, tap) in rows.enumerated() {
      for i in 0..<width * 3 {
        var sum: UInt64 = 1 << 23
        for (k, weight) in tap.weights.enumerated() {
          sum += UInt64(weight) * UInt64(along[(tap.first + k) * width * 3 + i])
        }
        result.pixels[y * width * 3 + i] = UInt8(min(255, sum >> 24))
      }
    }
    return result
  }

  /// The source samples of one output sample. Weights add up to 65536.
  struct Tap {
    var first: Int
    var weights: [UInt32]
  }

  static func taps(from length: Int, start: Double, length span: Double, to count: Int) -> [Tap] {
    let step = span / Double(count)
    let reach = max(1, step)
    return (0..<count).map { i in
      let center = start + (Double(i) + 0.5) * step
      let first = max(0, Int((center - reach).rounded(.down)))
      let last = min(length - 1, Int((center + reach).rounded(.down)))
      let exact = (first...last).map { max(0, 1 - abs(Double($0) + 0.5 - center) / reach) }
      let sum = exact.reduce(0, +)
      var weights = exact.map { UInt32(($0 / sum * 65_536).rounded(.toNearestOrEven)) }
      let heaviest = weights.indices.max { weights[$0] < weights[$1] }!
      weights[heaviest] = 65_536 - (weights.reduce(0, +) - weights[heaviest])
      return Tap(first: first, weights: weights)
    }
  }
}

extension PictureScaler {
  /// The same from a plane of three channels.
  package static func fill(_ plane: PixelPlane<UInt8>, width: Int, height: Int) -> RGBImage {
    fill(
      RGBImage(
        width: plane.width, height: plane.height,
        pixels: Array(UnsafeBufferPointer(start: plane.samples, count: plane.count))), width: width, height: height)
  }
}
