import Kernels

extension MatteCurve {
  /// Maps 0 ... 2²⁴ to 0 ... `MatteSamples.one`.
  func value(_ v: UInt32) -> Int16 {
    guard v > 0 else { return 0 }
    let octave = 31 - v.leadingZeroBitCount
    // The 24 bits after the leading one; the cell's number; the position in it with 14 bits.
    let mantissa = (v << UInt32(24 - octave)) & 0xFF_FFFF
    let cell = octave << bits + Int(mantissa >> UInt32(24 - bits))
    let place = Int(mantissa << UInt32(bits) & 0xFF_FFFF) >> 10
    return Int16((Int(cells.elements[2 * cell]) << 14 + Int(cells.elements[2 * cell + 1]) * place + 1 << 14) >> 15)
  }
}

extension MatteBend {
  /// - Parameter value: 0 ... 2²⁴.
  func value(_ value: UInt32) -> Int16 { curve.value(feather.value(value)) }
}

extension Feather {
  /// `m` and the result are 0 ... 2²⁴.
  func value(_ m: UInt32) -> UInt32 { min(max(m * gain, bias) - bias, GaussianWeights.one) }
}
