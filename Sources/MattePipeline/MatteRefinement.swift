import Kernels
import Parameters

/// A binary mask at the depth map's size to a soft matte at the video's (A.5): blur, gamma, bicubic scale, crop.
struct MatteRefinement {
  let output: PixelPlane<UInt8>
  private let blur: GaussianBlur
  private let gamma: GammaCurve
  private let resampler: Resampler
  private let blurredAlong: PixelPlane<UInt32>
  private let blurred: PixelPlane<UInt32>
  private let curved: PixelPlane<UInt16>
  private let scaledAlong: PixelPlane<Int32>

  init(_ format: PipelineFormat, _ parameters: ParameterSet) {
    let (color, depth) = (format.color, format.depth)
    blur = GaussianBlur(sigma: parameters[PipelineParameters.blur], width: depth.width, height: depth.height)
    gamma = GammaCurve(power: parameters[PipelineParameters.gamma])
    // Both ways by the ratio of the widths. The middles coincide, so the rows begin where the depth map's height and
    // that of the scaled video differ by half.
    let rowOffset =
      (Double(depth.height) - Double(color.height) * Double(depth.width) / Double(color.width)) / 2
    resampler = Resampler(
      horizontal: ResampleTable(
        bicubicFrom: depth.width, to: color.width, scaleNumerator: color.width, scaleDenominator: depth.width),
      vertical: ResampleTable(
        bicubicFrom: depth.height, to: color.height, scaleNumerator: color.width,
        scaleDenominator: depth.width, offset: rowOffset))
    output = PixelPlane(width: color.width, height: color.height)
    blurredAlong = PixelPlane(width: depth.width, height: depth.height)
    blurred = PixelPlane(width: depth.width, height: depth.height)
    curved = PixelPlane(width: depth.width, height: depth.height)
    scaledAlong = PixelPlane(width: color.width, height: depth.height)
  }

  func refine(_ mask: PixelPlane<UInt8>, bands: BandRunner) {
    bands.run(rowCount: mask.height) { rows in
      blur.horizontal(mask.samples, to: blurredAlong.samples, rows: rows)
    }
    bands.run(rowCount: mask.height) { rows in
      blur.vertical(blurredAlong.samples, to: blurred.samples, rows: rows)
      gamma.apply(
        blurred.row(rows.lowerBound), to: curved.row(rows.lowerBound), count: rows.count * mask.width)
      resampler.horizontal(curved.samples, to: scaledAlong.samples, rows: rows)
    }
    bands.run(rowCount: output.height) { rows in
      resampler.vertical(scaledAlong.samples, to: output.samples, rows: rows)
    }
  }
}
