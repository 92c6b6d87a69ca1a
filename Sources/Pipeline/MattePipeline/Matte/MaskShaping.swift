import Kernels
import Parameters

/// Morphology of a mask: `matte.open`, then `matte.close`, then `matte.grow`.
final class MaskShaping {
  private let steps: [MaskMorphology]
  private let planes: [PixelPlane<UInt8>]

  init?(_ parameters: ParameterSet, width: Int, height: Int, threadCount: Int, processor: Processor) {
    let open = parameters[PipelineParameters.matte.open]
    let close = parameters[PipelineParameters.matte.close]
    let grow = parameters[PipelineParameters.matte.grow]
    let sequence: [(MaskMorphology.Extreme, Int)] = [
      (.smallest, open), (.largest, open), (.largest, close), (.smallest, close),
      (grow < 0 ? .smallest : .largest, abs(grow)),
    ]
    steps = sequence.filter { $0.1 > 0 }.map { extreme, radius in
      MaskMorphology(
        extreme, radius: radius, width: width, height: height, threadCount: threadCount, processor: processor)
    }
    guard !steps.isEmpty else { return nil }
    planes = (0..<min(steps.count, 2)).map { _ in PixelPlane(width: width, height: height) }
  }

  /// - Returns: one of its own planes, valid until the next call.
  func apply(_ mask: PixelPlane<UInt8>, bands: BandRunner) -> PixelPlane<UInt8> {
    var source = mask
    for (i, step) in steps.enumerated() {
      let target = planes[i % 2]
      bands.run(rowCount: mask.height) { rows, thread in
        step.apply(source.samples, to: target.samples, rows: rows, thread: thread)
      }
      source = target
    }
    return source
  }
}
