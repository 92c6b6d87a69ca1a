import CKernels

/// Converts a blurred mask to matte samples: feather, then curve.
package struct MatteBend: Sendable {
  package let curve: MatteCurve
  package let feather: Feather
  private let processor: Processor

  /// - Parameter power: 0.05 to 20.
  package init(power: Double, feather: Feather = .both, processor: Processor = .best) {
    curve = .shared(power: power)
    self.feather = feather
    self.processor = processor
  }

  var kernelBend: RTKBend {
    RTKBend(curve: curve.cells.address, curveBits: Int32(curve.bits), gain: feather.gain, bias: feather.bias)
  }

  /// - Parameter matte: of the same size; its block flags must be correct.
  package func apply(_ blurred: BlurredMask, to matte: MatteSamples, rows: Range<Int>) {
    var bend = kernelBend
    withExtendedLifetime((self, blurred)) {
      rtk_bend(
        processor.choice, &bend, blurred.samples, blurred.blocks, matte.samples, matte.blocks,
        Int32(blurred.width), Int32(rows.lowerBound), Int32(rows.count))
    }
  }

  /// To a finished matte of the same size, with the bits that `MatteScaling` gives without scaling.
  package func apply(_ blurred: BlurredMask, to matte: UnsafeMutablePointer<UInt8>, rows: Range<Int>) {
    var bend = kernelBend
    withExtendedLifetime((self, blurred)) {
      rtk_bend_matte(
        processor.choice, &bend, blurred.samples, blurred.blocks, matte, Int32(blurred.width), Int32(rows.lowerBound),
        Int32(rows.count))
    }
  }
}
