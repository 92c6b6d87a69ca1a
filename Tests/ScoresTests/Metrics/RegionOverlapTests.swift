import Scores
import Testing

@Suite struct RegionOverlapTests {
  private static func overlap(_ a: [UInt8], _ b: [UInt8]) -> Double {
    let features = [a, b].map { samples in
      let features = MatteFeatures(width: samples.count, height: 1)
      samples.withUnsafeBufferPointer { features.take(BytePlane($0.baseAddress!, width: samples.count, height: 1)) }
      return features
    }
    return RegionOverlap.intersectionOverUnion(features[0], features[1])
  }

  @Test
  func `equal mattes overlap wholly, disjoint ones not at all, and empty ones agree`() {
    let left: [UInt8] = [255, 255, 0, 0]
    #expect(Self.overlap(left, left) == 1)
    #expect(Self.overlap(left, [0, 0, 255, 255]) == 0)
    #expect(Self.overlap([0, 0], [0, 0]) == 1)
    #expect(Self.overlap([0, 0], [0, 255]) == 0)
  }

  @Test
  func `one pixel of three is a third, two squares that share a quarter of each are a seventh`() {
    #expect(Self.overlap([255, 255, 0], [0, 255, 255]) == 1.0 / 3)
    func square(_ x: Int, _ y: Int) -> [UInt8] {
      (0..<64).map { (x..<x + 4).contains($0 % 8) && (y..<y + 4).contains($0 / 8) ? 255 : 0 }
    }
    #expect(Self.overlap(square(0, 0), square(2, 2)) == 4.0 / 28)
    #expect(Self.overlap(square(0, 0), square(0, 2)) == 8.0 / 24)
  }

  @Test
  func `a pixel belongs to the person from half opaque, 128, on`() {
    #expect(Self.overlap([127, 128, 255], [0, 255, 128]) == 1)
    #expect(Self.overlap([128], [127]) == 0)
    #expect(Self.overlap([127], [0]) == 1)
  }

  @Test
  func `the order of the two does not matter`() {
    let a = (0..<100).map { UInt8($0 * 7 % 256) }
    let b = (0..<100).map { UInt8($0 * 13 % 256) }
    #expect(Self.overlap(a, b) == Self.overlap(b, a))
    #expect((0.01..<0.99).contains(Self.overlap(a, b)))
  }
}
