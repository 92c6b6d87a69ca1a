import Kernels
import Support
import Testing

@Suite struct SeenDepthTests {
  private let bands = BandRunner(threadCount: 1)

  /// 255 where each map of one row is nearer than those before it; a digit is half a metre, 0 a hole.
  private static func nearer(_ maps: [String], width: Int = 8) -> [String] {
    let seen = SeenDepth(width: width, height: 1)
    let depth = PixelPlane<UInt16>(width: width, height: 1)
    return maps.map { map in
      for (x, digit) in map.enumerated() { depth.row(0)[x] = UInt16(digit.wholeNumberValue! * 500) }
      let goesOn = seen.add(depth, bands: BandRunner(threadCount: 1))
      let text = String((0..<width).map { seen.isNearer.row(0)[$0] == 255 ? "#" : "." })
      #expect(seen.nearerCount == text.filter { $0 == "#" }.count)
      return goesOn ? text : "moved"
    }
  }

  @Test func `what comes before what was seen is nearer, and what is uncovered is not`() {
    let maps = ["66666666", "66666666", "66666666", "66644666", "66664466", "66666666"]
    #expect(Self.nearer(maps) == ["........", "........", "........", "...##...", "....##..", "........"])
  }

  @Test func `who was there from the start is nearer once the wall behind was seen three times`() {
    let maps = ["46666666", "46666666", "46666666", "64666666", "64666666", "64666666", "46666666"]
    #expect(
      Self.nearer(maps) == [
        "........", "........", "........", ".#......", ".#......", ".#......", "#.......",
      ])
  }

  @Test func `one map with something farther is not believed, and a hole neither counts nor interrupts`() {
    let once = ["44444444", "44444444", "44444444", "64444444", "44444444", "64444444", "64444444", "44444444"]
    #expect(Self.nearer(once).last == "........")
    let holes = ["66666666", "60666666", "66666666", "60666666", "66666666", "04666666"]
    #expect(Self.nearer(holes).last == ".#......")
  }

  @Test func `a camera that was moved begins anew`() {
    let maps = ["66666666", "66666666", "66666666", "22266666", "99926666", "22226666", "99996666"]
    #expect(
      Self.nearer(maps) == [
        "........", "........", "........", "###.....", "moved", "........", "........",
      ])
  }

  /// As the documentation says it, for one pixel; a moved camera aside.
  private struct PlainPixel {
    var (seen, candidate, sightings) = (0, 0, 0)

    static func noise(_ millimeters: Int) -> Int {
      let far = (Double(millimeters) - 400) / 1000
      return Int((3 * (1.2 + 1.9 * far * far)).rounded())
    }

    mutating func isNearer(_ distance: Int) -> Bool {
      guard distance > 0 else { return false }
      if distance > (seen == 0 ? 0 : seen + 30 + Self.noise(seen)) {
        if sightings > 0, abs(distance - candidate) <= 30 + Self.noise(candidate) {
          (candidate, sightings) = (min(candidate, distance), sightings + 1)
        } else {
          (candidate, sightings) = (distance, 1)
        }
        if sightings == 3 { (seen, sightings) = (candidate, 0) }
      } else {
        sightings = 0
      }
      return distance < seen - 60 - Self.noise(seen)
    }
  }

  @Test(arguments: 0..<10)
  func `random depth comes out as the rule for one pixel says, on any number of threads`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let (width, height) = (67, 40)
    let depth = PixelPlane<UInt16>(width: width, height: height)
    let (one, three) = (SeenDepth(width: width, height: height), SeenDepth(width: width, height: height))
    let threads = BandRunner(threadCount: 3)
    var plain = [PlainPixel](repeating: PlainPixel(), count: width * height)
    let room = (0..<width * height).map { _ in 1500 + random.next(below: 2000) }
    for _ in 0..<30 {
      for i in 0..<width * height {
        let isPerson = random.next(below: 4) == 0
        let distance = isPerson ? 600 + random.next(below: 900) : room[i] + random.next(below: 41) - 20
        depth.samples[i] = random.next(below: 9) == 0 ? 0 : UInt16(distance)
      }
      #expect(one.add(depth, bands: bands))
      #expect(three.add(depth, bands: threads))
      for i in plain.indices {
        let expected: UInt8 = plain[i].isNearer(Int(depth.samples[i])) ? 255 : 0
        #expect(one.isNearer.samples[i] == expected)
        #expect(three.isNearer.samples[i] == expected)
      }
    }
  }
}
