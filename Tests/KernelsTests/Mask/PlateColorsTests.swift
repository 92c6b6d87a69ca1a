import CKernels
import Kernels
import Support
import Testing

@Suite struct PlateColorsTests {
  private static let size = ImageSize(96, 80)
  private static let line = ScaleLine(from: 96, to: 96, scaleNumerator: 1, scaleDenominator: 1)
  private static let column = ScaleLine(from: 80, to: 80, scaleNumerator: 1, scaleDenominator: 1)

  /// A wall of stripes with noise.
  private static func wall(_ generator: inout SeededGenerator) -> [UInt8] {
    (0..<3 * size.count).map { i in UInt8(100 + 30 * (i / 3 / 6 % 2) + generator.next(below: 5)) }
  }

  private static func plane<Sample: FixedWidthInteger>(_ channels: Int = 1, _ samples: [Sample]) -> PixelPlane<Sample> {
    let plane = PixelPlane<Sample>(width: size.width, height: size.height, channels: channels)
    plane.samples.update(from: samples, count: samples.count)
    return plane
  }

  private static func isPerson(_ i: Int) -> Bool {
    (30..<60).contains(i % size.width) && (20..<70).contains(i / size.width)
  }

  /// The person's colour is far from the wall's.
  private static func picture(_ generator: inout SeededGenerator, person: UInt8 = 30) -> [UInt8] {
    var rgb = wall(&generator)
    for i in 0..<size.count where isPerson(i) {
      for c in 0..<3 { rgb[3 * i + c] = person + UInt8(generator.next(below: 5)) }
    }
    return rgb
  }

  /// What colours make of a mask by depth.
  private static func corrected(
    _ mask: [UInt8], depth: [UInt16], limits: UInt16 = 2000, picture: [UInt8], threadCount: Int = 1,
    processor: Processor = .best, filled: [UInt8]? = nil
  ) -> [UInt8] {
    var generator = SeededGenerator(seed: 3)
    let bands = BandRunner(threadCount: threadCount)
    let colors = PlateColors(
      frameCount: 8, horizontal: line, vertical: column, threadCount: threadCount, processor: processor)
    for _ in 0..<8 { colors.add(plane(3, wall(&generator)), bands: bands) }
    colors.finish(bands: bands)
    let result = plane(1, mask)
    colors.correct(
      result, depth: plane(1, depth), limits: plane(1, [UInt16](repeating: limits, count: size.count)),
      picture: plane(3, picture), bands: bands
    ) {
      if let filled { result.samples.update(from: filled, count: filled.count) }
    }
    return Array(UnsafeBufferPointer(start: result.samples, count: result.count))
  }

  private static let truth = (0..<size.count).map { isPerson($0) ? UInt8(255) : 0 }

  /// Pixels that differ from the person, but for a border of one, which the mean over 3 by 3 blurs.
  private static func wrong(_ mask: [UInt8]) -> Int {
    (0..<size.count).count { i in
      let near = [-size.width - 1, -size.width, -size.width + 1, -1, 1, size.width - 1, size.width, size.width + 1]
      let isEdge = near.contains { (0..<size.count).contains(i + $0) && isPerson(i + $0) != isPerson(i) }
      return !isEdge && mask[i] != truth[i]
    }
  }

  @Test func `where depth is missing beside the person, colour finds the rest of the person and leaves the wall`() {
    var generator = SeededGenerator(seed: 11)
    // The person's right half has no depth, nor has the wall beside it.
    let depth = (0..<Self.size.count).map { i -> UInt16 in
      (45..<75).contains(i % Self.size.width) ? 0 : Self.isPerson(i) ? 1500 : 2500
    }
    let mask = depth.map { $0 == 1500 ? UInt8(255) : 0 }
    let result = Self.corrected(mask, depth: depth, picture: Self.picture(&generator))
    #expect(Self.wrong(mask) > 500)
    #expect(Self.wrong(result) == 0)
  }

