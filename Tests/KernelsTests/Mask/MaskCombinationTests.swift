import Kernels
import Support
import Testing

@Suite struct MaskCombinationTests {
  private static func operand(_ size: ImageSize, isSoft: Bool, _ generator: inout SeededGenerator)
    -> MaskCombination.Operand
  {
    let plane = PixelPlane<UInt8>(width: size.width, height: size.height)
    let soft = isSoft ? MatteSamples(width: size.width, height: size.height) : nil
    for i in 0..<size.count {
      let draw = generator.next(below: 4)
      let sample = draw == 0 ? 0 : draw == 1 ? 16_320 : generator.next(below: 16_321)
      soft?.row(i / size.width)[i % size.width] = Int16(sample)
      plane.samples[i] = UInt8((sample + 32) >> 6)
    }
    soft?.markBlocks(rows: 0..<size.height)
    return MaskCombination.Operand(plane, soft: soft)
  }

  @Test(
    arguments: MaskCombination.Rule.allCases, [ImageSize(1, 1), ImageSize(17, 9), ImageSize(64, 5), ImageSize(33, 21)])
  func `every rule gives the reference's bits, hard and soft, aligned and not, in any bands`(
    rule: MaskCombination.Rule, size: ImageSize
  ) {
    var generator = SeededGenerator(seed: 9)
    for other in [size, ImageSize(7, 3), ImageSize(50, 40)] {
      let columns = (0..<size.width).map { Int32($0 * other.width / size.width) }
      let rows = (0..<size.height).map { Int32($0 * other.height / size.height) }
      for (firstIsSoft, secondIsSoft, hasSecond) in [
        (false, false, true), (true, false, true), (false, true, true), (true, true, true), (true, true, false),
        (false, false, false),
      ] {
        let isSoft = firstIsSoft || secondIsSoft
        let first = Self.operand(size, isSoft: firstIsSoft, &generator)
        let second = Self.operand(other, isSoft: secondIsSoft, &generator)
        let combination = MaskCombination(rule, columns: columns, rows: rows, secondWidth: other.width, threadCount: 2)
        let plane = PixelPlane<UInt8>(width: size.width, height: size.height)
        let soft = isSoft ? MatteSamples(width: size.width, height: size.height) : nil
        for (i, band) in randomBands(of: size.height, parts: 4, &generator).enumerated() {
          combination.combine(
            first, hasSecond ? second : nil, to: plane, soft: soft, rows: band, thread: i % 2)
        }
        func value(_ mask: MaskCombination.Operand, _ x: Int, _ y: Int) -> Int {
          let byte = Int(mask.plane.row(y)[x])
          return isSoft ? mask.soft.map { Int($0.row(y)[x]) } ?? byte * 64 : byte
        }
        var wrong = 0
        for i in 0..<size.count {
          let (x, y) = (i % size.width, i / size.width)
          let a = value(first, x, y)
          let b = value(second, Int(columns[x]), Int(rows[y]))
          let expected = hasSecond ? MaskCombination.reference(rule, a, b, one: isSoft ? 16_320 : 255) : a
          let byte = isSoft ? (expected + 32) >> 6 : expected
          wrong += Int(plane.samples[i]) == byte && soft.map { Int($0.row(y)[x]) == expected } != false ? 0 : 1
        }
        #expect(wrong == 0)
        if let soft { expectBlocksTellTheTruth(soft) }
      }
    }
  }
}
