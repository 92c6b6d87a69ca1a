import FrameModel

/// How a picture takes the shape of another. Raw values are those of `composite.fit`.
package enum PictureFit: String, CaseIterable, Sendable {
  /// The largest part of the target's aspect, out of the middle, scaled.
  case fill
  /// All of it, scaled, in the middle; what is left beside it are bars.
  case fit
  /// Not scaled: lower left corner on lower left corner, as Core Image crops to an image's extent, whose origin is there
  /// (seed system C.16). Above and on the right, what is larger is cut, and what is missing are bars.
  case crop
  /// All of it, scaled differently each way.
  case stretch
}

/// Scales pictures that are prepared once: contact sheets and the like.
package enum PictureScaler {
  /// Cuts the largest part of the target's aspect out of the middle, and scales it to the target's size.
  package static func fill(_ image: RGBImage, width: Int, height: Int) -> RGBImage {
    let scaler = PreparedPictureScaler(
      from: (image.width, image.height), to: (width, height), .fill, threadCount: 1)
    var result = RGBImage(width: width, height: height)
    image.pixels.withUnsafeBufferPointer { source in
      result.pixels.withUnsafeMutableBufferPointer { target in
        scaler.apply(source.baseAddress!, to: target.baseAddress!, bands: BandRunner(threadCount: 1))
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
