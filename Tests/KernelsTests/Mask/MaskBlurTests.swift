import Foundation
import Kernels
import Support
import Testing

@Suite struct MaskBlurTests {
  private static let seed: UInt64 = 5_150
  /// The last one reaches farther than any of the images.
  static let sigmas = [0, 0.3, 1, 5, 20, 64]

  private static func softening(_ size: ImageSize, _ sigma: Double, _ processor: Processor, power: Double = 0.5)
    -> Softening
  {
    Softening(sigma: sigma, power: power, size, processor: processor)
  }

  @Test(arguments: ImageSize.odd, sigmas)
  func `the kernels give the reference's bits`(size: ImageSize, sigma: Double) {
    for processor in Processor.available {
      let softening = Self.softening(size, sigma, processor)
      for (i, pattern) in TestPattern.allCases.enumerated() {
        let mask = pattern.bytes(size, seed: Self.seed + UInt64(i))
        let result = softening.apply(mask, bands: [0..<size.height]).packed
        #expect(result == softening.reference(mask), "\(processor) \(pattern)")
      }
    }
  }

  @Test(arguments: [0.3, 5, 20])
  func `rows split anywhere into 1 to 7 bands give the same bits`(sigma: Double) {
    var generator = SeededGenerator(seed: Self.seed)
    for size in [ImageSize(17, 33), ImageSize(161, 97), ImageSize(41, 1)] {
      for pattern in [TestPattern.blobs, .noise] {
        let mask = pattern.bytes(size, seed: Self.seed)
        let expected = Self.softening(size, sigma, .plain).reference(mask)
        for processor in Processor.available {
          let softening = Self.softening(size, sigma, processor)
          for parts in 1...7 {
            let bands = randomBands(of: size.height, parts: parts, &generator)
            #expect(softening.apply(mask, bands: bands).packed == expected, "\(processor) \(size) \(pattern) \(bands)")
          }
        }
      }
    }
  }

  @Test
  func `a few grey pixels among black and white are weighed like all others`() {
    let size = ImageSize(97, 61)
    for grey in [UInt8(1), 128, 254] {
      var mask = TestPattern.blobs.bytes(size, seed: Self.seed)
      for i in [0, 5, 96, 97 * 30, 97 * 30 + 50, 97 * 61 - 1] { mask[i] = grey }
      for processor in Processor.available {
        let softening = Self.softening(size, 5, processor)
        #expect(softening.apply(mask, bands: [0..<61]).packed == softening.reference(mask), "\(processor) \(grey)")
      }
    }
  }

