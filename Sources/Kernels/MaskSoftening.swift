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

/// An 8-bit mask to matte samples: a separable Gaussian blur with edges replicated, one side of it or both, then a curve.
///
/// In fixed point: along x, (Σ weight · mask + 127) / 255 with 24 fractional bits; along y, that in two parts by taps in two
/// scales (`ColumnWeights`), rounded to 24 fractional bits again; then feather and curve. Where a neighbourhood is all 0 or all 255
/// the result is exactly 0 or one.
package struct MaskSoftening: Sendable {
  package let weights: GaussianWeights
  package let curve: MatteCurve
  package let feather: Feather
  package let width: Int
  package let height: Int
  private let processor: Processor
  private let taps: KernelTable<Int16>
  private let rests: KernelTable<Int16>
  private let steps: KernelTable<UInt32>
  private let scratch: KernelScratch

  /// - Parameters:
  ///   - sigma: pixels, 0 to 64.
  ///   - power: 0.05 to 20.
  ///   - threadCount: how many bands may be softened at once.
  package init(
    sigma: Double, power: Double, feather: Feather = .both, width: Int, height: Int, threadCount: Int,
    processor: Processor = .best
  ) {
    self.feather = feather
    weights = GaussianWeights(sigma: sigma)
    curve = MatteCurve(power: power)
    self.width = width
    self.height = height
    self.processor = processor
    taps = KernelTable(weights.columns.taps)
    steps = KernelTable(weights.steps)
    rests = KernelTable(weights.columns.rests)
    var blur = Self.blur(
      weights, curve, feather, width: width, height: height, steps: steps, taps: taps, rests: rests)
    scratch = KernelScratch(byteCount: rtk_blur_scratch(&blur), threadCount: threadCount)
  }

  private static func blur(
    _ weights: GaussianWeights, _ curve: MatteCurve, _ feather: Feather, width: Int, height: Int,
    steps: KernelTable<UInt32>, taps: KernelTable<Int16>, rests: KernelTable<Int16>
  ) -> RTKBlur {
    RTKBlur(
      width: Int32(width), height: Int32(height), radius: Int32(weights.radius), steps: steps.address,
      taps: taps.address, rests: rests.address, pairCount: Int32(weights.columns.taps.count / 2),
      innerPairCount: Int32(weights.columns.innerCount / 2), innerBits: Int32(weights.columns.innerBits),
      curve: curve.cells.address, curveBits: Int32(curve.bits), gain: feather.gain, bias: feather.bias)
  }

  /// - Parameters:
  ///   - mask: `width` · `height`, complete.
  ///   - matte: its blocks must be true: what is all zero or one already, and stays so, is not written again.
  ///   - rows: of the result.
  ///   - thread: which of `threadCount`; no two at once have the same.
  package func apply(_ mask: UnsafePointer<UInt8>, to matte: MatteSamples, rows: Range<Int>, thread: Int) {
    var blur = Self.blur(
      weights, curve, feather, width: width, height: height, steps: steps, taps: taps, rests: rests)
    withExtendedLifetime(self) {
      rtk_blur_curve(
        processor.choice, &blur, mask, matte.samples, matte.blocks, Int32(rows.lowerBound), Int32(rows.count),
        scratch.piece(thread))
    }
  }
}

extension MaskSoftening {
  /// The formula, pixel by pixel, with no short cut; what the kernels are tested against.
  package func reference(_ mask: [UInt8]) -> [Int16] { blurReference(mask).map { curve.value(feather.value($0)) } }

  /// Without feather and curve: 0 ... 2²⁴.
  package func blurReference(_ mask: [UInt8]) -> [UInt32] {
    func clamped(_ position: Int, _ length: Int) -> Int { min(max(position, 0), length - 1) }
    let along = mask.indices.map { i in
      (-weights.radius...weights.radius).reduce(UInt64(127)) { sum, k in
        sum + UInt64(mask[i / width * width + clamped(i % width + k, width)]) * UInt64(weights.half[abs(k)])
      } / 255
    }
    let columns = weights.columns
    return mask.indices.map { i in
      var (high, low, rest) = (0, 0, 0)
      for (k, tap) in columns.taps.enumerated() {
        for row in [i / width - k, i / width + k] {
          let sample = Int(along[clamped(row, height) * width + i % width])
          let upper = (sample + 1 << 10) >> 11
          if k < columns.innerCount {
            high += Int(tap) * upper
            low += Int(tap) * (sample - upper << 11)
            rest += Int(columns.rests[k]) * upper
          } else {
            rest += Int(tap) * upper
          }
        }
      }
      let shift = columns.innerBits - 11
      let sum = high + low >> 11 + rest >> (24 - columns.innerBits)
      return UInt32((sum + 1 << (shift - 1)) >> shift)
    }
  }
}
