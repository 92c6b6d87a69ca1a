import Foundation
import Kernels
import Testing

@Suite struct DepthUnitsTests {
  private static func millimeters(kinect raw: [UInt16]) -> [UInt16] {
    var output = GuardedOutput<UInt16>(count: raw.count, poison: 0x1234)
    output.write {
      DepthUnits.convert(samples: raw, by: DepthUnits.kinectMillimeters, to: $0, count: raw.count)
    }
    #expect(output.guardsHold(0x1234))
    return output.samples
  }

  private static func millimeters(disparity: [Float]) -> [UInt16] {
    var output = GuardedOutput<UInt16>(count: disparity.count, poison: 0x1234)
    output.write { DepthUnits.convert(disparity: disparity, to: $0, count: disparity.count) }
    #expect(output.guardsHold(0x1234))
    return output.samples
  }

  @Test
  func `raw Kinect values follow 0.1236 · tan(raw / 2842.5 + 1.1863) metres, to the millimetre`() {
    let result = Self.millimeters(kinect: (0..<2048).map { UInt16($0) })
    for raw in 0..<2047 {
      let exact = 123.6 * Foundation.tan(Double(raw) / 2842.5 + 1.1863)
      let expected = exact > 0 && exact <= 10_000 ? exact.rounded() : 0
      #expect(Double(result[raw]) == expected, "raw \(raw)")
    }
    #expect(result[2047] == 0)
    #expect(result == DepthUnits.kinectMillimeters)
  }

  @Test
  func `raw Kinect values have the distances that are known of them`() {
    // The formula, computed outside Swift; 1083 would be 35 m.
    let known: [(raw: UInt16, millimeters: UInt16)] = [
      (0, 305), (1, 306), (300, 432), (400, 497), (500, 584), (600, 706), (700, 888),
      (800, 1195), (900, 1818), (1000, 3779), (1050, 8183), (1083, 0),
    ]
    for (raw, expected) in known {
      #expect(Self.millimeters(kinect: [raw]) == [expected], "raw \(raw)")
    }
  }

  @Test
  func `farther is never nearer, and beyond 10 m there is nothing`() {
    let table = DepthUnits.kinectMillimeters
    let end = table.firstIndex(of: 0)!
    #expect(zip(table[..<end], table[1..<end]).allSatisfy { $0 <= $1 })
    #expect(table[end - 1] > 9000 && table[end - 1] <= 10_000)
    #expect(table[end...].allSatisfy { $0 == 0 })
  }

  @Test
  func `only the low 11 bits of a raw Kinect value count`() {
    let raw: [UInt16] = [0, 500, 700, 1000, 2047]
    #expect(Self.millimeters(kinect: raw.map { $0 | 0xF800 }) == Self.millimeters(kinect: raw))
  }

  @Test
  func `disparity is 1/m: halves and doubles are exact`() {
    #expect(Self.millimeters(disparity: [1, 0.5, 2, 4, 0.25, 0.125]) == [1000, 2000, 500, 250, 4000, 8000])
  }

  @Test
  func `disparity comes out as the nearest millimetre`() {
    let disparity = (1...4000).map { Float($0) * 0.0031 }
    for (value, millimeters) in zip(disparity, Self.millimeters(disparity: disparity)) {
      #expect(abs(Double(millimeters) - min(1000 / Double(value), 65_535)) <= 0.5)
    }
  }

  @Test(arguments: [Float.nan, -.nan, .signalingNaN])
  func `what is no number is a hole`(disparity: Float) {
    #expect(Self.millimeters(disparity: [disparity]) == [0])
  }

  @Test(arguments: [
    Float.leastNonzeroMagnitude, .leastNormalMagnitude / 2, .leastNormalMagnitude, 1e-10, 0.01, 0, -0.0, -1,
    -.infinity, -.leastNonzeroMagnitude,
  ])
  func `what is farther than 65.535 m is as far as can be`(disparity: Float) {
    #expect(Self.millimeters(disparity: [disparity]) == [65_535])
  }

  @Test
  func `what is nearer than a millimetre is as near as can be`() {
    #expect(
      Self.millimeters(disparity: [1000, 1999, 2001, .greatestFiniteMagnitude, .infinity]) == [1, 1, 1, 1, 1])
  }
}
