import Kernels
import Parameters

/// Morphology and blur of a mask. Mattes that differ in later steps share the result.
final class MaskBlurring {
  private let shaping: MaskShaping?
  private let blur: MaskBlur
  /// More parts than threads, since most of a person's outline is in the lower half, and flat areas
  /// take no time. Each part computes some rows twice.
  private static let partsPerThread = 3

  init(_ geometry: PlaneGeometry, _ parameters: ParameterSet, threadCount: Int, processor: Processor) {
    let (width, height) = (geometry.width, geometry.height)
    shaping = MaskShaping(parameters, width: width, height: height, threadCount: threadCount, processor: processor)
    blur = MaskBlur(
      sigma: parameters[PipelineParameters.matte.blur], width: width, height: height, threadCount: threadCount,
      processor: processor)
  }

  static func isIdle(_ parameters: ParameterSet) -> Bool {
    parameters[PipelineParameters.matte.open] == 0 && parameters[PipelineParameters.matte.close] == 0
      && parameters[PipelineParameters.matte.grow] == 0 && parameters[PipelineParameters.matte.blur] == 0
  }

  func apply(_ mask: PixelPlane<UInt8>, to blurred: BlurredMask, bands: BandRunner) {
    let mask = shaping?.apply(mask, bands: bands) ?? mask
    bands.run(rowCount: mask.height, partsPerThread: Self.partsPerThread) { rows, thread in
      blur.apply(mask.samples, to: blurred, rows: rows, thread: thread)
    }
  }

  /// With feather and gamma in the same pass, which is faster for a single matte.
  func apply(_ mask: PixelPlane<UInt8>, bend: MatteBend, to matte: MatteSamples, bands: BandRunner) {
    let mask = shaping?.apply(mask, bands: bands) ?? mask
    bands.run(rowCount: mask.height, partsPerThread: Self.partsPerThread) { rows, thread in
      blur.apply(mask.samples, bend: bend, to: matte, rows: rows, thread: thread)
    }
  }
}

extension ParameterSet {
  /// Settings with equal texts share one blurred mask.
  package var blurText: String {
    "\(self[PipelineParameters.matte.open]) \(self[PipelineParameters.matte.close]) \(self[PipelineParameters.matte.grow]) "
      + "\(self[PipelineParameters.matte.blur])"
  }
}
