import CKernels

/// A soft mask by disparity, 1/m, around a focus (seed system C.14 and C.15).
///
/// - High-pass: m = clamp(s · (d − f + w/2), 0, 1) with w = 2/s + 0.1. It reaches 1 at d = f − 0.05
///   for every slope s.
/// - Band-pass: the lesser of that and clamp(−s · (d − f − w/2), 0, 1), which is 1 within f ± 0.05.
///
/// Disparity is clamped to 0 ... 1. A table maps millimetres, or disparity in steps of 1/65535, to
/// matte samples.
package struct DisparityPass: Sendable {
  package enum Shape: Sendable {
    case high, band
  }
  package enum Key: Sendable {
    /// 0 = hole, which is a disparity of 1.
    case millimeters
    /// 0 ... 65535 for 0 to 1 per metre.
    case disparity
  }

  package let table: KernelTable<UInt16>
  package let hole: Int32
  private let processor: Processor

  /// `focus` is in 1/m, `slope` in metres. `hole` is the sample for pixels without depth; nil: as
  /// for a disparity of 1.
  package init(
    _ shape: Shape, focus: Double, slope: Double, key: Key, hole: Int16? = nil, processor: Processor = .best
  ) {
    precondition(slope > 0)
    let one = Double(MatteSamples.one)
    // One extra entry, since the kernel reads four bytes at a time.
    var samples = (0..<65_536).map { entry -> UInt16 in
      let value = Self.value(shape, disparity: Self.disparity(entry, by: key), focus: focus, slope: slope)
      return UInt16((value * one).rounded(.toNearestOrEven))
    }
    samples.append(0)
    table = KernelTable(samples)
    self.hole = hole.map(Int32.init) ?? -1
    self.processor = processor
  }

  private static func disparity(_ value: Int, by key: Key) -> Double {
    switch key {
    case .millimeters: value == 0 ? 1 : 1000 / Double(value)
    case .disparity: Double(value) / 65_535
    }
  }

  /// The formula, 0 ... 1. Only IEEE 754's four operations: bit-identical on every machine.
  package static func value(_ shape: Shape, disparity: Double, focus: Double, slope: Double) -> Double {
    let d = min(max(disparity, 0), 1)
    let halfWidth = (2 / slope + 0.1) / 2
    let high = min(max(slope * (d - focus + halfWidth), 0), 1)
    guard shape == .band else { return high }
    return min(high, min(max(-slope * (d - focus - halfWidth), 0), 1))
  }

  /// `depth`, in millimetres, marks holes and may be the same plane as `keys`. `mask` gets `soft`
  /// rounded to 8 bits.
  package func apply(
    _ keys: PixelPlane<UInt16>, depth: PixelPlane<UInt16>, to soft: MatteSamples, mask: PixelPlane<UInt8>,
    rows: Range<Int>
  ) {
    var lookUp = RTKLookUp(width: Int32(soft.width), table: table.address, hole: hole)
    withExtendedLifetime(self) {
      rtk_look_up(
        processor.choice, &lookUp, keys.samples, depth.samples, soft.samples, soft.blocks, mask.samples,
        Int32(rows.lowerBound), Int32(rows.count))
    }
  }
}
