import Support

/// v → v^power for v in 0 ... 1, from 24-bit fixed point to matte samples.
///
/// The table has 2^`bits` cells per octave of v, so faint values, where a power below one is
/// steepest, are as accurate as bright ones. Linear interpolation in a cell is within 1/64 of a
/// finished matte's step.
package struct MatteCurve: Sendable {
  let bits: Int
  /// Per cell, twice the sample at its start, and the difference to the next. Fits the L1 cache.
  let cells: KernelTable<Int16>

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

  /// Maps 0 ... 2²⁴ to 0 ... `MatteSamples.one`.
  package func value(_ v: UInt32) -> Int16 {
    guard v > 0 else { return 0 }
    let octave = 31 - v.leadingZeroBitCount
    // The 24 bits after the leading one; the cell's number; the position in it with 14 bits.
    let mantissa = (v << UInt32(24 - octave)) & 0xFF_FFFF
    let cell = octave << bits + Int(mantissa >> UInt32(24 - bits))
    let place = Int(mantissa << UInt32(bits) & 0xFF_FFFF) >> 10
    return Int16((Int(cells.elements[2 * cell]) << 14 + Int(cells.elements[2 * cell + 1]) * place + 1 << 14) >> 15)
  }
}
