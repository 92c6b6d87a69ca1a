import Kernels
import Parameters

/// A binary mask at the depth map's size to a soft matte at the video's (A.5): blur, gamma, bicubic scale, crop.
struct MatteRefinement {
  let output: PixelPlane<UInt8>
  private let softening: MaskSoftening
  private let scaling: MatteScaling
  private let softened: MatteSamples

  init(_ format: PipelineFormat, _ parameters: ParameterSet, threadCount: Int, processor: Processor) {
    let (color, depth) = (format.color, format.depth)
    softening = MaskSoftening(
      sigma: parameters[PipelineParameters.blur], power: parameters[PipelineParameters.gamma], width: depth.width,
      height: depth.height, threadCount: threadCount, processor: processor)
    // Both ways by the ratio of the widths. The middles coincide, so the rows begin where the depth map's height and
    // that of the scaled video differ by half.
    let rowOffset =
      (Double(depth.height) - Double(color.height) * Double(depth.width) / Double(color.width)) / 2
    scaling = MatteScaling(
      horizontal: ScaleTable(
        bicubicFrom: depth.width, to: color.width, scaleNumerator: color.width, scaleDenominator: depth.width),
      vertical: ScaleTable(
        bicubicFrom: depth.height, to: color.height, scaleNumerator: color.width,
        scaleDenominator: depth.width, offset: rowOffset), threadCount: threadCount, processor: processor)
    output = PixelPlane(width: color.width, height: color.height)
    softened = MatteSamples(width: depth.width, height: depth.height)
  }

  func refine(_ mask: PixelPlane<UInt8>, bands: BandRunner) {
    bands.run(rowCount: mask.height) { rows, thread in
      softening.apply(mask.samples, to: softened, rows: rows, thread: thread)
    }
    bands.run(rowCount: output.height) { rows, thread in
      scaling.apply(softened, to: output.samples, rows: rows, thread: thread)
    }
  }
}
