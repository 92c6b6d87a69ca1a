import FrameModel
import Kernels
import Support
import TestSupport
import Testing

@Suite struct PictureStretchTests {
  /// Each output pixel is the mean of the source under a triangle around its middle, as wide as the larger of the two pixels
  /// both ways; in double precision.
  private func reference(_ image: RGBImage, _ width: Int, _ height: Int) -> [Double] {
    func weights(_ length: Int, _ count: Int, _ i: Int) -> [Double] {
      let step = Double(length) / Double(count)
      let middle = (Double(i) + 0.5) * step
      let exact = (0..<length).map { max(0, 1 - abs(Double($0) + 0.5 - middle) / max(1, step)) }
      let sum = exact.reduce(0, +)
      return exact.map { $0 / sum }
    }
    let columns = (0..<width).map { weights(image.width, width, $0) }
    let rows = (0..<height).map { weights(image.height, height, $0) }
    var result: [Double] = []
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<3 {
          var sum = 0.0
          for (row, v) in rows[y].enumerated() where v > 0 {
            for (column, h) in columns[x].enumerated() where h > 0 {
              sum += v * h * Double(image.pixels[(row * image.width + column) * 3 + channel])
            }
          }
          result.append(sum)
        }
      }
    }
    return result
  }

  @Test(arguments: [
    (1, 1, 5, 3), (5, 3, 1, 1), (7, 5, 7, 5), (32, 18, 13, 13), (13, 13, 32, 18), (33, 1, 8, 8), (64, 36, 17, 40),
  ])
  func `B.9: pictures are stretched as in double precision, within 1 in 255`(
    sourceWidth: Int, sourceHeight: Int, width: Int, height: Int
  ) {
    let image = noiseImage(sourceWidth, sourceHeight, seed: 9)
    let stretch = PreparedPictureScaler(
      from: (sourceWidth, sourceHeight), to: (width, height), .stretch, threadCount: 1)
    var result = [UInt8](repeating: 0, count: width * height * 3)
    stretch.apply(image.pixels, to: &result, bands: BandRunner(threadCount: 1))
    let exact = reference(image, width, height)
    #expect(zip(result, exact).allSatisfy { abs(Double($0) - $1) <= 1 })
    if sourceWidth == width && sourceHeight == height { #expect(result == image.pixels) }
  }

  @Test func `one colour stays that colour at every size`() {
    for value in [UInt8(0), 1, 128, 254, 255] {
      let image = RGBImage(width: 19, height: 11, red: value, green: value, blue: value)
      let stretch = PreparedPictureScaler(from: (19, 11), to: (7, 23), .stretch, threadCount: 1)
      var result = [UInt8](repeating: 9, count: 7 * 23 * 3)
      stretch.apply(image.pixels, to: &result, bands: BandRunner(threadCount: 1))
      #expect(result.allSatisfy { $0 == value })
    }
  }
}
