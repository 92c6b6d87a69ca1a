import PortableMath

/// v → v^power for v in 0 ... 1, from 24-bit fixed point to matte samples.
///
/// A table of cells: each octave of v has 2^`bits` of them, so that faint values, where a power below one is steepest,
/// are as exact as bright ones. A cell holds the curve at its middle, which is within 3/64 of a finished matte's step
/// of the curve anywhere in it, and within 1.5/64 for powers up to 1.
package struct MatteCurve: Sendable {
  private static let one = Double(MatteSamples.one)
  let bits: Int
  let cells: KernelTable<UInt16>

  /// - Parameter power: 0.05 to 20.
  package init(power: Double) {
    precondition((0.05...20).contains(power))
    // Relative to its value, the curve changes `power` times as much as v does.
    let bits = power <= 2 ? 12 : power <= 4 ? 13 : power <= 8 ? 14 : 15
    let octaveLength = 1 << bits
    // (m · 2^e)^p = m^p · 2^(e·p). A small octave's cells are single numbers, a large one's are taken at their middle.
    let starts = (0..<octaveLength).map { PortableMath.pow(1 + Double($0) / Double(octaveLength), power) }
    let middles = (0..<octaveLength).map { PortableMath.pow(1 + (Double($0) + 0.5) / Double(octaveLength), power) }
    // Two more than are looked up: the kernel reads four bytes at a time.
    var cells = [UInt16](repeating: 0, count: 24 << bits + 3)
    cells[24 << bits] = UInt16(MatteSamples.one)
    for octave in 0..<24 {
      let scale = PortableMath.pow(Double(1 << octave) / Double(1 << 24), power) * Self.one
      for (cell, value) in (octave > bits ? middles : starts).enumerated() {
        cells[octave << bits + cell] = UInt16((value * scale).rounded(.toNearestOrEven))
      }
    }
    self.bits = bits
    self.cells = KernelTable(cells)
  }

  /// - Parameter v: 0 ... 2²⁴.
  /// - Returns: 0 ... `MatteSamples.one`.
  package func value(_ v: UInt32) -> Int16 {
    guard v > 0 else { return 0 }
    let octave = 31 - v.leadingZeroBitCount
    let place = octave <= bits ? v << UInt32(bits - octave) : v >> UInt32(octave - bits)
    return Int16(cells.elements[octave << bits + Int(place) - 1 << bits])
  }
}
