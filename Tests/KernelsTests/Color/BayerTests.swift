import FrameModel
import Kernels
import Support
import Testing

@Suite struct BayerTests {
  /// A mosaic and its first two rows as its name spells them; 0 red, 1 green, 2 blue.
  struct Pattern: Sendable {
    let mosaic: PixelFormat
    let square: [Int]
    func channel(_ x: Int, _ y: Int) -> Int { square[y % 2 * 2 + x % 2] }
  }
  static let patterns = [
    Pattern(mosaic: .bayerRGGB8, square: [0, 1, 1, 2]), Pattern(mosaic: .bayerGRBG8, square: [1, 0, 2, 1]),
    Pattern(mosaic: .bayerGBRG8, square: [1, 2, 0, 1]), Pattern(mosaic: .bayerBGGR8, square: [2, 1, 1, 0]),
  ]
  private static let sizes = [
    ImageSize(2, 2), ImageSize(3, 5), ImageSize(2, 9), ImageSize(17, 33), ImageSize(40, 22), ImageSize(18, 3),
    ImageSize(19, 2), ImageSize(83, 4),
  ]

  private static func demosaiced(_ source: [UInt8], _ pattern: Pattern, _ size: ImageSize, parts: Int)
    -> [UInt8]
  {
    var generator = SeededGenerator(seed: UInt64(parts))
    let results = Processor.available.map { processor in
      var output = GuardedOutput<UInt8>(count: 3 * size.count, poison: 0x3C)
      for rows in randomBands(of: size.height, parts: parts, &generator) {
        output.write {
          ColorConversion.bayer(
            source, pattern.mosaic, width: size.width, height: size.height, to: $0, rows: rows, processor: processor)
        }
      }
      #expect(output.guardsHold(0x3C))
      return output.samples
    }
    #expect(results.allSatisfy { $0 == results[0] })
    return results[0]
  }

  @Test(arguments: patterns, sizes)
  func `the mosaic of one colour gives that colour everywhere`(pattern: Pattern, size: ImageSize) {
    for color in [[UInt8(200), 100, 50], [0, 255, 3], [255, 255, 255], [1, 2, 254]] {
      let source = (0..<size.count).map { color[pattern.channel($0 % size.width, $0 / size.width)] }
      let expected = (0..<size.count).flatMap { _ in color }
      #expect(Self.demosaiced(source, pattern, size, parts: 1) == expected)
    }
  }

  @Test(arguments: patterns, sizes)
  func `a missing colour is the rounded mean of the nearest samples of it`(pattern: Pattern, size: ImageSize) {
    let source = TestPattern.noise.bytes(size, seed: 8)
    var expected: [UInt8] = []
    // Mirrored at the edge sample, as -1 → 1 and length → length − 2.
    func mirror(_ i: Int, _ length: Int) -> Int { length - 1 - abs(length - 1 - abs(i)) }
    for i in 0..<size.count {
      let (x, y) = (i % size.width, i / size.width)
      for channel in 0..<3 {
        if pattern.channel(x, y) == channel {
          expected.append(source[i])
          continue
        }
        var (sum, count) = (0, 0)
        for dy in -1...1 {
          for dx in -1...1 {
            let (column, row) = (mirror(x + dx, size.width), mirror(y + dy, size.height))
            guard pattern.channel(column, row) == channel else { continue }
            sum += Int(source[row * size.width + column])
            count += 1
          }
        }
        expected.append(UInt8((sum + count / 2) / count))
      }
    }
    for parts in 1...7 {
      #expect(Self.demosaiced(source, pattern, size, parts: parts) == expected, "\(parts) bands")
    }
  }

  @Test(arguments: patterns)
  func `a grey mosaic stays grey even one pixel wide or high`(pattern: Pattern) {
    for size in [ImageSize(1, 1), ImageSize(1, 6), ImageSize(7, 1)] {
      let source = [UInt8](repeating: 93, count: size.count)
      #expect(
        Self.demosaiced(source, pattern, size, parts: 2) == [UInt8](repeating: 93, count: 3 * size.count))
    }
  }
}
