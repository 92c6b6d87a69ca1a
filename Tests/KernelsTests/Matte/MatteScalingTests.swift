import Kernels
import Support
import Testing

@Suite struct MatteScalingTests {
  private static let seed: UInt64 = 31_337

  private static func table(_ source: Int, _ target: Int, offset: Double = 0) -> ScaleTable {
    // Both lines begin `offset` source samples apart, in fortieths of a sample.
    ScaleTable(
      .bicubic,
      ScaleLine(
        from: source, to: target, scaleNumerator: target, scaleDenominator: source,
        sceneNumerator: 20 * source + Int((40 * offset).rounded()), sceneDenominator: 20))
  }

  /// Keys' kernel with a = −0.75, which is what B = 0, C = 0.75 comes to.
  private static func keys(_ x: Double) -> Double {
    let a = -0.75
    let t = abs(x)
    if t < 1 { return ((a + 2) * t - (a + 3)) * t * t + 1 }
    return t < 2 ? ((a * t - 5 * a) * t + 8 * a) * t - 4 * a : 0
  }

  /// Through the kernels, by all processors, which must agree.
  private static func scaled(
    _ tables: (ScaleTable, ScaleTable), _ source: [Int16], _ bands: [Range<Int>]
  ) -> [UInt8] {
    let matte = MatteSamples(packed: source, width: tables.0.sourceLength, height: tables.1.sourceLength)
    let count = tables.0.targetLength * tables.1.targetLength
    let results = Processor.available.map { processor in
      let scaling = MatteScaling(horizontal: tables.0, vertical: tables.1, threadCount: 2, processor: processor)
      var result = GuardedOutput<UInt8>(count: count, poison: 0xA5)
      for (i, rows) in bands.enumerated() {
        result.write { scaling.apply(matte, to: $0, rows: rows, thread: i % 2) }
      }
      #expect(result.guardsHold(0xA5))
      return result.samples
    }
    #expect(results.allSatisfy { $0 == results[0] })
    return results[0]
  }

  @Test(arguments: [(1, 1), (1, 9), (640, 640), (320, 1280), (64, 160), (33, 101), (160, 80), (7, 3), (97, 31)])
  func `a sample's four weights add up to exactly one, and its places lie inside the source`(source: Int, target: Int) {
    for offset in [0, 30, -2.25, 0.5] {
      let table = Self.table(source, target, offset: offset)
      for i in 0..<target {
        let taps = table.taps(i)
        #expect(taps.count == 4 && taps.reduce(0) { $0 + $1.weight } == ScaleTable.one)
        #expect(taps.allSatisfy { (0..<source).contains($0.position) })
      }
    }
  }

  @Test
  func `weights are the cubic's with B = 0 and C = 0.75, centres on centres`() {
    for (source, target) in [(320, 1280), (64, 160), (33, 101), (160, 80), (100, 100)] {
      let table = Self.table(source, target)
      for i in 0..<target {
        let place = (Double(i) + 0.5) * Double(source) / Double(target) - 0.5
        for k in 0..<4 {
          let tap = place.rounded(.down) + Double(k - 1)
          // Three are rounded to nearest; what that leaves goes to the nearest one.
          let found = table.taps(i)[k]
          let error = abs(Double(found.weight) - Self.keys(place - tap) * 16_384)
          #expect(error <= (abs(place - tap) <= 0.5 ? 2.01 : 0.501))
          #expect(Double(found.position) == min(max(tap, 0), Double(source - 1)))
        }
      }
    }
  }

  @Test
  func `half-way between two samples the weights are −3/32, 19/32, 19/32, −3/32`() {
    let table = Self.table(20, 20, offset: 0.5)
    #expect(table.taps(10).map(\.weight) == [-1536, 9728, 9728, -1536])
    #expect(table.taps(10).map(\.position) == [9, 10, 11, 12])
  }

  @Test
  func `a quarter of the way the weights are −27/256, 225/256, 67/256, −9/256`() {
    let table = Self.table(20, 20, offset: 0.25)
    #expect(table.taps(10).map(\.weight) == [-1728, 14_400, 4288, -576])
  }

  @Test
  func `at the same size every sample comes out divided by 64, rounded to nearest`() {
    // 16384 places for 16321 values; the last row's are all one.
    let source = (0..<16_384).map { Int16(min($0, Int(MatteSamples.one))) }
    let table = Self.table(128, 128)
    let expected = source.map { UInt8((Int($0) + 32) / 64) }
    #expect(Self.scaled((table, table), source, [0..<128]) == expected)
    #expect(
      MatteScaling(horizontal: table, vertical: table, threadCount: 1).reference(source) == expected,
      "the short cut gives what scaling gives")
  }

  @Test(arguments: [
    (1, 1, 1, 1), (1, 7, 5, 3), (3, 5, 9, 4), (17, 33, 33, 61), (161, 97, 320, 201), (160, 97, 80, 31),
    (97, 31, 97, 31),
  ])
  func `the kernels give the reference's bits, overshoot included, in any bands`(
    width: Int, height: Int, targetWidth: Int, targetHeight: Int
  ) {
    var generator = SeededGenerator(seed: Self.seed)
    let size = ImageSize(width, height)
    // Rows that begin above the source, below it, and between its rows.
    for offset in [0.3, -0.5 * Double(height) - 7, Double(height) + 9] {
      let tables = (Self.table(width, targetWidth), Self.table(height, targetHeight, offset: offset))
      let scaling = MatteScaling(horizontal: tables.0, vertical: tables.1, threadCount: 1)
      for pattern in TestPattern.allCases {
        // Between the extremes, whose overshoot is the largest, all 64 parts of a step.
        let source = pattern.bytes(size, seed: Self.seed).map { byte in
          byte == 0 || byte == 255 ? Int16(byte) * 64 : Int16(byte) * 64 + Int16(generator.next(below: 64))
        }
        let expected = scaling.reference(source)
        for parts in 1...4 {
          let bands = randomBands(of: targetHeight, parts: parts, &generator)
          #expect(Self.scaled(tables, source, bands) == expected, "\(pattern) \(bands) from \(offset)")
        }
      }
    }
  }

  @Test
  func `the overshoot at an edge is clamped, never wrapped`() {
    // A bright bar on black: the cubic goes above white inside it and below black beside it.
    let size = ImageSize(16, 16)
    let source = (0..<size.count).map { (5..<11).contains($0 % 16) ? MatteSamples.one : 0 }
    let row = Array(Self.scaled((Self.table(16, 64), Self.table(16, 64)), source, [0..<64])[20 * 64..<21 * 64])
    #expect(row[0..<17].allSatisfy { $0 == 0 } && row[47...].allSatisfy { $0 == 0 })
    #expect(row[24..<40].allSatisfy { $0 == 255 })
    #expect(row.contains { (1...254).contains($0) })
  }
}
