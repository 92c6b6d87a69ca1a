import CKernels

/// Light of the background that falls around the person's edge.
///
/// The visible background, (1 − matte) · background, is blurred with σ = radius / 2. The light
/// l = amount · matte · blurred is screened over the composite: c + l · (1 − c). Only the edge is
/// lit, since the blur is 0 deep inside the person, and the matte is 0 outside.
package final class LightWrap: @unchecked Sendable {
  // Unchecked, as its planes are: bands write disjoint rows.
  package let levels: BlurLevels
  private let seen: PixelPlane<UInt8>
  package let amount: Int32
  private let processor: Processor
  private let scratch: KernelScratch

  /// `amount` is 0 to 1; `radius`, how far the light reaches, is 1 to 64 pixels.
  package init(
    amount: Double, radius: Double, width: Int, height: Int, threadCount: Int, processor: Processor = .best
  ) {
    self.amount = Int32((amount * 32767).rounded(.toNearestOrEven))
    self.processor = processor
    levels = BlurLevels(
      width: width, height: height, [BlurLevels.Request(sigma: radius / 2, detail: 1.7)], threadCount: threadCount,
      processor: processor)
    seen = PixelPlane(width: width, height: height, channels: 3)
    var level = levels.levels[0].kernelLevel
    scratch = KernelScratch(byteCount: rtk_light_wrap_scratch(&level), threadCount: threadCount)
  }

  /// Lightens `composite` in place. Both pictures are packed RGB.
  package func apply(
    background: UnsafePointer<UInt8>, matte: UnsafePointer<UInt8>, to composite: UnsafeMutablePointer<UInt8>,
    bands: BandRunner
  ) {
    let (choice, scratch, seen, amount, levels) = (processor.choice, scratch, seen, amount, levels)
    let width = levels.width
    bands.run(rowCount: levels.height) { rows in
      let start = rows.lowerBound * width
      rtk_fade_rgb(choice, background + 3 * start, matte + start, seen.samples + 3 * start, rows.count * width)
    }
    levels.update(seen.samples, bands: bands)
    bands.run(rowCount: levels.height) { rows, thread in
      var level = levels.levels[0].kernelLevel
      rtk_light_wrap(
        choice, &level, amount, matte, composite, Int32(width), Int32(rows.lowerBound), Int32(rows.count),
        scratch.piece(thread))
    }
    withExtendedLifetime(self) {}
  }
}