  /// A camera's exposure changed, or one channel's white balance.
  @Test(arguments: [[80, 80, 80], [130, 130, 130], [100, 100, 80]])
  func `in other light than it was learned in, the wall is still the wall`(percent: [Int]) {
    var generator = SeededGenerator(seed: 11)
    let depth = (0..<Self.size.count).map { i -> UInt16 in
      (45..<75).contains(i % Self.size.width) ? 0 : Self.isPerson(i) ? 1500 : 2500
    }
    let mask = depth.map { $0 == 1500 ? UInt8(255) : 0 }
    let picture = Self.picture(&generator).enumerated().map { UInt8(min(255, Int($1) * percent[$0 % 3] / 100)) }
    #expect(Self.wrong(Self.corrected(mask, depth: depth, picture: picture)) == 0)
  }

  @Test func `an outline that depth puts three pixels too far out comes back to the person's`() {
    var generator = SeededGenerator(seed: 12)
    let mask = (0..<Self.size.count).map { i -> UInt8 in
      (27..<63).contains(i % Self.size.width) && (17..<73).contains(i / Self.size.width) ? 255 : 0
    }
    let depth = mask.map { $0 == 255 ? UInt16(1500) : 2500 }
    let result = Self.corrected(mask, depth: depth, picture: Self.picture(&generator))
    #expect(Self.wrong(mask) > 300)
    #expect(Self.wrong(result) == 0)
  }

  @Test func `where the person has the wall's colours, what depth has measured stays`() {
    var generator = SeededGenerator(seed: 16)
    let depth = Self.truth.map { $0 == 255 ? UInt16(1500) : 2500 }
    let rgb = Self.wall(&generator)
    #expect(Self.corrected(Self.truth, depth: depth, picture: rgb) == Self.truth)
    // Beside a part of another colour too, far enough from it.
    var half = rgb
    for i in 0..<Self.size.count where Self.isPerson(i) && i / Self.size.width < 45 {
      for c in 0..<3 { half[3 * i + c] = 30 + UInt8(generator.next(below: 5)) }
    }
    let result = Self.corrected(Self.truth, depth: depth, picture: half)
    #expect((0..<Self.size.count).allSatisfy { $0 / Self.size.width < 64 || result[$0] == Self.truth[$0] })
    #expect(Self.wrong(result) < 40)
  }

  @Test func `a person too near to the wall for depth is found by colour, and a shadow there is not`() {
    var generator = SeededGenerator(seed: 13)
    let nothing = [UInt8](repeating: 0, count: Self.size.count)
    let depth = (0..<Self.size.count).map { Self.isPerson($0) ? UInt16(1990) : 2500 }
    #expect(Self.wrong(Self.corrected(nothing, depth: depth, picture: Self.picture(&generator))) == 0)
    // A shadow of 5 % has no other depth than the wall, and is no more than light does.
    var shadow = Self.wall(&generator)
    for i in 0..<Self.size.count where Self.isPerson(i) {
      for c in 0..<3 { shadow[3 * i + c] = UInt8(Int(shadow[3 * i + c]) * 95 / 100) }
    }
    #expect(Self.corrected(nothing, depth: depth, picture: shadow) == nothing)
  }

  @Test func `a filled gap through which the wall's colours are seen opens again`() {
    var generator = SeededGenerator(seed: 14)
    func isGap(_ i: Int) -> Bool { (40..<50).contains(i % Self.size.width) && (40..<50).contains(i / Self.size.width) }
    var rgb = Self.picture(&generator)
    let wall = Self.wall(&generator)
    for i in 0..<Self.size.count where isGap(i) { for c in 0..<3 { rgb[3 * i + c] = wall[3 * i + c] } }
    let mask = (0..<Self.size.count).map { Self.isPerson($0) && !isGap($0) ? UInt8(255) : 0 }
    let depth = mask.map { $0 == 255 ? UInt16(1500) : 0 }
    let result = Self.corrected(mask, depth: depth, picture: rgb, filled: Self.truth)
    #expect(result[45 * Self.size.width + 45] == 0)
    #expect(result[30 * Self.size.width + 45] == 255)
  }

