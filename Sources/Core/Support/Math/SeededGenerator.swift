/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers from the same seed on every machine.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// Uniform in 0 ..< 1, in steps of 2⁻⁵³.
  package mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Uniform in 0 ..< bound, by multiplication (Lemire); the bias is below bound / 2⁶⁴.
  package mutating func next(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// SplitMix64's finaliser, a hash of one word. `hash(seed, frame, x, y)` gives noise by position.
  @inlinable
  package static func mix(_ word: UInt64) -> UInt64 {
    var z = word
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  @inlinable
  package static func hash(_ a: UInt64, _ b: UInt64, _ c: UInt64 = 0, _ d: UInt64 = 0) -> UInt64 {
    let golden: UInt64 = 0x9E37_79B9_7F4A_7C15
    return mix(mix(mix(mix(a &+ golden) &+ b &+ golden) &+ c &+ golden) &+ d &+ golden)
  }
}
