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
/// In fixed point: along x, (Σ weight · mask + 127) / 255 with 24 fractional bits; along y, (Σ weight · that + 2²³) >> 24;
/// then feather and curve. Where a neighbourhood is all 0 or all 255 the result is exactly 0 or one.
package struct MaskSoftening: Sendable {
  package let weights: GaussianWeights
  package let curve: MatteCurve
  package let feather: Feather
  package let width: Int
  package let height: Int
  private let processor: Processor
  private let half: KernelTable<UInt32>
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
    half = KernelTable(weights.half)
    steps = KernelTable(weights.steps)
    var blur = Self.blur(weights, curve, feather, width: width, height: height, half: half, steps: steps)
    scratch = KernelScratch(byteCount: rtk_blur_scratch(&blur), threadCount: threadCount)
  }

  private static func blur(
    _ weights: GaussianWeights, _ curve: MatteCurve, _ feather: Feather, width: Int, height: Int,
    half: KernelTable<UInt32>, steps: KernelTable<UInt32>
  ) -> RTKBlur {
    RTKBlur(
      width: Int32(width), height: Int32(height), radius: Int32(weights.radius), half: half.address,
      steps: steps.address, curve: curve.cells.address, curveBits: Int32(curve.bits), gain: feather.gain,
      bias: feather.bias)
  }

  /// - Parameters:
  ///   - mask: `width` · `height`, complete.
  ///   - rows: of the result.
  ///   - thread: which of `threadCount`; no two at once have the same.
  package func apply(_ mask: UnsafePointer<UInt8>, to matte: MatteSamples, rows: Range<Int>, thread: Int) {
    var blur = Self.blur(weights, curve, feather, width: width, height: height, half: half, steps: steps)
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
    func sum(_ position: Int, _ length: Int, _ sample: (Int) -> UInt64) -> UInt64 {
      (-weights.radius...weights.radius).reduce(0) { sum, k in
        sum + sample(min(max(position + k, 0), length - 1)) * UInt64(weights.half[abs(k)])
      }
    }
    var along = [UInt64](repeating: 0, count: mask.count)
    for i in along.indices {
      along[i] = (sum(i % width, width) { UInt64(mask[i / width * width + $0]) } + 127) / 255
    }
    return mask.indices.map { i in
      UInt32((sum(i / width, height) { along[$0 * width + i % width] } + 1 << 23) >> 24)
    }
  }
}
