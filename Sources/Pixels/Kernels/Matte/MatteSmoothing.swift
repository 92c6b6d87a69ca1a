import CKernels
import Support

/// Smooths a matte over time: new + (old − new) · w, everywhere or only where the new matte is
/// uncertain.
///
/// The old matte is kept in quarters of a sample. The second term, with 16 fractional bits of
/// weight, is rounded towards the new matte, so a still matte is reached exactly and is flat again.
package final class MatteSmoothing {
  package enum Rule: String, CaseIterable, Sendable {
    /// w everywhere: an exponential moving average.
    case average
    /// w · u(p), where the new matte is p; see `uncertainty`.
    case uncertainty
  }

  package let rule: Rule
  package let output: MatteSamples
  private let old: PixelPlane<UInt16>
  /// In 1/65536. With `uncertainty` it depends on the new sample: `weights` is indexed by it.
  package let weight: UInt32
  package let weights: KernelTable<UInt16>
  private let processor: Processor
  private var hasOld = false

  /// - Parameter weight: of the old matte, 0 to 0.99.
  package init(_ rule: Rule, weight: Double, width: Int, height: Int, processor: Processor = .best) {
    precondition((0...0.99).contains(weight))
    self.rule = rule
    self.processor = processor
    self.weight = UInt32((weight * 65_536).rounded(.toNearestOrEven))
    let one = Int(MatteSamples.one)
    weights = KernelTable(
      rule == .average
        ? []
        : (0...one).map { sample in
          let share = weight * Self.uncertainty(Double(sample) / Double(one))
          return UInt16((share * 65_536).rounded(.toNearestOrEven))
        })
    output = MatteSamples(width: width, height: height)
    old = PixelPlane(width: output.stride, height: height)
  }

  /// u(p) = H(p)², where H is the binary entropy in bits: 1 at ½, 0 at 0 and 1, 0.66 at ¼.
  /// MediaPipe combines a mask with the previous one by the same function.
  package static func uncertainty(_ p: Double) -> Double {
    guard p > 0, p < 1 else { return 0 }
    let bits = -p * PortableMath.log2(p) - (1 - p) * PortableMath.log2(1 - p)
    return min(1, bits * bits)
  }

  /// The next matte is taken as it is.
  package func restart() { hasOld = false }

  /// Continues another instance's state, if it has one of the same size.
  package func carryOn(from other: MatteSmoothing) {
    guard other.output.width == output.width, other.output.height == output.height, other.hasOld else { return }
    old.samples.update(from: other.old.samples, count: old.count)
    hasOld = true
  }

  /// Continues from an unsmoothed matte, if it has the same size.
  package func carryOn(from matte: MatteSamples) {
    guard matte.width == output.width, matte.height == output.height else { return }
    for i in 0..<old.count { old.samples[i] = UInt16(matte.samples[i]) * 4 }
    hasOld = true
  }

  /// - Parameter matte: of the same size; the first is taken as it is.
  package func apply(_ matte: MatteSamples, bands: BandRunner) {
    let blocksInRow = matte.stride / MatteSamples.blockWidth
    let weight = hasOld ? weight : 0
    let isUncertain = rule == .uncertainty && hasOld
    bands.run(rowCount: matte.height) { rows in
      let (start, count) = (rows.lowerBound * blocksInRow, rows.count * blocksInRow)
      let (samples, result) = (matte.row(rows.lowerBound), output.row(rows.lowerBound))
      if isUncertain {
        rtk_smooth_unsure_samples(
          processor.choice, samples, matte.blocks + start, weights.address, old.row(rows.lowerBound), result,
          output.blocks + start, count)
      } else {
        rtk_smooth_samples(
          processor.choice, samples, weight, old.row(rows.lowerBound), result, output.blocks + start, count)
      }
    }
    hasOld = true
  }
}
