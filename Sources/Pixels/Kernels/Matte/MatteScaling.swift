import CKernels

/// Scales matte samples to a finished 8-bit matte. Along x: (Σ weight · sample + 2¹³) >> 14, with
/// overshoot. Along y: (Σ weight · that + 2¹⁹) >> 20, clamped to 0 ... 255.
package struct MatteScaling: Sendable {
  package let horizontal: ScaleTable
  package let vertical: ScaleTable
  package let isIdentity: Bool
  private let scale: RTKScale
  private let processor: Processor
  private let scratch: KernelScratch

  package init(horizontal: ScaleTable, vertical: ScaleTable, threadCount: Int, processor: Processor = .best) {
    self.horizontal = horizontal
    self.vertical = vertical
    self.processor = processor
    isIdentity = horizontal.isIdentity && vertical.isIdentity
    var scale = RTKScale(horizontal, vertical)
    self.scale = scale
    scratch = KernelScratch(byteCount: rtk_scale_scratch(&scale), threadCount: threadCount)
  }

  package func apply(_ source: MatteSamples, to target: UnsafeMutablePointer<UInt8>, rows: Range<Int>, thread: Int) {
    let (first, count) = (Int32(rows.lowerBound), Int32(rows.count))
    if isIdentity {
      return rtk_finish_matte(
        processor.choice, source.samples, source.blocks, target, Int32(source.width), first, count)
    }
    var scale = scale
    withExtendedLifetime(self) {
      rtk_scale_matte(
        processor.choice, &scale, source.samples, source.blocks, target, first, count, scratch.piece(thread))
    }
  }
}

extension RTKScale {
  /// Valid as long as the tables live.
  init(_ horizontal: ScaleTable, _ vertical: ScaleTable) {
    self.init(
      sourceWidth: Int32(horizontal.sourceLength), sourceHeight: Int32(vertical.sourceLength),
      targetWidth: Int32(horizontal.targetLength), targetHeight: Int32(vertical.targetLength),
      columns: horizontal.starts.address, rows: vertical.starts.address, columnWeights: horizontal.weights.address,
      rowWeights: vertical.weights.address)
  }
}
