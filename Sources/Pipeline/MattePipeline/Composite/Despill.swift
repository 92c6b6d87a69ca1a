import Kernels
import Parameters

/// Removes the colour that the old background casts on the person: `composite.despill`.
struct Despill {
  private let spill: PixelColors.Spill
  private let amount: Double
  private let processor: Processor

  init?(_ parameters: ParameterSet, processor: Processor) {
    amount = parameters[PipelineParameters.composite.despillAmount]
    guard let spill = parameters[PipelineParameters.composite.despill], amount > 0 else { return nil }
    self.spill = spill
    self.processor = processor
  }

  /// - Parameter out: may be the picture itself.
  func apply(_ picture: PixelPlane<UInt8>, to out: PixelPlane<UInt8>, bands: BandRunner) {
    bands.run(rowCount: out.height) { rows in
      PixelColors.despill(
        picture.row(rows.lowerBound), spill, amount: amount, to: out.row(rows.lowerBound),
        count: rows.count * out.width, processor: processor)
    }
  }
}
