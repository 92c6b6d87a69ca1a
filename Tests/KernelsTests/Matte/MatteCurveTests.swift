import Foundation
import Kernels
import Support
import Testing

@Suite struct MatteCurveTests {
  private static let seed: UInt64 = 99
  private static let one = Double(MatteSamples.one)

  /// Every octave's start, its end, the places where cells meet, and places between.
  private static func samples() -> [UInt32] {
    var generator = SeededGenerator(seed: seed)
    var samples: [UInt32] = [0, 1, 2, 3]
    for octave in 0..<24 {
      let start = 1 << octave
      samples += [UInt32(start), UInt32(2 * start - 1)]
      for segment in 0..<256 where octave >= 8 {
        samples.append(UInt32(start + segment << (octave - 8)))
        if start + segment << (octave - 8) > 1 { samples.append(UInt32(start + segment << (octave - 8) - 1)) }
      }
      for _ in 0..<500 { samples.append(UInt32(start + generator.next(below: start))) }
    }
    return samples + [1 << 24]
  }

  @Test(arguments: [0.05, 0.25, 0.4, 0.5, 0.75, 1, 1.01, 1.5, 2, 2.2, 4, 5, 8, 9, 16, 20])
  func `the curve is within 1/64 of a finished matte's step of the power in all octaves`(power: Double) {
    let curve = MatteCurve(power: power)
    var worst = 0.0
    for v in Self.samples() {
      worst = max(worst, abs(Double(curve.value(v)) - Foundation.pow(Double(v) / 0x1p24, power) * Self.one))
    }
    print("Gamma \(power): at most \(worst) / 64 of a step from Foundation's pow")
    #expect(worst <= 1)
  }

  @Test
  func `no larger value gives a smaller one: all 2²⁴ + 1 of them at power 0.5`() {
    let curve = MatteCurve(power: 0.5)
    var last: Int16 = 0
    var falls = 0
    var worst = 0.0
    for v in 0...UInt32(1 << 24) {
      let value = curve.value(v)
      if value < last { falls += 1 }
      last = value
      worst = max(worst, abs(Double(value) - (Double(v) / 0x1p24).squareRoot() * Self.one))
    }
    #expect(falls == 0)
    #expect(worst <= 1)
    #expect(last == MatteSamples.one)
  }

  @Test(arguments: [0.05, 0.3, 1, 2.2, 20])
  func `no larger value gives a smaller one at other powers`(power: Double) {
    let curve = MatteCurve(power: power)
    let values = Self.samples().sorted().map { curve.value($0) }
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test(arguments: [0.05, 0.5, 1, 20])
  func `black stays black and white stays white`(power: Double) {
    let curve = MatteCurve(power: power)
    #expect(curve.value(0) == 0)
    #expect(curve.value(1 << 24) == MatteSamples.one)
  }
}
