import Foundation
import Kernels
import Support
import Testing

@Suite struct GuidedFilterTests {
  private static let seed: UInt64 = 90_210

  /// A mask over a video: by the widths both ways, middles on middles, or stretched.
  struct Shape: Sendable, CustomStringConvertible {
    let mask: ImageSize
    let video: ImageSize
    var isStretched = false
    var horizontal: ScaleLine {
      ScaleLine(from: mask.width, to: video.width, scaleNumerator: video.width, scaleDenominator: mask.width)
    }
    var vertical: ScaleLine {
      isStretched
        ? ScaleLine(from: mask.height, to: video.height, scaleNumerator: video.height, scaleDenominator: mask.height)
        : ScaleLine(from: mask.height, to: video.height, scaleNumerator: video.width, scaleDenominator: mask.width)
    }
    var description: String { "\(mask) to \(video)\(isStretched ? " stretched" : "")" }

    static let odd = [
      Shape(mask: ImageSize(1, 1), video: ImageSize(5, 3)), Shape(mask: ImageSize(1, 37), video: ImageSize(3, 80)),
      Shape(mask: ImageSize(3, 2), video: ImageSize(7, 4)), Shape(mask: ImageSize(17, 33), video: ImageSize(33, 61)),
      Shape(mask: ImageSize(64, 48), video: ImageSize(160, 90)),
      Shape(mask: ImageSize(64, 48), video: ImageSize(64, 48)),
      Shape(mask: ImageSize(33, 17), video: ImageSize(12, 29), isStretched: true),
      Shape(mask: ImageSize(20, 20), video: ImageSize(131, 57), isStretched: true),
    ]
  }

  enum Picture: CaseIterable, Sendable {
    case noise, soft, grain, black
    /// `soft` has an outline where `blobs` may not, `grain` a contrast as low as the smallest ε.
    func rgb(_ size: ImageSize) -> [UInt8] {
      var generator = SeededGenerator(seed: seed)
      return (0..<size.count).flatMap { i -> [UInt8] in
        let (x, y) = (Double(i % size.width), Double(i / size.width))
        switch self {
        case .noise: return (0..<3).map { _ in UInt8(generator.next(below: 256)) }
        case .black: return [0, 0, 0]
        case .grain: return (0..<3).map { _ in UInt8(120 + generator.next(below: 7)) }
        case .soft:
          let level = x + 0.4 * y < 0.6 * Double(size.width) ? 200.0 : 60.0
          let value = level + 20 * Foundation.sin(x / 3) + Double(generator.next(below: 5))
          return [UInt8(value), UInt8(value * 0.9), UInt8(value * 0.7)]
        }
      }
    }
  }

  private static func matte(_ pattern: TestPattern, _ size: ImageSize) -> [Int16] {
    pattern.bytes(size, seed: seed).map { Int16($0) * 64 }
  }

  private static func result(
    _ shape: Shape, radius: Int, epsilon: Double, _ matte: [Int16], _ rgb: [UInt8], _ processor: Processor,
    threadCount: Int
  ) -> [UInt8] {
    let filter = GuidedFilter(
      radius: radius, epsilon: epsilon, horizontal: shape.horizontal, vertical: shape.vertical,
      threadCount: threadCount, processor: processor)
    let picture = PixelPlane<UInt8>(width: shape.video.width, height: shape.video.height, channels: 3)
    picture.samples.update(from: rgb, count: rgb.count)
    let result = PixelPlane<UInt8>(width: shape.video.width, height: shape.video.height)
    let samples = MatteSamples(packed: matte, width: shape.mask.width, height: shape.mask.height)
    // Twice, so that what the first left in working memory would be seen.
    for _ in 0..<2 {
      result.fill(0x5A)
      filter.apply(samples, picture: picture, to: result, bands: BandRunner(threadCount: threadCount))
    }
    return Array(UnsafeBufferPointer(start: result.samples, count: result.count))
  }

