import Support

/// v → v^power for v in 0 ... 1, from 24-bit fixed point to matte samples.
///
/// The table has 2^`bits` cells per octave of v, so faint values, where a power below one is
/// steepest, are as accurate as bright ones. Linear interpolation in a cell is within 1/64 of a
/// finished matte's step.
package struct MatteCurve: Sendable {
  package let bits: Int
  /// Per cell, twice the sample at its start, and the difference to the next. Fits the L1 cache.
  package let cells: KernelTable<Int16>

  private static let known = Memo<Double, MatteCurve>(limit: 32)

  /// Computed once: the settings of a sweep have the same few powers.
  static func shared(power: Double) -> MatteCurve { known.value(power) { MatteCurve(power: power) } }

  /// - Parameter power: 0.05 to 20.
  package init(power: Double) {
    precondition((0.05...20).contains(power))
    // The curvature relative to the value is power · (power − 1).
    let bits = power <= 1 ? 6 : power <= 2 ? 7 : power <= 4 ? 8 : power <= 8 ? 9 : 10
    let octaveLength = 1 << bits
    // (m · 2^e)^p = m^p · 2^(e·p)
    let powers = (0..<octaveLength).map { PortableMath.pow(1 + Double($0) / Double(octaveLength), power) }
    let one = 2 * Double(MatteSamples.one)
    var starts: [Int16] = []
    for octave in 0..<24 {
      let scale = PortableMath.pow(Double(1 << octave) / Double(1 << 24), power) * one
      starts += powers.map { Int16(($0 * scale).rounded(.toNearestOrEven)) }
    }
    starts.append(Int16(one))
    self.bits = bits
    cells = KernelTable(
      starts.indices.flatMap { [starts[$0], $0 + 1 < starts.count ? starts[$0 + 1] - starts[$0] : 0] })
  }
}
