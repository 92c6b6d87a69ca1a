import Kernels
import Parameters

/// A mask's morphology and its blur: what mattes have in common that differ in feather, gamma, and what follows.
final class MaskBlurring {
  private let shaping: MaskShaping?
  private let blur: MaskBlur
  /// A mask's lower half has most of a person's outline, and what is flat takes no time. Each part costs some rows twice.
  private static let partsPerThread = 3

  init(_ geometry: PlaneGeometry, _ parameters: ParameterSet, threadCount: Int, processor: Processor) {
    let (width, height) = (geometry.width, geometry.height)
    shaping = MaskShaping(parameters, width: width, height: height, threadCount: threadCount, processor: processor)
    blur = MaskBlur(
      sigma: parameters[PipelineParameters.blur], width: width, height: height, threadCount: threadCount,
      processor: processor)
  }

  /// Whether masks stay as they are.
  static func isIdle(_ parameters: ParameterSet) -> Bool {
    parameters[PipelineParameters.open] == 0 && parameters[PipelineParameters.close] == 0
      && parameters[PipelineParameters.grow] == 0 && parameters[PipelineParameters.blur] == 0
  }

  /// - Parameter blurred: of the mask's size; written here alone.
  func apply(_ mask: PixelPlane<UInt8>, to blurred: BlurredMask, bands: BandRunner) {
    let mask = shaping?.apply(mask, bands: bands) ?? mask
    bands.run(rowCount: mask.height, partsPerThread: Self.partsPerThread) { rows, thread in
      blur.apply(mask.samples, to: blurred, rows: rows, thread: thread)
    }
  }

  /// Bent at once: the quicker way to one matte.
  func apply(_ mask: PixelPlane<UInt8>, bend: MatteBend, to matte: MatteSamples, bands: BandRunner) {
    let mask = shaping?.apply(mask, bands: bands) ?? mask
    bands.run(rowCount: mask.height, partsPerThread: Self.partsPerThread) { rows, thread in
      blur.apply(mask.samples, bend: bend, to: matte, rows: rows, thread: thread)
    }
  }
}

extension ParameterSet {
  /// Those of morphology and blur: with equal texts one mask is blurred once.
  package var blurText: String {
    "\(self[PipelineParameters.open]) \(self[PipelineParameters.close]) \(self[PipelineParameters.grow]) "
      + "\(self[PipelineParameters.blur])"
  }
}
