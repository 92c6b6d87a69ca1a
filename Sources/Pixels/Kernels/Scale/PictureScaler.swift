import FrameModel

/// How a picture is fitted into another size. Raw values are those of `composite.fit`.
package enum PictureFit: String, CaseIterable, Sendable {
  /// Scales the largest centred part that has the target's aspect ratio.
  case fill
  /// Scales the whole picture and centres it between bars.
  case fit
  /// Does not scale. Aligns the lower left corners, as Core Image does when it crops to an extent
  /// (seed system C.16). Excess at the top and right is cut; missing areas are bars.
  case crop
  /// Scales the whole picture without keeping its aspect ratio.
  case stretch
}

/// Scales single pictures, as for contact sheets.
package enum PictureScaler {
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
