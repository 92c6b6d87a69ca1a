import Kernels
import Support
import Testing

@Suite struct DisparityPassTests {
  struct Focus: Sendable, CustomStringConvertible {
    var shape: DisparityPass.Shape
    var focus: Double
    var slope: Double
    var description: String { "\(shape) focus \(focus) slope \(slope)" }
  }

  static let focuses = [
    Focus(shape: .high, focus: 0.75, slope: 4), Focus(shape: .high, focus: 0.75, slope: 10),
    Focus(shape: .band, focus: 0.75, slope: 4), Focus(shape: .high, focus: 0, slope: 1),
    Focus(shape: .high, focus: 1.5, slope: 100), Focus(shape: .band, focus: 0.3, slope: 37.5),
  ]

  @Test
  func `the formula has its corners where the seed system says (C.14, C.15)`() {
    for (slope, end) in [(4.0, 0.30), (10, 0.15)] {
      for focus in [0.4, 0.75] {
        func value(_ d: Double) -> Double {
          DisparityPass.value(.high, disparity: d, focus: focus, slope: slope)
        }
        #expect(abs(value(focus - 0.05) - 1) < 1e-12 && value(focus - 0.06) < 1)
        #expect(value(focus - end) < 1e-12 && value(focus - end + 0.01) > 0)
      }
    }
    func band(_ d: Double) -> Double { DisparityPass.value(.band, disparity: d, focus: 0.5, slope: 4) }
    #expect([0.45, 0.5, 0.55].allSatisfy { abs(band($0) - 1) < 1e-12 })
    #expect(band(0.44) < 1 && band(0.56) < 1)
    #expect(band(0.2) < 1e-12 && band(0.8) < 1e-12 && band(0.21) > 0 && band(0.79) > 0)
  }

  @Test(arguments: focuses)
  func `samples are the formula to the nearest 1/16320, for every key`(focus: Focus) {
    for key in [DisparityPass.Key.millimeters, .disparity] {
      let pass = DisparityPass(focus.shape, focus: focus.focus, slope: focus.slope, key: key)
      var worst = 0.0
      for entry in 0..<65_536 {
        let d = key == .disparity ? Double(entry) / 65_535 : entry == 0 ? 1 : min(1, 1000 / Double(entry))
        let half = 1 / focus.slope + 0.05
        let high = min(max(focus.slope * (d - focus.focus + half), 0), 1)
        let low = min(max(-focus.slope * (d - focus.focus - half), 0), 1)
        let exact = 16_320 * (focus.shape == .band ? min(high, low) : high)
        worst = max(worst, abs(Double(pass.reference(key: UInt16(entry), depth: 1)) - exact))
      }
      #expect(worst <= 0.5 + 1e-9)
    }
  }

  @Test(arguments: ImageSize.odd, focuses)
  func `the kernel gives the reference's bits, with blocks that tell the truth`(size: ImageSize, focus: Focus) {
    var generator = SeededGenerator(seed: 5)
    for (content, hole) in [(0, nil), (1, 0), (2, 16_320), (3, nil), (0, 77)] as [(Int, Int16?)] {
      let (keys, depth) = (
        PixelPlane<UInt16>(width: size.width, height: size.height),
        PixelPlane<UInt16>(width: size.width, height: size.height)
      )
      for i in 0..<size.count {
        switch content {
        case 0: keys.samples[i] = UInt16(generator.next(below: 65_536))
        case 1: keys.samples[i] = generator.next(below: 2) == 0 ? 0 : 65_535
        case 2: keys.samples[i] = UInt16(900 + i % size.width)
        default: keys.samples[i] = 65_535
        }
        depth.samples[i] = generator.next(below: 3) == 0 ? 0 : keys.samples[i]
      }
      for processor in Processor.available {
        let pass = DisparityPass(
          focus.shape, focus: focus.focus, slope: focus.slope, key: .millimeters, hole: hole, processor: processor)
        let expected = (0..<size.count).map { pass.reference(key: keys.samples[$0], depth: depth.samples[$0]) }
        let soft = MatteSamples(width: size.width, height: size.height)
        let mask = PixelPlane<UInt8>(width: size.width, height: size.height)
        for rows in randomBands(of: size.height, parts: 3, &generator) {
          pass.apply(keys, depth: depth, to: soft, mask: mask, rows: rows)
        }
        #expect(soft.packed == expected)
        #expect((0..<size.count).allSatisfy { mask.samples[$0] == UInt8((Int(expected[$0]) + 32) >> 6) })
        expectBlocksTellTheTruth(soft)
      }
    }
  }
}