  @Test func `all threads and processors give the same bits`() {
    var generator = SeededGenerator(seed: 15)
    let depth = (0..<Self.size.count).map { i in
      generator.next(below: 5) == 0 ? 0 : Self.isPerson(i) ? UInt16(1500 + generator.next(below: 600)) : 2500
    }
    let mask = depth.map { $0 != 0 && $0 < 2000 ? UInt8(255) : 0 }
    let picture = Self.picture(&generator, person: 90)
    let expected = Self.corrected(mask, depth: depth, picture: picture, processor: .plain)
    for processor in Processor.available {
      for threadCount in [1, 2, 5] {
        let result = Self.corrected(
          mask, depth: depth, picture: picture, threadCount: threadCount, processor: processor)
        #expect(result == expected, "\(processor), \(threadCount) threads")
      }
    }
  }

  /// |sum of 3 by 3 differences| * 64 / (9 * doubt), of the channel that differs most, below 48 or at least 145.
  @Test(arguments: [ImageSize(1, 1), ImageSize(15, 3), ImageSize(16, 2), ImageSize(33, 7), ImageSize(70, 9)])
  func `classes of colours follow the rule`(size: ImageSize) {
    var generator = SeededGenerator(seed: 17)
    let (now, empty, doubts) = (0..<3).reduce(into: (Self.colors(size), Self.colors(size), Self.colors(size))) {
      all, c in
      for i in 0..<all.0[c].count {
        let color = generator.next(below: 4081)
        // Near the limits, and at the largest values.
        let doubt = generator.next(below: 8) == 0 ? 1 + generator.next(below: 4080) : 20 + generator.next(below: 300)
        let apart = generator.next(below: 3 * doubt + 1) * (generator.next(below: 2) == 0 ? 1 : -1)
        all.0[c].samples[i] = Int16(color)
        all.1[c].samples[i] =
          generator.next(below: 9) == 0 ? Int16(4080 - color) : Int16(min(max(color + apart, 0), 4080))
        all.2[c].samples[i] = Int16(doubt)
      }
    }
    let wanted = (0..<size.count).map { _ in UInt8(generator.next(below: 2)) }
    let stride = now[0].width
    let expected = (0..<size.count).map { i -> UInt8 in
      let most = (0..<3).map { c -> Int in
        var sum = 0
        for dy in -1...1 {
          for dx in -1...1 {
            let (x, y) = (
              min(max(i % size.width + dx, 0), size.width - 1), min(max(i / size.width + dy, 0), size.height - 1)
            )
            sum += Int(now[c].samples[y * stride + x]) - Int(empty[c].samples[y * stride + x])
          }
        }
        return abs(sum) * 64 / (9 * Int(doubts[c].samples[i / size.width * stride + i % size.width]))
      }.max()!
      return UInt8(most < 48 ? RTKPlateSame : most >= 145 ? RTKPlateOther : RTKPlateBetween)
    }
    for processor in Processor.available {
      var classes = [UInt8](repeating: 9, count: size.count)
      var view = RTKColors(
        width: Int32(size.width), height: Int32(size.height), red: now[0].samples, green: now[1].samples,
        blue: now[2].samples)
      func pointers(_ planes: [PixelPlane<Int16>]) -> (
        UnsafePointer<Int16>?, UnsafePointer<Int16>?, UnsafePointer<Int16>?
      ) {
        (UnsafePointer(planes[0].samples), UnsafePointer(planes[1].samples), UnsafePointer(planes[2].samples))
      }
      var plate = RTKPlateColors(colors: pointers(empty), doubts: pointers(doubts))
      rtk_plate_classes(processor.choice, &view, &plate, wanted, &classes, 0, Int32(size.height))
      for i in 0..<size.count where wanted[i] != 0 { #expect(classes[i] == expected[i], "\(processor) \(i)") }
    }
    #expect(size.count < 100 || Set(expected).count == 3)
  }

  /// Planes whose rows are whole blocks.
  private static func colors(_ size: ImageSize) -> [PixelPlane<Int16>] {
    (0..<3).map { _ in PixelPlane(width: (size.width + 15) / 16 * 16, height: size.height) }
  }
}
