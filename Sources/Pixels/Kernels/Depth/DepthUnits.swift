import Support

/// Converts depth of any format to UInt16 millimetres, 0 = hole.
package enum DepthUnits {
  /// Kinect v1's raw 11 bits by the generic formula z = 0.1236 · tan(raw / 2842.5 + 1.1863) metres,
  /// rounded to the nearest millimetre. 0 for 2047 and for results outside 0 to 10 m. 2048 entries.
  package static let kinectMillimeters: [UInt16] = (0..<2048).map { raw in
    guard raw < 2047 else { return 0 }
    let angle = Double(raw) / 2842.5 + 1.1863
    let cosine = PortableMath.cos(angle)
    guard cosine > 0 else { return 0 }
    let millimeters = 123.6 * PortableMath.sin(angle) / cosine
    guard millimeters > 0, millimeters <= 10_000 else { return 0 }
    return UInt16(millimeters.rounded(.toNearestOrAwayFromZero))
  }

  /// Looks up the low bits of each sample: 11 in a table of 2048 entries, all in one of 65536.
  package static func convert(
    samples: UnsafePointer<UInt16>, by table: [UInt16], to millimeters: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    let bits = UInt16(table.count - 1)
    table.withUnsafeBufferPointer { table in
      for i in 0..<count { millimeters[i] = table[Int(UInt16(littleEndian: samples[i]) & bits)] }
    }
  }

  /// 1000 / disparity, rounded to nearest, 1 ... 65535; 65535 for 0 or less, 0 (hole) for NaN.
  package static func convert(
    disparity: UnsafePointer<Float>, to millimeters: UnsafeMutablePointer<UInt16>, count: Int
  ) {
    for i in 0..<count { millimeters[i] = millimeters1(disparity[i]) }
  }

  /// Disparity clamped to 0 ... 1 per metre, as 0 ... 65535, rounded to nearest; NaN is 65535
  /// (C.12).
  package static func clamp(disparity: UnsafePointer<Float>, to steps: UnsafeMutablePointer<UInt16>, count: Int) {
    for i in 0..<count { steps[i] = clamped1(disparity[i]) }
  }

  @inline(__always)
  private static func clamped1(_ disparity: Float) -> UInt16 {
    // Also true for NaN, since any comparison with it is false.
    guard disparity < 1 else { return 65_535 }
    guard disparity > 0 else { return 0 }
    // Exact: 24 bits times 16 fit a Double.
    return UInt16(Double(disparity) * 65_535 + 0.5)
  }

  @inline(__always)
  private static func millimeters1(_ disparity: Float) -> UInt16 {
    guard disparity > 0 else { return disparity.isNaN ? 0 : 65_535 }
    let distance = 1000 / Double(disparity)
    return distance >= 65_535 ? 65_535 : max(1, UInt16(distance.rounded(.toNearestOrAwayFromZero)))
  }
}
