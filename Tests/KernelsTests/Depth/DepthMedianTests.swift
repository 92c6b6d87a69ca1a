import Kernels
import Support
import Testing

@Suite struct DepthMedianTests {
  @Test(arguments: 0..<6)
  func `it is the lower median of what is measured, as sorting gives it`(content: Int) throws {
    var generator = SeededGenerator(seed: UInt64(content))
    let plane = PixelPlane<UInt16>(width: 41, height: 23)
    let median = DepthMedian()
    for round in 0..<40 {
      for i in 0..<plane.count {
        plane.samples[i] =
          switch content {
          case 0: UInt16(generator.next(below: 65_536))
          case 1: generator.next(below: 3) == 0 ? 0 : UInt16(700 + generator.next(below: 90))
          case 2: generator.next(below: 2) == 0 ? 1 : 65_535
          case 3: UInt16(256 * generator.next(below: 3))
          case 4: generator.next(below: 900) == 0 ? 255 : 0
          default: UInt16(round)
          }
      }
      let (x, y) = (generator.next(below: 41), generator.next(below: 23))
      let columns = x...min(40, x + generator.next(below: 41))
      let rows = y...min(22, y + generator.next(below: 23))
      let measured = rows.flatMap { y in columns.map { plane.row(y)[$0] } }.filter { $0 != 0 }.sorted()
      let expected = measured.isEmpty ? nil : measured[(measured.count - 1) / 2]
      #expect(median.lower(of: plane, columns: columns, rows: rows) == expected)
    }
  }
}
