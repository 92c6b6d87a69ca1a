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
}
