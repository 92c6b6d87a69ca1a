import CKernels

/// A separable Gaussian blur of an 8-bit mask, with edges repeated.
///
/// Along x: (Σ weight · mask + 127) / 255 with 24 fractional bits. Along y: by taps of two scales
/// (`ColumnWeights`), rounded to 24 fractional bits. Where all of a neighbourhood is 0 or 255, the
/// result is exactly 0 or one.
package struct MaskBlur: Sendable {
  package let weights: GaussianWeights
  package let width: Int
  package let height: Int
  private let processor: Processor
  private let taps: KernelTable<Int16>
  private let rests: KernelTable<Int16>
  private let steps: KernelTable<UInt32>
  private let blur: RTKBlur
  private let scratch: KernelScratch

  package init(sigma: Double, width: Int, height: Int, threadCount: Int, processor: Processor = .best) {
    weights = GaussianWeights(sigma: sigma)
    self.width = width
    self.height = height
    self.processor = processor
    taps = KernelTable(weights.columns.taps)
    rests = KernelTable(weights.columns.rests)
    steps = KernelTable(weights.steps)
    var blur = RTKBlur(
      width: Int32(width), height: Int32(height), radius: Int32(weights.radius), steps: steps.address,
      taps: taps.address, rests: rests.address, pairCount: Int32(weights.columns.taps.count / 2),
      innerPairCount: Int32(weights.columns.innerCount / 2), innerBits: Int32(weights.columns.innerBits))
    self.blur = blur
    scratch = KernelScratch(byteCount: rtk_blur_scratch(&blur), threadCount: threadCount)
  }

  /// The block flags of `blurred` must be correct: blocks that stay uniform are not rewritten.
  package func apply(_ mask: UnsafePointer<UInt8>, to blurred: BlurredMask, rows: Range<Int>, thread: Int) {
    var blur = blur
    withExtendedLifetime(self) {
      rtk_blur(
        processor.choice, &blur, mask, blurred.samples, blurred.blocks, Int32(rows.lowerBound), Int32(rows.count),
        scratch.piece(thread))
    }
  }

  /// Blurs and bends in one pass, which is faster if only one matte is made from the blur.
  package func apply(
    _ mask: UnsafePointer<UInt8>, bend: MatteBend, to matte: MatteSamples, rows: Range<Int>, thread: Int
  ) {
    var (blur, kernelBend) = (blur, bend.kernelBend)
    withExtendedLifetime((self, bend)) {
      rtk_blur_bend(
        processor.choice, &blur, &kernelBend, mask, matte.samples, matte.blocks, Int32(rows.lowerBound),
        Int32(rows.count), scratch.piece(thread))
    }
  }
}
