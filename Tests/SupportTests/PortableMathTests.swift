import Foundation
import Support
import Testing

@Suite struct PortableMathTests {
  /// Of the larger of one and the result.
  private static let tolerance = 1e-12
  private static let seed: UInt64 = 20_260_101

  private static func distance(_ value: Double, _ exact: Double) -> Double {
    abs(value - exact) / max(1, abs(exact))
  }

  @Test
  func `powers from 0 to 1 agree with the C library to 1e-12 of themselves`() {
    var generator = SeededGenerator(seed: Self.seed)
    var worst = 0.0
    for _ in 0..<20_000 {
      let x = generator.nextUnit()
      let y = 0.05 + 19.95 * generator.nextUnit()
      let exact = Foundation.pow(x, y)
      guard exact > 1e-290 else { continue }
      worst = max(worst, abs(PortableMath.pow(x, y) / exact - 1))
    }
    #expect(worst <= Self.tolerance)
  }

  @Test
  func `any number to the power of 0 is 1, and 0 to any other is 0`() {
    #expect(PortableMath.pow(0, 0) == 1)
    #expect(PortableMath.pow(7, 0) == 1)
    #expect(PortableMath.pow(0, 0.5) == 0)
    #expect(PortableMath.pow(1, 0.3) == 1)
    #expect(PortableMath.pow(2, 10) == 1024)
  }

  @Test
  func `exponentials agree with the C library to 1e-12 of themselves`() {
    var generator = SeededGenerator(seed: Self.seed + 1)
    var worst = 0.0
    for _ in 0..<20_000 {
      let x = (generator.nextUnit() - 0.5) * 1200
      worst = max(worst, abs(PortableMath.exp(x) / Foundation.exp(x) - 1))
      worst = max(worst, abs(PortableMath.exp2(x) / Foundation.exp2(x) - 1))
    }
    #expect(worst <= Self.tolerance)
  }

  @Test
  func `whole powers of two are exact`() {
    for k in -1000...1000 {
      let exact = Double(sign: .plus, exponent: k, significand: 1)
      #expect(PortableMath.exp2(Double(k)) == exact)
      #expect(PortableMath.log2(exact) == Double(k))
    }
  }

  @Test
  func `logarithms agree with the C library to 1e-12 of themselves, close to 1 too`() {
    var generator = SeededGenerator(seed: Self.seed + 2)
    var worst = 0.0
    for i in 0..<20_000 {
      let x =
        i % 2 == 0
        ? Foundation.exp2((generator.nextUnit() - 0.5) * 2000) : 1 + (generator.nextUnit() - 0.5) * 1e-3
      worst = max(worst, abs(PortableMath.log2(x) - Foundation.log2(x)) / abs(Foundation.log2(x)))
    }
    #expect(worst <= Self.tolerance)
  }

  @Test(arguments: [1.0, 10, 1000])
  func `sine and cosine agree with the C library to 1e-12`(range: Double) {
    var generator = SeededGenerator(seed: Self.seed + 3)
    var worst = 0.0
    for _ in 0..<20_000 {
      let x = (2 * generator.nextUnit() - 1) * range
      worst = max(worst, Self.distance(PortableMath.sin(x), Foundation.sin(x)))
      worst = max(worst, Self.distance(PortableMath.cos(x), Foundation.cos(x)))
    }
    #expect(worst <= Self.tolerance)
  }

  @Test
  func `angles agree with the C library to 1e-12 in all quadrants`() {
    var generator = SeededGenerator(seed: Self.seed + 5)
    var worst = 0.0
    for i in 0..<20_000 {
      let steepness = i % 3 == 0 ? 1e-6 : 1
      let y = (2 * generator.nextUnit() - 1) * steepness
      let x = 2 * generator.nextUnit() - 1
      worst = max(worst, Self.distance(PortableMath.atan2(y, x), Foundation.atan2(y, x)))
      worst = max(worst, Self.distance(PortableMath.atan2(x, y), Foundation.atan2(x, y)))
    }
    #expect(worst <= Self.tolerance)
    for (y, x) in [(0.0, 1.0), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1), (0, 0)] {
      #expect(Self.distance(PortableMath.atan2(y, x), Foundation.atan2(y, x)) <= 1e-15)
    }
  }

  @Test
  func `SplitMix64 gives its published sequence`() {
    // From the reference implementation's output for the seed 1234567.
    var generator = SeededGenerator(seed: 1_234_567)
    let published: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    for number in published { #expect(generator.next() == number) }
  }
}
