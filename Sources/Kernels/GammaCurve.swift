import PortableMath

/// v → v^power for v in 0 ... 1, from 24-bit to 16-bit fixed point.
///
/// A table of straight lines: each octave of v has 256 of them, so the line is within 2·10⁻⁶ of the curve relative to its
/// value for powers up to 1.6 (13/65535 at most at 20), and faint values, where a power below one is steepest, are as exact as bright ones.
package struct GammaCurve: Sendable {
  static let octaves = 24
  private static let segmentBits = 8
  /// For each octave and segment: the value at its start, in 1/65535 with 12 more bits. One more at the end.
  private let starts: [UInt32]

  /// - Parameter power: 0.05 to 20.
  package init(power: Double) {
    precondition((0.05...20).contains(power))
    let segments = 1 << Self.segmentBits
    var starts = [UInt32](repeating: 0, count: Self.octaves * segments + 1)
    for octave in 0..<Self.octaves {
      for segment in 0..<segments {
        // Octave e holds the numbers from 2^e up to 2^(e+1), in 1/2²⁴.
        let v = (1 + Double(segment) / Double(segments)) * Double(1 << octave) / Double(1 << 24)
        let value = PortableMath.pow(min(v, 1), power) * 65_535 * 4096
        starts[octave * segments + segment] = UInt32(value.rounded(.toNearestOrEven))
      }
    }
    starts[Self.octaves * segments] = 65_535 * 4096
    self.starts = starts
  }

  /// - Parameters:
  ///   - source: 0 ... 2²⁴.
  ///   - target: 0 ... 65535.
  package func apply(
    _ source: UnsafePointer<UInt32>, to target: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    starts.withUnsafeBufferPointer { starts in
      for i in 0..<count { target[i] = Self.value(source[i], starts) }
    }
  }

  package func value(_ v: UInt32) -> UInt16 { starts.withUnsafeBufferPointer { Self.value(v, $0) } }

  @inline(__always)
  private static func value(_ v: UInt32, _ starts: UnsafeBufferPointer<UInt32>) -> UInt16 {
    // The flat parts of a matte, which are most of it.
    if v == 0 { return 0 }
    if v >= 1 << 24 { return 65_535 }
    let octave = 31 - v.leadingZeroBitCount
    // The mantissa after its leading one, as 24 bits: a segment's number and the place within it.
    let mantissa = (v << UInt32(24 - octave)) & 0xFF_FFFF
    let index = octave << segmentBits | Int(mantissa >> 16)
    let start = starts[index]
    let step = UInt64(starts[index + 1] &- start) &* UInt64(mantissa & 0xFFFF)
    return UInt16(truncatingIfNeeded: (UInt64(start) &+ step >> 16 &+ 2048) >> 12)
  }
}
