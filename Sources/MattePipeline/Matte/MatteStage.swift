import FrameModel
import Kernels
import Parameters

/// A mask at its own size to a soft matte at the video's (A.5): blur, gamma, scale, crop.
final class MatteStage {
  /// 0 to 255 at the video's size; holds until the next mask.
  let output: PixelPlane<UInt8>
  /// Whether a soft mask is a matte already: nothing shapes it but scaling.
  private let takesSoftMask: Bool
  private let softening: MaskSoftening
  private let scaling: MatteScaling
  private let softened: MatteSamples

  /// - Parameter mask: what every mask looks like.
  init(_ mask: Mask, _ parameters: ParameterSet, threadCount: Int, processor: Processor) {
    let geometry = mask.geometry
    takesSoftMask =
      parameters[PipelineParameters.open] == 0 && parameters[PipelineParameters.close] == 0
      && parameters[PipelineParameters.grow] == 0 && parameters[PipelineParameters.blur] == 0
      && parameters[PipelineParameters.gamma] == 1 && parameters[PipelineParameters.feather] == "both"
    softening = MaskSoftening(
      sigma: parameters[PipelineParameters.blur], power: parameters[PipelineParameters.gamma], width: geometry.width,
      height: geometry.height, threadCount: threadCount, processor: processor)
    let (horizontal, vertical) = geometry.tables { source, target, numerator, denominator, offset in
      ScaleTable(
        bicubicFrom: source, to: target, scaleNumerator: numerator, scaleDenominator: denominator, offset: offset)
    }
    scaling = MatteScaling(
      horizontal: horizontal, vertical: vertical, threadCount: threadCount, processor: processor)
    output = PixelPlane(width: geometry.videoWidth, height: geometry.videoHeight)
    softened = MatteSamples(width: geometry.width, height: geometry.height)
  }

  /// - Parameter picture: the video frame as RGB, for filters that follow its edges.
  func refine(_ mask: Mask, picture: PixelPlane<UInt8>, bands: BandRunner) {
    let matte = soften(mask, bands: bands)
    bands.run(rowCount: output.height) { rows, thread in
      scaling.apply(matte, to: output.samples, rows: rows, thread: thread)
    }
  }

  /// The mask as matte samples: as they came, or blurred and bent.
  private func soften(_ mask: Mask, bands: BandRunner) -> MatteSamples {
    if takesSoftMask, let soft = mask.soft { return soft }
    bands.run(rowCount: mask.plane.height) { rows, thread in
      softening.apply(mask.plane.samples, to: softened, rows: rows, thread: thread)
    }
    return softened
  }
}
