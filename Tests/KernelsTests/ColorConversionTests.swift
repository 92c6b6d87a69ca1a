import Kernels
import PortableMath
import Testing

@Suite struct ColorConversionTests {
  private static let seed: UInt64 = 601
  private static let sizes = [
    ImageSize(1, 1), ImageSize(1, 7), ImageSize(5, 1), ImageSize(6, 4), ImageSize(17, 33),
  ]

  /// The formula of BT.601 in double precision, before rounding.
  static func exact(_ y: UInt8, _ u: UInt8, _ v: UInt8) -> [Double] {
    let (luma, cb, cr) = (Double(y), Double(u) - 128, Double(v) - 128)
    return [luma + 1.402 * cr, luma - 0.344136 * cb - 0.714136 * cr, luma + 1.772 * cb]
      .map { min(max($0, 0), 255) }
  }

  private static func random(_ count: Int) -> [UInt8] {
    TestPattern.noise.bytes(ImageSize(count, 1), seed: seed)
  }

  private static func converted(
    _ size: ImageSize, _ kernel: (UnsafeMutablePointer<UInt8>, Range<Int>) -> Void
  ) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    var results: [[UInt8]] = []
    for parts in 1...7 {
      var output = GuardedOutput<UInt8>(count: 3 * size.count, poison: 0xC3)
      for rows in randomBands(of: size.height, parts: parts, &generator) { output.write { kernel($0, rows) } }
      #expect(output.guardsHold(0xC3))
      results.append(output.samples)
    }
    #expect(results.allSatisfy { $0 == results[0] }, "bands change nothing")
    return results[0]
  }

  @Test("luma and chroma of all values are within rounding of BT.601 in double precision")
  func formula() {
    let chroma = stride(from: 0, through: 255, by: 5).map { UInt8($0) } + [1, 127, 128, 129, 254]
    var worst = 0.0
    for u in chroma {
      for v in chroma {
        let row = (0..<128).flatMap { [UInt8(2 * $0), u, UInt8(2 * $0 + 1), v] }
        var rgb = [UInt8](repeating: 0, count: 768)
        ColorConversion.yuyv(row, width: 256, to: &rgb, rows: 0..<1)
        for y in 0..<256 {
          for (channel, value) in Self.exact(UInt8(y), u, v).enumerated() {
            worst = max(worst, abs(Double(rgb[3 * y + channel]) - value))
          }
        }
      }
    }
    print("BT.601: at most \(worst) of 255 from double precision")
    #expect(worst <= 0.51)
  }

  @Test("YUYV: two pixels share their chroma, and an odd last column has its own", arguments: sizes)
  func yuyv(size: ImageSize) {
    let stride = (size.width + 1) / 2 * 4
    let source = Self.random(stride * size.height)
    let rgb = Self.converted(size) { ColorConversion.yuyv(source, width: size.width, to: $0, rows: $1) }
    for i in 0..<size.count {
      let (x, y) = (i % size.width, i / size.width)
      let pair = y * stride + x / 2 * 4
      let exact = Self.exact(source[pair + (x % 2 == 0 ? 0 : 2)], source[pair + 1], source[pair + 3])
      for channel in 0..<3 { #expect(abs(Double(rgb[3 * i + channel]) - exact[channel]) <= 0.51) }
    }
  }

  @Test("NV12: four pixels share their chroma, odd last columns and rows too", arguments: sizes)
  func nv12(size: ImageSize) {
    let stride = (size.width + 1) / 2 * 2
    let source = Self.random(stride * (size.height + (size.height + 1) / 2))
    let rgb = Self.converted(size) {
      ColorConversion.nv12(source, width: size.width, height: size.height, to: $0, rows: $1)
    }
    for i in 0..<size.count {
      let (x, y) = (i % size.width, i / size.width)
      let chroma = stride * size.height + y / 2 * stride + x / 2 * 2
      let exact = Self.exact(source[y * stride + x], source[chroma], source[chroma + 1])
      for channel in 0..<3 { #expect(abs(Double(rgb[3 * i + channel]) - exact[channel]) <= 0.51) }
    }
  }

  @Test("grey becomes three equal channels", arguments: sizes)
  func grey(size: ImageSize) {
    let source = Self.random(size.count)
    let rgb = Self.converted(size) { ColorConversion.grey(source, width: size.width, to: $0, rows: $1) }
    #expect(rgb == source.flatMap { [$0, $0, $0] })
  }
}
