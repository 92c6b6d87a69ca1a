import Foundation
import Kernels
import PortableMath
import Testing

@Suite struct GammaCurveTests {
  private static let seed: UInt64 = 99

  /// Every octave's start, its end, the places where its lines meet, and places between.
  private static func samples() -> [UInt32] {
    var generator = SeededGenerator(seed: seed)
    var samples: [UInt32] = [0, 1, 2, 3]
    for octave in 0..<24 {
      let start = 1 << octave
      samples += [UInt32(start), UInt32(2 * start - 1)]
      for segment in 0..<256 where octave >= 8 {
        samples.append(UInt32(start + segment << (octave - 8)))
        // The middle of a line is where it is farthest from the curve.
        samples.append(UInt32(start + segment << (octave - 8) + 1 << max(0, octave - 9)))
      }
      for _ in 0..<500 { samples.append(UInt32(start + generator.next(below: start))) }
    }
    return samples + [1 << 24]
  }

  @Test(
    "the curve is within half a step of the power in all octaves",
    arguments: [0.05, 0.25, 0.5, 0.75, 1, 1.5, 1.8, 2.2])
  func accuracy(power: Double) {
    let curve = GammaCurve(power: power)
    var worst = 0.0
    for v in Self.samples() {
      let exact = Foundation.pow(Double(v) / 0x1p24, power) * 65_535
      worst = max(worst, abs(Double(curve.value(v)) - exact))
    }
    print("Gamma \(power): at most \(worst) / 65535 from Foundation's pow")
    #expect(worst <= 0.5 + 0.2)
  }

  @Test("powers too steep for the lines stay within 1/4 of an 8-bit step", arguments: [5.0, 20])
  func steepPowers(power: Double) {
    let curve = GammaCurve(power: power)
    var worst = 0.0
    for v in Self.samples() {
      let exact = Foundation.pow(Double(v) / 0x1p24, power) * 65_535
      worst = max(worst, abs(Double(curve.value(v)) - exact))
    }
    print("Gamma \(power): at most \(worst) / 65535 from Foundation's pow")
    #expect(worst <= 257 / 4)
  }

  @Test("no larger value gives a smaller one: all 2²⁴ + 1 of them at power 0.5")
  func monotoneExhaustively() {
    let curve = GammaCurve(power: 0.5)
    let block = 1 << 16
    var last: UInt16 = 0
    var falls = 0
    var worst = 0.0
    var output = [UInt16](repeating: 0, count: block)
    for start in stride(from: 0, to: 1 << 24, by: block) {
      let input = (start..<start + block).map { UInt32($0) }
      curve.apply(input, to: &output, count: block)
      for (i, value) in output.enumerated() {
        if value < last { falls += 1 }
        last = value
        worst = max(worst, abs(Double(value) - (Double(start + i) / 0x1p24).squareRoot() * 65_535))
      }
    }
    #expect(falls == 0)
    #expect(worst <= 0.5 + 0.04)
    #expect(curve.value(1 << 24) == 65_535 && last <= 65_535)
  }

  @Test("no larger value gives a smaller one at other powers", arguments: [0.05, 0.3, 1, 2.2, 20])
  func monotone(power: Double) {
    let curve = GammaCurve(power: power)
    let values = Self.samples().sorted().map { curve.value($0) }
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test("black stays black and white stays white", arguments: [0.05, 0.5, 1, 20])
  func ends(power: Double) {
    let curve = GammaCurve(power: power)
    #expect(curve.value(0) == 0)
    #expect(curve.value(1 << 24) == 65_535)
  }

  @Test("a line of samples gives what each gives alone")
  func lines() {
    let curve = GammaCurve(power: 0.7)
    let samples = Self.samples()
    var output = GuardedOutput<UInt16>(count: samples.count, poison: 0xABCD)
    output.write { curve.apply(samples, to: $0, count: samples.count) }
    #expect(output.samples == samples.map { curve.value($0) })
    #expect(output.guardsHold(0xABCD))
  }
}
