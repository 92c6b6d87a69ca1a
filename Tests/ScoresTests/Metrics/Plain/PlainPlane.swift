import Scores

/// A matte or a grey picture for the plain forms of the scores: what each definition says, pixel by pixel, which the fast forms
/// have to equal bit for bit.
struct PlainPlane {
  var samples: [UInt8]
  let width: Int
  let height: Int

  init(_ samples: [UInt8], width: Int, height: Int) {
    precondition(samples.count == width * height)
    (self.samples, self.width, self.height) = (samples, width, height)
  }

  /// What lies outside is as the pixel nearest to it.
  func sample(nearX x: Int, y: Int) -> Int {
    Int(samples[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)])
  }

  /// At least half opaque.
  func isPerson(_ pixel: Int) -> Bool { samples[pixel] >= 128 }

  func withPlane<Result>(_ body: (BytePlane) -> Result) -> Result {
    // One more, so that there is something to point to.
    (samples + [0]).withUnsafeBufferPointer { body(BytePlane($0.baseAddress!, width: width, height: height)) }
  }

  /// - Parameter features: of this size.
  func packed(_ features: MatteFeatures) -> PackedMatte {
    let packed = PackedMatte(width: width, height: height)
    packed.take(self.features(features))
    return packed
  }

  func features(_ features: MatteFeatures) -> MatteFeatures {
    withPlane { features.take($0) }
    return features
  }
}
