import Foundation
import Kernels
import PortableMath
import Testing

@Suite struct GaussianBlurTests {
  private static let seed: UInt64 = 5_150
  /// The last one reaches farther than any of the images.
  static let sigmas = [0, 0.3, 1, 5, 20, 64]

  private static func blurred(_ blur: GaussianBlur, _ source: [UInt8], _ bands: [[Range<Int>]]) -> [UInt32] {
    let poison: UInt32 = 0xDEAD_BEEF
    var along = GuardedOutput<UInt32>(count: source.count, poison: poison)
    var result = GuardedOutput<UInt32>(count: source.count, poison: poison)
    for rows in bands[0] { along.write { blur.horizontal(source, to: $0, rows: rows) } }
    let complete = along.samples
    for rows in bands[1] { result.write { blur.vertical(complete, to: $0, rows: rows) } }
    #expect(along.guardsHold(poison) && result.guardsHold(poison))
    return result.samples
  }

  @Test("the kernel gives the reference's bits", arguments: ImageSize.odd, sigmas)
  func reference(size: ImageSize, sigma: Double) {
    let blur = GaussianBlur(sigma: sigma, width: size.width, height: size.height)
    let whole = [[0..<size.height], [0..<size.height]]
    for (i, pattern) in TestPattern.allCases.enumerated() {
      let source = pattern.bytes(size, seed: Self.seed + UInt64(i))
      #expect(Self.blurred(blur, source, whole) == blur.reference(source), "\(pattern)")
    }
  }

  @Test("rows split anywhere into 1 to 7 bands give the same bits", arguments: [0.3, 5, 20])
  func bands(sigma: Double) {
    var generator = SeededGenerator(seed: Self.seed)
    for size in [ImageSize(17, 33), ImageSize(161, 97), ImageSize(41, 1)] {
      let blur = GaussianBlur(sigma: sigma, width: size.width, height: size.height)
      for pattern in [TestPattern.blobs, .noise] {
        let source = pattern.bytes(size, seed: Self.seed)
        let expected = blur.reference(source)
        for parts in 1...7 {
          let bands = (0..<2).map { _ in randomBands(of: size.height, parts: parts, &generator) }
          #expect(Self.blurred(blur, source, bands) == expected, "\(size) \(pattern) \(bands)")
        }
      }
    }
  }

  @Test(
    "weights are a Gaussian's, rounded to nearest, reach 5 σ and add up to exactly one", arguments: sigmas)
  func weights(sigma: Double) {
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

  @Test("σ = 0 changes nothing but the number of bits")
  func identity() {
    let size = ImageSize(32, 8)
    let source = (0..<256).map { UInt8($0) }
    let blur = GaussianBlur(sigma: 0, width: size.width, height: size.height)
    let result = Self.blurred(blur, source, [[0..<8], [0..<8]])
    for (value, wide) in zip(source, result) {
      #expect(abs(Double(wide) - Double(value) / 255 * 0x1p24) <= 0.5)
    }
  }

  @Test("a flat image stays what it is, whatever σ", arguments: sigmas)
  func flat(sigma: Double) {
    let size = ImageSize(19, 7)
    let blur = GaussianBlur(sigma: sigma, width: size.width, height: size.height)
    for value in [UInt8(0), 1, 100, 254, 255] {
      let source = [UInt8](repeating: value, count: size.count)
      let result = Self.blurred(blur, source, [[0..<7], [0..<7]])
      #expect(Set(result).count == 1)
      #expect(abs(Double(result[0]) - Double(value) / 255 * 0x1p24) <= 0.5)
    }
  }

  @Test("the fixed-point blur is within 2⁻²⁰ of a Gaussian in double precision", arguments: [1.0, 5, 20])
  func exactGaussian(sigma: Double) {
    let size = ImageSize(61, 47)
    let source = TestPattern.blobs.bytes(size, seed: Self.seed)
    let result = Self.blurred(
      GaussianBlur(sigma: sigma, width: size.width, height: size.height), source,
      [[0..<size.height], [0..<size.height]])
    let radius = Int(8 * sigma)
    var taps = (-radius...radius).map { Foundation.exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = taps.reduce(0, +)
    taps = taps.map { $0 / sum }
    var along = [Double](repeating: 0, count: size.count)
    for i in along.indices {
      for (k, tap) in taps.enumerated() {
        let x = min(max(i % size.width + k - radius, 0), size.width - 1)
        along[i] += tap * Double(source[i / size.width * size.width + x]) / 255
      }
    }
    var worst = 0.0
    for i in along.indices {
      var exact = 0.0
      for (k, tap) in taps.enumerated() {
        let y = min(max(i / size.width + k - radius, 0), size.height - 1)
        exact += tap * along[y * size.width + i % size.width]
      }
      worst = max(worst, abs(Double(result[i]) / 0x1p24 - exact))
    }
    print("Gaussian σ = \(sigma): at most \(worst * 0x1p24) / 2²⁴ from double precision")
    #expect(worst <= 0x1p-20)
  }
}
