// The standard library has no interleaving of SIMD lanes. Each of these compiles to one instruction
// (punpcklbw and similar on x86-64, zip1 and zip2 on ARM).
extension SIMD16<UInt8> {
  /// Interleaves the low halves of both vectors.
  @inline(__always)
  static func zipLow(_ a: Self, _ b: Self) -> Self {
    Self(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3], a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
  }

  @inline(__always)
  static func zipHigh(_ a: Self, _ b: Self) -> Self {
    Self(
      a[8], b[8], a[9], b[9], a[10], b[10], a[11], b[11], a[12], b[12], a[13], b[13], a[14], b[14], a[15],
      b[15])
  }

  @inline(__always)
  static func zipLowHigh(_ a: Self, _ b: Self) -> Self {
    Self(
      a[0], b[8], a[1], b[9], a[2], b[10], a[3], b[11], a[4], b[12], a[5], b[13], a[6], b[14], a[7], b[15])
  }

  @inline(__always)
  static func zipHighLow(_ a: Self, _ b: Self) -> Self {
    Self(
      a[8], b[0], a[9], b[1], a[10], b[2], a[11], b[3], a[12], b[4], a[13], b[5], a[14], b[6], a[15], b[7])
  }

  /// The even lanes of `a`, then those of `b`.
  @inline(__always)
  static func evens(_ a: Self, _ b: Self) -> Self {
    Self(
      a[0], a[2], a[4], a[6], a[8], a[10], a[12], a[14], b[0], b[2], b[4], b[6], b[8], b[10], b[12], b[14])
  }

  @inline(__always)
  static func odds(_ a: Self, _ b: Self) -> Self {
    Self(
      a[1], a[3], a[5], a[7], a[9], a[11], a[13], a[15], b[1], b[3], b[5], b[7], b[9], b[11], b[13], b[15])
  }

  // One instruction each; `pointwiseMin` and `pointwiseMax` of the standard library stay calls. A
  // generic version would compare in loops over the lanes.
  @inline(__always)
  func lesser(_ other: Self) -> Self { replacing(with: other, where: other .< self) }

  @inline(__always)
  func greater(_ other: Self) -> Self { replacing(with: other, where: other .> self) }
}

extension SIMD8<Int16> {
  @inline(__always)
  func lesser(_ other: Self) -> Self { replacing(with: other, where: other .< self) }

  @inline(__always)
  func greater(_ other: Self) -> Self { replacing(with: other, where: other .> self) }
}
