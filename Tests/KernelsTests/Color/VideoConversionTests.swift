import Kernels
import Support
import Testing

@Suite struct VideoConversionTests {
  /// By all processors, which must agree: the three planes behind each other.
  private static func planes(_ rgb: [UInt8]) -> [UInt8] {
    let count = rgb.count / 3
    let results = Processor.available.map { processor in
      var out = GuardedOutput<UInt8>(count: 3 * count, poison: 0x5A)
      out.write { target in
        rgb.withUnsafeBufferPointer {
          VideoConversion.planes(
            $0.baseAddress!, luma: target, blue: target + count, red: target + 2 * count, count: count,
            processor: processor)
        }
      }
      #expect(out.guardsHold(0x5A))
      return out.samples
    }
    #expect(results.allSatisfy { $0 == results[0] })
    return results[0]
  }

  private static func yuyv(_ rgb: [UInt8], _ size: ImageSize) -> [UInt8] {
    let results = Processor.available.map { processor in
      var out = GuardedOutput<UInt8>(
        count: (size.width + 1) / 2 * 4 * size.height, poison: 0x5A)
      out.write { target in
        rgb.withUnsafeBufferPointer {
          VideoConversion.yuyv(
            $0.baseAddress!, to: target, width: size.width, height: size.height, processor: processor)
        }
      }
      #expect(out.guardsHold(0x5A))
      return out.samples
    }
    #expect(results.allSatisfy { $0 == results[0] })
    return results[0]
  }

  private static func pixel(_ rgb: [UInt8], _ i: Int) -> (Int, Int, Int) {
    (Int(rgb[3 * i]), Int(rgb[3 * i + 1]), Int(rgb[3 * i + 2]))
  }

  @Test
  func
    `the reference is BT.601 in its limited range, within one of 255, and exact for greys and the primaries' limits`()
  {
    var worst = 0.0
    for r in stride(from: 0, through: 255, by: 5) {
      for g in stride(from: 0, through: 255, by: 5) {
        for b in stride(from: 0, through: 255, by: 5) {
          let (x, y, z) = (Double(r) / 255, Double(g) / 255, Double(b) / 255)
          let luma = 0.299 * x + 0.587 * y + 0.114 * z
          let exact = [16 + 219 * luma, 128 + 112 * (z - luma) / 0.886, 128 + 112 * (x - luma) / 0.701]
          let out = VideoConversion.reference(r, g, b)
          for (value, wanted) in zip([out.luma, out.blue, out.red], exact) {
            worst = max(worst, abs(Double(value) - wanted))
          }
        }
      }
    }
    // Rounding, and the weights' 16 fractional bits.
    #expect(worst < 0.505)
    #expect(VideoConversion.reference(0, 0, 0) == (16, 128, 128))
    #expect(VideoConversion.reference(255, 255, 255) == (235, 128, 128))
  }

  @Test(arguments: ImageSize.odd)
  func `the planes' kernel gives the reference's bits, at all sizes and extremes`(size: ImageSize) {
    for (seed, pattern) in TestPattern.allCases.enumerated() {
      let rgb = pattern.bytes(ImageSize(size.width * 3, size.height), seed: UInt64(seed))
      let out = Self.planes(rgb)
      let wrong = (0..<size.count).count { i in
        let (r, g, b) = Self.pixel(rgb, i)
        return VideoConversion.reference(r, g, b)
          != (out[i], out[size.count + i], out[2 * size.count + i])
      }
      #expect(wrong == 0, "\(size) \(pattern)")
    }
  }

  @Test(arguments: ImageSize.odd)
  func `YUYV has each pixel's luma, and the chroma of the mean of two`(size: ImageSize) {
    for (seed, pattern) in TestPattern.allCases.enumerated() {
      let rgb = pattern.bytes(ImageSize(size.width * 3, size.height), seed: UInt64(seed))
      let out = Self.yuyv(rgb, size)
      var wrong = 0
      for y in 0..<size.height {
        for pair in 0..<(size.width + 1) / 2 {
          let first = y * size.width + 2 * pair
          let second = 2 * pair + 1 < size.width ? first + 1 : first
          let (a, b) = (Self.pixel(rgb, first), Self.pixel(rgb, second))
          let chroma = VideoConversion.reference(a.0 + b.0, a.1 + b.1, a.2 + b.2, doublings: 1)
          let expected = [
            VideoConversion.reference(a.0, a.1, a.2).luma, chroma.blue,
            VideoConversion.reference(b.0, b.1, b.2).luma, chroma.red,
          ]
          let place = (y * ((size.width + 1) / 2) + pair) * 4
          if Array(out[place..<place + 4]) != expected { wrong += 1 }
        }
      }
      #expect(wrong == 0, "\(size) \(pattern)")
    }
  }
}
