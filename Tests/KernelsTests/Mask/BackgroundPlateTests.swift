import Kernels
import Support
import Testing

@Suite struct BackgroundPlateTests {
  private static func plane(_ width: Int, _ values: [UInt16]) -> PixelPlane<UInt16> {
    let plane = PixelPlane<UInt16>(width: width, height: values.count / width)
    for i in values.indices { plane.samples[i] = values[i] }
    return plane
  }

  private static func learned(_ frames: [[UInt16]], width: Int, threadCount: Int = 1) -> BackgroundPlate {
    let height = frames[0].count / width
    let learning = PlateLearning(frameCount: frames.count, width: width, height: height)
    for frame in frames {
      #expect(!learning.isComplete)
      learning.add(plane(width, frame))
    }
    #expect(learning.isComplete)
    let plate = BackgroundPlate(width: width, height: height)
    learning.finish(plate, bands: BandRunner(threadCount: threadCount))
    return plate
  }

  private static func limits(_ plate: BackgroundPlate, margin: Int, _ holes: BackgroundPlate.Hole) -> [UInt16] {
    let limits = PixelPlane<UInt16>(width: plate.millimeters.width, height: plate.millimeters.height)
    plate.writeLimits(marginMillimeters: margin, holes: holes, to: limits)
    return Array(UnsafeBufferPointer(start: limits.samples, count: limits.count))
  }

  @Test
  func `a pixel is the median of what was measured, and its spread is how much nearer it was but for one of sixteen`() {
    var generator = SeededGenerator(seed: 4)
    for count in [1, 2, 7, 16, 30, 32] {
      let frames = (0..<count).map { _ in
        (0..<40).map { _ in generator.next(below: 4) == 0 ? 0 : UInt16(1000 + generator.next(below: 500)) }
      }
      let plate = Self.learned(frames, width: 8, threadCount: 3)
      for i in 0..<40 {
        let measured = frames.map { $0[i] }.filter { $0 != 0 }.sorted()
        let median = measured.isEmpty ? 0 : measured[(measured.count - 1) / 2]
        #expect(plate.millimeters.samples[i] == median)
        #expect(plate.spread.samples[i] == (measured.isEmpty ? 0 : median - measured[measured.count / 16]))
      }
    }
  }

  @Test
  func `of more than 32 frames, 32 are picked evenly, so that memory is bounded`() {
    let frames = (0..<1000).map { [UInt16($0 + 1)] }
    let plate = Self.learned(frames, width: 1)
    // Every 31st or 32nd: the median is near the middle, whatever is in between.
    #expect(abs(Int(plate.millimeters.samples[0]) - 500) <= 17)
    #expect(abs(Int(plate.spread.samples[0]) - 420) <= 40)
  }

  @Test
  func `the limit is nearer than the plate by margin, and by three of Nguyen's σ or the spread`() {
    for (distance, sigmas) in [(400, 4), (1000, 6), (3000, 42), (5000, 124)] as [(UInt16, Int)] {
      let still = Self.learned([[UInt16]](repeating: [distance], count: 20), width: 1)
      #expect(Self.limits(still, margin: 60, .fill) == [UInt16(Int(distance) - 60 - sigmas - 1)])
    }
    // It jumps by 300 mm: so far it must be passed.
    let jumping = Self.learned((0..<20).map { [$0 % 2 == 0 ? 2000 : 1700] }, width: 1)
    #expect(jumping.millimeters.samples[0] == 1700 && jumping.spread.samples[0] == 0)
    let shining = Self.learned((0..<20).map { [$0 % 5 == 0 ? 1700 : 2000] }, width: 1)
    #expect(Self.limits(shining, margin: 60, .fill) == [2000 - 60 - 300 - 1])
    // One flying pixel of twenty is not believed.
    let flying = Self.learned((0..<20).map { [$0 == 7 ? 700 : 2000] }, width: 1)
    #expect(Self.limits(flying, margin: 60, .fill) == [2000 - 60 - 18 - 1])
    #expect(Self.limits(Self.learned([[30]], width: 1), margin: 60, .fill) == [0])
  }

  @Test
  func `what was never measured is as far as the farther of its neighbours, or nobody, or whoever is measured`() {
    let plate = Self.learned(
      [
        [
          0, 0, 0, 0, 0,
          0, 1000, 0, 0, 2000,
          0, 0, 0, 0, 0,
          3000, 0, 0, 500, 0,
          0, 0, 0, 0, 0,
        ]
      ], width: 5)
    func limit(_ distance: Int) -> UInt16 {
      let z = Double(distance) / 1000 - 0.4
      return UInt16(distance - Int((3 * (1.2 + 1.9 * z * z)).rounded()) - 1)
    }
    let (half, one, two, three) = (limit(500), limit(1000), limit(2000), limit(3000))
    #expect(
      Self.limits(plate, margin: 0, .fill) == [
        one, one, two, two, two,
        one, one, two, two, two,
        three, three, three, two, two,
        three, three, three, half, half,
        three, three, three, half, half,
      ])
    let measured = [6: one, 9: two, 15: three, 18: half]
    #expect(Self.limits(plate, margin: 0, .background) == (0..<25).map { measured[$0] ?? 0 })
    #expect(Self.limits(plate, margin: 0, .person) == (0..<25).map { measured[$0] ?? .max })
    let nothing = Self.learned([[0, 0, 0, 0]], width: 2)
    #expect(Self.limits(nothing, margin: 60, .fill) == [.max, .max, .max, .max])
  }
}
