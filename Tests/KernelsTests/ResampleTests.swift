import Kernels
import PortableMath
import Testing

@Suite struct ResampleTests {
  private static let seed: UInt64 = 31_337

  private static func table(_ source: Int, _ target: Int, offset: Double = 0) -> ResampleTable {
    ResampleTable(
      bicubicFrom: source, to: target, scaleNumerator: target, scaleDenominator: source, offset: offset)
  }

  /// Keys' kernel with a = −0.75, which is what B = 0, C = 0.75 comes to.
  private static func keys(_ x: Double) -> Double {
    let a = -0.75
    let t = abs(x)
    if t < 1 { return ((a + 2) * t - (a + 3)) * t * t + 1 }
    return t < 2 ? ((a * t - 5 * a) * t + 8 * a) * t - 4 * a : 0
  }

  private static func scaled(_ resampler: Resampler, _ source: [UInt16], _ bands: [[Range<Int>]]) -> [UInt8] {
    let width = resampler.horizontalTable.targetLength
    var along = GuardedOutput<Int32>(count: width * resampler.verticalTable.sourceLength, poison: 0x7EAD_BEEF)
    var result = GuardedOutput<UInt8>(count: width * resampler.verticalTable.targetLength, poison: 0xA5)
    for rows in bands[0] { along.write { resampler.horizontal(source, to: $0, rows: rows) } }
    let complete = along.samples
    for rows in bands[1] { result.write { resampler.vertical(complete, to: $0, rows: rows) } }
    #expect(along.guardsHold(0x7EAD_BEEF) && result.guardsHold(0xA5))
    return result.samples
  }

  @Test(
    "a sample's four weights add up to exactly one, and its places lie inside the source",
    arguments: [(1, 1), (1, 9), (640, 640), (320, 1280), (64, 160), (33, 101), (160, 80), (7, 3), (97, 31)])
  func weights(source: Int, target: Int) {
    for offset in [0, 30, -2.25, 0.5] {
      let table = Self.table(source, target, offset: offset)
      #expect(table.weights.count == 4 * target && table.positions.count == 4 * target)
      for i in 0..<target {
        #expect(table.weights[4 * i..<4 * i + 4].reduce(0, +) == ResampleTable.one)
        #expect(table.positions[4 * i..<4 * i + 4].allSatisfy { (0..<Int32(source)).contains($0) })
      }
    }
  }

  @Test("weights are the cubic's with B = 0 and C = 0.75, centres on centres")
  func cubic() {
    for (source, target) in [(320, 1280), (64, 160), (33, 101), (160, 80), (100, 100)] {
      let table = Self.table(source, target)
      for i in 0..<target {
        let place = (Double(i) + 0.5) * Double(source) / Double(target) - 0.5
        for k in 0..<4 {
          let tap = place.rounded(.down) + Double(k - 1)
          // Three are rounded to nearest; what that leaves goes to the nearest one.
          let error = abs(Double(table.weights[4 * i + k]) - Self.keys(place - tap) * 16_384)
          #expect(error <= (abs(place - tap) <= 0.5 ? 2.01 : 0.501))
          #expect(Double(table.positions[4 * i + k]) == min(max(tap, 0), Double(source - 1)))
        }
      }
    }
  }

  @Test("half-way between two samples the weights are −3/32, 19/32, 19/32, −3/32")
  func halfway() {
    let table = Self.table(20, 20, offset: 0.5)
    #expect(Array(table.weights[40..<44]) == [-1536, 9728, 9728, -1536])
    #expect(Array(table.positions[40..<44]) == [9, 10, 11, 12])
  }

  @Test("a quarter of the way the weights are −27/256, 225/256, 67/256, −9/256")
  func quarter() {
    let table = Self.table(20, 20, offset: 0.25)
    #expect(Array(table.weights[40..<44]) == [-1728, 14_400, 4288, -576])
  }

  @Test("at the same size all 65536 values come out divided by 257, rounded to nearest")
  func identity() {
    let source = (0..<65_536).map { UInt16($0) }
    let table = Self.table(256, 256)
    let result = Self.scaled(
      Resampler(horizontal: table, vertical: table), source, [[0..<256], [0..<256]])
    #expect(result == source.map { UInt8((Int($0) + 128) / 257) })
  }

  @Test(
    "the kernel gives the reference's bits, overshoot included, in any bands",
    arguments: [
      (1, 1, 1, 1), (1, 7, 5, 3), (3, 5, 9, 4), (17, 33, 33, 61), (161, 97, 320, 201), (160, 97, 80, 31),
    ])
  func reference(width: Int, height: Int, targetWidth: Int, targetHeight: Int) {
    var generator = SeededGenerator(seed: Self.seed)
    let vertical = Self.table(height, targetHeight, offset: 0.3)
    let resampler = Resampler(horizontal: Self.table(width, targetWidth), vertical: vertical)
    let size = ImageSize(width, height)
    for pattern in TestPattern.allCases {
      // 16 bits: 0 and 65535 where the pattern has its extremes, whose overshoot is the largest.
      let source = pattern.bytes(size, seed: Self.seed).map { byte in
        byte == 0 || byte == 255
          ? UInt16(byte) * 257 : UInt16(byte) * 257 ^ UInt16(generator.next(below: 256))
      }
      let expected = resampler.reference(source)
      for parts in 1...7 {
        let bands = [
          randomBands(of: height, parts: parts, &generator),
          randomBands(of: targetHeight, parts: parts, &generator),
        ]
        #expect(Self.scaled(resampler, source, bands) == expected, "\(pattern) \(bands)")
      }
    }
  }

  @Test("the overshoot at an edge is clamped, never wrapped")
  func overshoot() {
    // A bright bar on black: the cubic goes above white inside it and below black beside it.
    let size = ImageSize(16, 16)
    let source = (0..<size.count).map { (5..<11).contains($0 % 16) ? UInt16(65_535) : 0 }
    let resampler = Resampler(horizontal: Self.table(16, 64), vertical: Self.table(16, 64))
    let row = Array(Self.scaled(resampler, source, [[0..<16], [0..<64]])[20 * 64..<21 * 64])
    #expect(row[0..<17].allSatisfy { $0 == 0 } && row[47...].allSatisfy { $0 == 0 })
    #expect(row[24..<40].allSatisfy { $0 == 255 })
    #expect(row.contains { (1...254).contains($0) })
  }
}