  @Test(arguments: Shape.odd, [1, 4, 20])
  func `the kernels give the formula's bits, on 1, 2 and 5 threads`(shape: Shape, radius: Int) {
    for (pattern, picture) in [
      (TestPattern.noise, Picture.noise), (.blobs, .soft), (.blobs, .noise), (.extremes, .grain), (.ones, .noise),
      (.zeros, .soft), (.extremes, .black),
    ] {
      let (matte, rgb) = (Self.matte(pattern, shape.mask), picture.rgb(shape.video))
      for epsilon in [0.0001, 0.001, 1] {
        let filter = GuidedFilter(
          radius: radius, epsilon: epsilon, horizontal: shape.horizontal, vertical: shape.vertical, threadCount: 1)
        let expected = filter.reference(matte, rgb: rgb)
        for processor in Processor.available {
          for threadCount in [1, 2, 5] {
            let result = Self.result(
              shape, radius: radius, epsilon: epsilon, matte, rgb, processor, threadCount: threadCount)
            #expect(result == expected, "\(processor) \(threadCount) \(pattern) \(picture) \(epsilon)")
          }
        }
      }
    }
  }

  @Test(arguments: [16, 31, 32])
  func `where windows reach over the whole image, and are 65 wide, nothing overflows`(radius: Int) {
    let shape = Shape(mask: ImageSize(97, 70), video: ImageSize(97, 70))
    // Half of all windows is white: a and its sums are as large as they get.
    let half = (0..<97 * 70).map { $0 % 97 < 48 ? MatteSamples.one : 0 }
    for contrast in [UInt8(4), 5, 6, 255] {
      let rgb = half.flatMap { [UInt8](repeating: $0 == 0 ? 0 : contrast, count: 3) }
      let filter = GuidedFilter(
        radius: radius, epsilon: 0.0001, horizontal: shape.horizontal, vertical: shape.vertical, threadCount: 1)
      for (matte, name) in [(half, "rising"), (half.map { MatteSamples.one - $0 }, "falling")] {
        let expected = filter.reference(matte, rgb: rgb)
        for processor in Processor.available {
          let result = Self.result(shape, radius: radius, epsilon: 0.0001, matte, rgb, processor, threadCount: 2)
          #expect(result == expected, "\(processor) \(contrast) \(name)")
        }
      }
    }
  }

  @Test(
    arguments: Shape.odd,
    [0.0001, 0.001, 0.01, 1])
  func `the matte is within 1/255 of He, Sun and Tang's formula in double precision`(shape: Shape, epsilon: Double) {
    var worst = 0.0
    for radius in [1, 2, 8] {
      for (pattern, picture) in [
        (TestPattern.noise, Picture.noise), (.blobs, .soft), (.blobs, .noise), (.extremes, .grain), (.noise, .grain),
      ] {
        let (matte, rgb) = (Self.matte(pattern, shape.mask), picture.rgb(shape.video))
        let exact = GuidedReference(shape: shape, radius: radius, epsilon: epsilon).matte(matte, rgb: rgb)
        let result = Self.result(shape, radius: radius, epsilon: epsilon, matte, rgb, .best, threadCount: 1)
        worst = zip(result, exact).reduce(worst) { max($0, abs(Double($1.0) - $1.1)) }
      }
    }
    print("Guided filter, \(shape), ε \(epsilon): at most \(worst) of 255 from double precision")
    #expect(worst <= 1)
  }

