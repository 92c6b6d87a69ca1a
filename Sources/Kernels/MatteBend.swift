import CKernels

/// Which side of a mask's outline its blur shows on. Raw values are those of the parameter.
package enum Feather: String, CaseIterable, Sendable {
  /// The blurred mask as it is: half on the outline.
  case both
  /// max(2m − 1, 0): nothing beyond the outline.
  case inside = "in"
  /// min(2m, 1): nothing of what lies within the outline is given away.
  case outside = "out"

  var gain: UInt32 { self == .both ? 1 : 2 }
  var bias: UInt32 { self == .inside ? GaussianWeights.one : 0 }

  /// - Parameter m: 0 ... 2²⁴, as is the result.
  func value(_ m: UInt32) -> UInt32 { min(max(m * gain, bias) - bias, GaussianWeights.one) }
}

/// What a blurred mask becomes matte samples by: one side of the blur or both, then a curve.
package struct MatteBend: Sendable {
  package let curve: MatteCurve
  package let feather: Feather
  private let processor: Processor

  /// - Parameter power: 0.05 to 20.
  package init(power: Double, feather: Feather = .both, processor: Processor = .best) {
    curve = MatteCurve(power: power)
    self.feather = feather
    self.processor = processor
  }

  var kernelBend: RTKBend {
    RTKBend(curve: curve.cells.address, curveBits: Int32(curve.bits), gain: feather.gain, bias: feather.bias)
  }

  /// - Parameters:
  ///   - matte: of the same size; its blocks must be true.
  ///   - rows: of both.
  package func apply(_ blurred: BlurredMask, to matte: MatteSamples, rows: Range<Int>) {
    var bend = kernelBend
    withExtendedLifetime((self, blurred)) {
      rtk_bend(
        processor.choice, &bend, blurred.samples, blurred.blocks, matte.samples, matte.blocks,
        Int32(blurred.width), Int32(rows.lowerBound), Int32(rows.count))
    }
  }

  /// - Parameter value: 0 ... 2²⁴.
  func value(_ value: UInt32) -> Int16 { curve.value(feather.value(value)) }
}