  @Test(arguments: sigmas)
  func `weights are a Gaussian's, rounded to nearest, reach 5 σ and add up to exactly one`(sigma: Double) {
    let weights = GaussianWeights(sigma: sigma)
    let half = weights.half
    #expect(half.count == weights.radius + 1)
    #expect(UInt64(half[0]) + 2 * half.dropFirst().reduce(0) { $0 + UInt64($1) } == 1 << 24)
    guard sigma > 0 else { return #expect(weights.radius == 0) }
    #expect(weights.radius == Int((5 * sigma).rounded(.up)))
    let sum = (-weights.radius...weights.radius).reduce(0.0) {
      $0 + Foundation.exp(-Double($1 * $1) / (2 * sigma * sigma))
    }
    for k in half.indices.dropFirst() {
      let exact = Foundation.exp(-Double(k * k) / (2 * sigma * sigma)) / sum * 0x1p24
      #expect(abs(Double(half[k]) - exact) <= 0.51)
    }
  }

  @Test
  func `σ = 0 leaves a mask as it is, but for the curve`() {
    let size = ImageSize(32, 8)
    let mask = (0..<256).map { UInt8($0) }
    for processor in Processor.available {
      let result = Self.softening(size, 0, processor, power: 1).apply(mask, bands: [0..<8]).packed
      for (value, sample) in zip(mask, result) {
        #expect(abs(Double(sample) - Double(value) * 64) <= 4.5)
      }
    }
  }

  @Test(arguments: sigmas)
  func `a flat mask stays what it is, whatever σ`(sigma: Double) {
    let size = ImageSize(19, 7)
    let softening = Self.softening(size, sigma, .best, power: 1)
    for value in [UInt8(0), 1, 100, 254, 255] {
      let result = softening.apply([UInt8](repeating: value, count: size.count), bands: [0..<7]).packed
      #expect(Set(result).count == 1)
      #expect(abs(Double(result[0]) - Double(value) * 64) <= 4.5)
    }
  }

  @Test
  func `a matte that holds the last frame is brought to the next one's, whatever both are`() {
    let size = ImageSize(161, 97)
    let patterns = [TestPattern.blobs, .ones, .blobs, .zeros, .noise, .ones, .noise, .zeros, .blobs]
    let frames = patterns.map { $0.bytes(size, seed: Self.seed) }
    for processor in Processor.available {
      let softening = Self.softening(size, 3, processor)
      for (last, mask) in frames.enumerated() {
        let matte = softening.apply(mask, after: Array(frames[..<last]), bands: [0..<size.height])
        #expect(matte.packed == softening.reference(mask), "\(processor) \(patterns[last])")
      }
    }
  }

  @Test(arguments: [0, 0.05, 0.3, 0.5, 0.6, 0.7, 0.8, 1, 1.5, 2, 3, 5, 7.3, 12, 20, 33, 64])
  func `the column's taps are the weights in two scales, and add up to one or 2⁻²⁴ less`(sigma: Double) {
    let weights = GaussianWeights(sigma: sigma)
    let columns = weights.columns
    #expect(columns.taps.count.isMultiple(of: 2) && columns.innerCount.isMultiple(of: 2))
    #expect((15...18).contains(columns.innerBits))
    #expect((weights.radius + 1...weights.radius + 2).contains(columns.taps.count) || columns.taps.count == 2)
    #expect(columns.taps.allSatisfy { $0 >= 0 })
    var sum = 0
    var wrong = 0
    for (k, tap) in columns.taps.enumerated() {
      let isInner = k < columns.innerCount
      let weight = isInner ? Int(tap) << (24 - columns.innerBits) + Int(columns.rests[k]) : Int(tap)
      if weight != (k <= weights.radius ? Int(weights.half[k]) / (k == 0 ? 2 : 1) : 0) { wrong += 1 }
      sum += 2 * weight
    }
    #expect(wrong == 0)
    #expect((1 << 24 - 1...1 << 24).contains(sum))
  }

  @Test(arguments: [0.5, 1.0, 2, 5, 12, 20])
  func `the fixed-point blur v is within 2⁻²² + v/256 of a Gaussian in double precision, and within 2⁻²⁰ anywhere`(
    sigma: Double
  ) {
    let size = ImageSize(61, 47)
    let mask = TestPattern.blobs.bytes(size, seed: Self.seed)
    // The kernels' bits, as the tests above show.
    let result = Self.softening(size, sigma, .plain).blur.reference(mask)
    let radius = Int(8 * sigma)
    var taps = (-radius...radius).map { Foundation.exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = taps.reduce(0, +)
    taps = taps.map { $0 / sum }
    var along = [Double](repeating: 0, count: size.count)
    for i in along.indices {
      for (k, tap) in taps.enumerated() {
        let x = min(max(i % size.width + k - radius, 0), size.width - 1)
        along[i] += tap * Double(mask[i / size.width * size.width + x]) / 255
      }
    }
    var (worst, worstOfFaint) = (0.0, 0.0)
    for i in along.indices {
      var exact = 0.0
      for (k, tap) in taps.enumerated() {
        let y = min(max(i / size.width + k - radius, 0), size.height - 1)
        exact += tap * along[y * size.width + i % size.width]
      }
      let error = abs(Double(result[i]) / 0x1p24 - exact)
      worst = max(worst, error)
      worstOfFaint = max(worstOfFaint, error / (0x1p-22 + exact / 256))
    }
    print("Gaussian σ = \(sigma): at most \(worst * 0x1p24) / 2²⁴ from double precision, \(worstOfFaint) of the bound")
    #expect(worst <= 0x1p-20)
    #expect(worstOfFaint <= 1)
  }
}
