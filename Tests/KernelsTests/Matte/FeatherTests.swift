import Foundation
import Kernels
import Support
import Testing

@Suite struct FeatherTests {
  private static let seed: UInt64 = 2_323

  @Test(arguments: ImageSize.odd)
  func `the kernels give the reference's bits on either side of the outline`(size: ImageSize) {
    var generator = SeededGenerator(seed: Self.seed)
    for feather in Feather.allCases {
      for processor in Processor.available {
        for (i, pattern) in TestPattern.allCases.enumerated() {
          let softening = Softening(sigma: 3, power: 0.7, feather: feather, size, processor: processor)
          let mask = pattern.bytes(size, seed: Self.seed + UInt64(i))
          let matte = softening.apply(mask, bands: randomBands(of: size.height, parts: 3, &generator))
          #expect(matte.packed == softening.reference(mask), "\(processor) \(feather) \(pattern)")
        }
      }
    }
  }

  /// Out to 8 σ, in double precision, edges repeated.
  private static func gaussian(_ mask: [UInt8], _ size: ImageSize, sigma: Double) -> [Double] {
    let radius = Int(8 * sigma)
    var taps = (-radius...radius).map { Foundation.exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = taps.reduce(0, +)
    taps = taps.map { $0 / sum }
    func blur(_ image: [Double], _ place: (Int, Int) -> Int) -> [Double] {
      image.indices.map { i in
        taps.enumerated().reduce(0) { $0 + $1.element * image[place(i, $1.offset - radius)] }
      }
    }
    let along = blur(mask.map { Double($0) / 255 }) { i, k in
      i / size.width * size.width + min(max(i % size.width + k, 0), size.width - 1)
    }
    return blur(along) { i, k in min(max(i / size.width + k, 0), size.height - 1) * size.width + i % size.width }
  }

  @Test(arguments: [0.4, 0.5, 0.75, 1, 2.2, 8], [0.7, 2, 5])
  func `clamp(2m − 1) and clamp(2m) before the power are within 1/255 of double precision`(power: Double, sigma: Double)
  {
    let size = ImageSize(97, 61)
    for feather in Feather.allCases {
      var worst = 0.0
      for seed in 0..<3 {
        let mask = TestPattern.blobs.bytes(size, seed: Self.seed + UInt64(seed))
        let softening = Softening(sigma: sigma, power: power, feather: feather, size, processor: .best)
        let matte = softening.apply(mask, bands: [0..<61])
        for (sample, m) in zip(matte.packed, Self.gaussian(mask, size, sigma: sigma)) {
          let side = feather == .both ? m : feather == .inside ? max(2 * m - 1, 0) : min(2 * m, 1)
          let exact = 255 * Foundation.pow(side, power)
          worst = max(worst, abs(Double((sample + 32) / 64) - exact))
        }
      }
      print("Feather \(feather), gamma \(power), σ \(sigma): at most \(worst) of 255 from double precision")
      #expect(worst <= 1, "\(feather)")
    }
  }

  @Test
  func `in shows nothing outside the outline, out gives away nothing inside`() {
    // A straight outline between columns 31 and 32: the blur is ½ between them.
    let mask = (0..<64 * 9).map { $0 % 64 < 32 ? UInt8(255) : 0 }
    for feather in [Feather.inside, .outside] {
      let softening = Softening(sigma: 4, power: 0.5, feather: feather, ImageSize(64, 9), processor: .best)
      let matte = softening.apply(mask, bands: [0..<9])
      let row = (0..<64).map { matte.row(4)[$0] }
      if feather == .inside {
        #expect(row[32...].allSatisfy { $0 == 0 } && row[31] > 0 && row[31] < MatteSamples.one)
      } else {
        #expect(row[..<32].allSatisfy { $0 == MatteSamples.one } && row[32] > 0 && row[32] < MatteSamples.one)
      }
    }
  }
}
