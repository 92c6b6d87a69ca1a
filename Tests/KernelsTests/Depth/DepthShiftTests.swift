import Kernels
import Support
import Testing

@Suite struct DepthShiftTests {
  /// Each pixel takes the one that moves to it.
  private func reference<Sample: FixedWidthInteger>(
    _ samples: [Sample], _ size: ImageSize, _ shift: DepthShift, uncovered: Sample
  ) -> [Sample] {
    (0..<size.count).map { place in
      let (x, y) = (place % size.width - shift.x, place / size.width - shift.y)
      return (0..<size.width).contains(x) && (0..<size.height).contains(y) ? samples[y * size.width + x] : uncovered
    }
  }

  private func check<Sample: FixedWidthInteger & Sendable>(
    _ size: ImageSize, _ shift: DepthShift, uncovered: Sample, _ random: inout SeededGenerator
  ) {
    let plane = PixelPlane<Sample>(width: size.width, height: size.height)
    for place in 0..<plane.count { plane.samples[place] = Sample(truncatingIfNeeded: random.next(below: 1 << 16)) }
    func contents() -> [Sample] { Array(UnsafeBufferPointer(start: plane.samples, count: plane.count)) }
    let before = contents()
    shift.apply(to: plane, uncovered: uncovered)
    #expect(contents() == reference(before, size, shift, uncovered: uncovered), "\(size) \(shift)")
  }

  @Test func `every pixel moves by the shift, and uncovered ones get their value`() {
    var random = SeededGenerator(seed: 4)
    for size in ImageSize.odd {
      for x in [0, 1, -1, 3, -5, 40, -40, 64, -64, 200] {
        for y in [0, 1, -1, 2, -7, 36, -36, 300] {
          check(size, DepthShift(x: x, y: y), uncovered: UInt16(0), &random)
          check(size, DepthShift(x: x, y: y), uncovered: UInt8.max, &random)
        }
      }
    }
  }
}