  @Test(arguments: [0, 1, 7, 8, 9, 10, 31, 1000])
  func `grey is 38 R + 75 G + 15 B for any count of pixels`(count: Int) {
    let rgb = count == 1 ? [255, 255, 255] : Picture.noise.rgb(ImageSize(max(count, 1), 1))
    for processor in Processor.available {
      var output = GuardedOutput<Int16>(count: count, poison: -77)
      output.write { GreyReduction.grey(rgb, to: $0, count: count, processor: processor) }
      #expect(output.guardsHold(-77))
      #expect(
        output.samples == (0..<count).map { GreyReduction.greyReference(rgb[3 * $0], rgb[3 * $0 + 1], rgb[3 * $0 + 2]) }
      )
    }
    #expect(GreyReduction.greyReference(255, 255, 255) == 255 * 128)
  }

  @Test
  func `flat parts of a matte stay exactly flat, whatever the picture shows`() {
    let shape = Shape(mask: ImageSize(96, 64), video: ImageSize(192, 128))
    let matte = (0..<96 * 64).map { $0 % 96 < 40 ? MatteSamples.one : 0 }
    let result = Self.result(
      shape, radius: 4, epsilon: 0.0001, matte, Picture.noise.rgb(shape.video), .best, threadCount: 1)
    for i in result.indices {
      // Two radii and a pixel for bilinear scaling from the outline.
      if i % 192 < 2 * (40 - 9) { #expect(result[i] == 255) }
      if i % 192 >= 2 * (40 + 9) { #expect(result[i] == 0) }
    }
  }
}

/// The fast guided filter in double precision, from the formula and nothing of the package.
struct GuidedReference {
  let shape: GuidedFilterTests.Shape
  let radius: Int
  let epsilon: Double

  /// Video pixels for a mask pixel, and where a mask pixel's corner lies on the video.
  private func step(_ line: ScaleLine) -> Double { Double(line.scaleNumerator) / Double(line.scaleDenominator) }

  /// The share of each video pixel in a mask pixel, or in a box one video pixel wide.
  private func shares(_ i: Int, _ line: ScaleLine) -> [(Int, Double)] {
    let center = (Double(i) + 0.5 - Double(line.sourceLength) / 2) * step(line) + Double(line.targetLength) / 2
    let half = max(step(line), 1) / 2
    let (low, high) = (center - half, center + half)
    return (Int(low.rounded(.down))...Int(high.rounded(.up))).map { (j: Int) -> (Int, Double) in
      let overlap = min(high, Double(j) + 1) - max(low, Double(j))
      return (min(max(j, 0), line.targetLength - 1), max(0, overlap) / (2 * half))
    }
  }

  private func taps(_ i: Int, _ line: ScaleLine) -> [(Int, Double)] {
    let fromMiddle = Double(i) + 0.5 - Double(line.targetLength) / 2
    let place = fromMiddle / step(line) + Double(line.sourceLength) / 2 - 0.5
    let (floor, last) = (Int(place.rounded(.down)), line.sourceLength - 1)
    let share = place - place.rounded(.down)
    return [(min(max(floor, 0), last), 1 - share), (min(max(floor + 1, 0), last), share)]
  }

  private func mean(_ i: Int, _ value: (Int) -> Double) -> Double {
    let (width, height) = (shape.mask.width, shape.mask.height)
    var (sum, count) = (0.0, 0.0)
    for y in max(i / width - radius, 0)...min(i / width + radius, height - 1) {
      for x in max(i % width - radius, 0)...min(i % width + radius, width - 1) {
        sum += value(y * width + x)
        count += 1
      }
    }
    return sum / count
  }

  /// 0 ... 255.
  func matte(_ samples: [Int16], rgb: [UInt8]) -> [Double] {
    let (width, videoWidth) = (shape.mask.width, shape.video.width)
    let grey = (0..<shape.video.count).map { (i: Int) -> Double in
      let (red, green, blue) = (Double(rgb[3 * i]), Double(rgb[3 * i + 1]), Double(rgb[3 * i + 2]))
      let sum: Double = 38.0 * red + 75.0 * green + 15.0 * blue
      return sum / 32_640.0
    }
    let p = samples.map { Double($0) / (255 * 64) }
    var guide = [Double](repeating: 0, count: p.count)
    for i in guide.indices {
      for (y, down) in shares(i / width, shape.vertical) {
        for (x, across) in shares(i % width, shape.horizontal) { guide[i] += down * across * grey[y * videoWidth + x] }
      }
    }
    let lines = p.indices.map { i -> (a: Double, b: Double) in
      let (meanI, meanP) = (mean(i) { guide[$0] }, mean(i) { p[$0] })
      let variance = mean(i) { (guide[$0] - meanI) * (guide[$0] - meanI) }
      let covariance = mean(i) { (guide[$0] - meanI) * (p[$0] - meanP) }
      let a = covariance / (variance + epsilon)
      return (a, meanP - a * meanI)
    }
    let a = p.indices.map { i in mean(i) { lines[$0].a } }
    let b = p.indices.map { i in mean(i) { lines[$0].b } }
    return grey.indices.map { (i: Int) -> Double in
      var q = 0.0
      for (y, down) in taps(i / videoWidth, shape.vertical) {
        for (x, across) in taps(i % videoWidth, shape.horizontal) {
          let k = y * width + x
          let value: Double = a[k] * grey[i] + b[k]
          q += down * across * value
        }
      }
      return 255 * min(max(q, 0), 1)
    }
  }
}
