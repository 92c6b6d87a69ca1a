import Kernels
import Support
import TestSupport
import Testing

@Suite struct ColorConversionTests {
  private static let seed: UInt64 = 601
  private static let sizes = [
    ImageSize(1, 1), ImageSize(1, 7), ImageSize(5, 1), ImageSize(6, 4), ImageSize(17, 33), ImageSize(18, 3),
    ImageSize(34, 2), ImageSize(83, 5),
  ]

  private static let matrices = [
    ColorMatrix.full601, ColorMatrix(.bt601, .limited), ColorMatrix(.bt709, .full), ColorMatrix(.bt709, .limited),
  ]

  private static func random(_ count: Int) -> [UInt8] {
    TestPattern.noise.bytes(ImageSize(count, 1), seed: seed)
  }

  private static func converted(
    _ size: ImageSize, _ kernel: (UnsafeMutablePointer<UInt8>, Range<Int>, Processor) -> Void
  ) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    var results: [[UInt8]] = []
    for parts in 1...7 {
      for processor in Processor.available {
        var output = GuardedOutput<UInt8>(count: 3 * size.count, poison: 0xC3)
        for rows in randomBands(of: size.height, parts: parts, &generator) {
          output.write { kernel($0, rows, processor) }
        }
        #expect(output.guardsHold(0xC3))
        results.append(output.samples)
      }
    }
    #expect(results.allSatisfy { $0 == results[0] }, "bands and processors change nothing")
    return results[0]
  }

  @Test(arguments: sizes, matrices)
  func `YUYV: two pixels share their chroma, and an odd last column has its own`(size: ImageSize, matrix: ColorMatrix) {
    let stride = (size.width + 1) / 2 * 4
    let source = Self.random(stride * size.height)
    let rgb = Self.converted(size) {
      ColorConversion.yuyv(source, matrix, width: size.width, to: $0, rows: $1, processor: $2)
    }
    for i in 0..<size.count {
      let (x, y) = (i % size.width, i / size.width)
      let pair = y * stride + x / 2 * 4
      let plain = matrix.rgb(source[pair + (x % 2 == 0 ? 0 : 2)], source[pair + 1], source[pair + 3])
      #expect((rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]) == plain)
    }
  }

  @Test(arguments: sizes, matrices)
  func `NV12: four pixels share their chroma, odd last columns and rows too`(size: ImageSize, matrix: ColorMatrix) {
    let stride = (size.width + 1) / 2 * 2
    let source = Self.random(stride * (size.height + (size.height + 1) / 2))
    let rgb = Self.converted(size) {
      ColorConversion.nv12(source, matrix, width: size.width, height: size.height, to: $0, rows: $1, processor: $2)
    }
    for i in 0..<size.count {
      let (x, y) = (i % size.width, i / size.width)
      let chroma = stride * size.height + y / 2 * stride + x / 2 * 2
      let plain = matrix.rgb(source[y * stride + x], source[chroma], source[chroma + 1])
      #expect((rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]) == plain)
    }
  }

  @Test(arguments: sizes)
  func `grey becomes three equal channels`(size: ImageSize) {
    let source = Self.random(size.count)
    let rgb = Self.converted(size) { target, rows, _ in
      ColorConversion.grey(source, width: size.width, to: target, rows: rows)
    }
    #expect(rgb == source.flatMap { [$0, $0, $0] })
  }
}
