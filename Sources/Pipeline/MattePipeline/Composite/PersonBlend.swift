import Kernels
import Parameters

/// Blends the person over the background through the matte: `composite.light`.
struct PersonBlend {
  private let light: LightBlend?
  private let processor: Processor

  init(_ parameters: ParameterSet, processor: Processor) {
    light = parameters[PipelineParameters.composite.light] == .linear ? LightBlend() : nil
    self.processor = processor
  }

  func apply(
    _ person: PixelPlane<UInt8>, over background: PixelPlane<UInt8>, matte: PixelPlane<UInt8>,
    to composite: PixelPlane<UInt8>, bands: BandRunner
  ) {
    bands.run(rowCount: composite.height) { rows in
      let first = rows.lowerBound
      let count = rows.count * composite.width
      if let light {
        light.rgb(
          foreground: person.row(first), background: background.row(first), matte: matte.row(first),
          to: composite.row(first), count: count, processor: processor)
      } else {
        Blend.rgb(
          foreground: person.row(first), background: background.row(first), matte: matte.row(first),
          to: composite.row(first), count: count, processor: processor)
      }
    }
  }
}
