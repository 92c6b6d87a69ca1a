import Kernels
import TestSupport
import Testing

@Suite struct PreparedPictureScalerTests {
  static let shapes: [(ImageSize, ImageSize)] = [
    (ImageSize(1, 1), ImageSize(1, 1)), (ImageSize(1, 1), ImageSize(33, 17)), (ImageSize(33, 17), ImageSize(1, 1)),
    (ImageSize(40, 30), ImageSize(40, 30)), (ImageSize(40, 30), ImageSize(64, 36)),
    (ImageSize(64, 36), ImageSize(41, 29)),
    (ImageSize(150, 7), ImageSize(20, 31)), (ImageSize(5, 90), ImageSize(31, 20)),
    (ImageSize(200, 160), ImageSize(17, 13)),
  ]

  @Test(arguments: PictureFit.allCases)
  func `A.6: a background is brought to the video's size with its reference's bits, on any number of threads`(
    fit: PictureFit
  ) {
    for (from, to) in Self.shapes {
      let source = TestPattern.noise.bytes(ImageSize(3 * from.width, from.height), seed: 3)
      let bars = [UInt8](repeating: 0x3C, count: 3 * to.count)
      for processor in Processor.available {
        for threadCount in [1, 2, 5] {
          let scaler = PreparedPictureScaler(
            from: (from.width, from.height), to: (to.width, to.height), fit, threadCount: threadCount,
            processor: processor)
          var out = GuardedOutput<UInt8>(count: bars.count, poison: 0x3C)
          out.write { target in
            source.withUnsafeBufferPointer {
              scaler.apply($0.baseAddress!, to: target, bands: BandRunner(threadCount: threadCount))
            }
          }
          #expect(out.guardsHold(0x3C))
          #expect(areSame(out.samples, scaler.reference(source, onto: bars)), "\(from) to \(to) \(fit)")
        }
      }
    }
  }

  private static func scaled(
    _ source: [[UInt8]], _ size: (Int, Int), to target: (Int, Int), _ fit: PictureFit
  ) -> [UInt8] {
    let scaler = PreparedPictureScaler(from: size, to: target, fit, threadCount: 1)
    var out = [UInt8](repeating: 7, count: 3 * target.0 * target.1)
    let bytes = source.flatMap { $0 }
    bytes.withUnsafeBufferPointer { from in
      out.withUnsafeMutableBufferPointer {
        scaler.apply(from.baseAddress!, to: $0.baseAddress!, bands: BandRunner(threadCount: 1))
      }
    }
    return out
  }

  @Test
  func `C.16: cropping keeps the background's lower left corner, where Core Image's origin is, and scales nothing`() {
    // Each pixel says where it was.
    func places(_ width: Int, _ height: Int, _ color: (Int, Int) -> [UInt8]) -> [[UInt8]] {
      (0..<width * height).map { color($0 % width, $0 / width) }
    }
    let source = places(6, 5) { x, y in [UInt8(x), UInt8(y), 99] }
    let smaller: [[UInt8]] = places(4, 3) { x, y in [UInt8(x), UInt8(y + 2), 99] }
    #expect(Self.scaled(source, (6, 5), to: (4, 3), .crop) == Array(smaller.joined()))
    let larger: [[UInt8]] = places(8, 6) { x, y in
      if x >= 6 || y < 1 { return [7, 7, 7] }
      return [UInt8(x), UInt8(y - 1), 99]
    }
    #expect(Self.scaled(source, (6, 5), to: (8, 6), .crop) == Array(larger.joined()))
  }

  @Test
  func `fit shows all of a background in the middle, between bars; stretch covers everything`() {
    let color: [UInt8] = [200, 100, 50]
    let bar: [UInt8] = [7, 7, 7]
    let source = [[UInt8]](repeating: color, count: 8 * 4)
    var between: [UInt8] = []
    var beside: [UInt8] = []
    for i in 0..<256 {
      between += (4..<12).contains(i / 16) ? color : bar
      beside += (4..<12).contains(i % 16) ? color : bar
    }
    #expect(Self.scaled(source, (8, 4), to: (16, 16), .fit) == between)
    #expect(Self.scaled(source, (4, 8), to: (16, 16), .fit) == beside)
    let whole = [[UInt8]](repeating: color, count: 45)
    #expect(Self.scaled(source, (8, 4), to: (5, 9), .stretch) == Array(whole.joined()))
  }
}
