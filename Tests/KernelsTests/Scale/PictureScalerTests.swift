import FrameModel
import Kernels
import Support
import Testing

@Suite struct PictureScalerTests {
  private static func noise(_ width: Int, _ height: Int) -> RGBImage {
    RGBImage(
      width: width, height: height,
      pixels: TestPattern.noise.bytes(ImageSize(3 * width, height), seed: UInt64(width * 1000 + height)))
  }

  /// A picture whose pixel's colour is a function of its place.
  private static func picture(_ width: Int, _ height: Int, _ color: (Int, Int) -> [UInt8]) -> RGBImage {
    RGBImage(
      width: width, height: height,
      pixels: (0..<width * height).flatMap { color($0 % width, $0 / width) })
  }

  @Test(arguments: ImageSize.odd)
  func `a picture of the right size is not changed`(size: ImageSize) {
    let image = Self.noise(size.width, size.height)
    #expect(PictureScaler.fill(image, width: size.width, height: size.height) == image)
  }

  @Test
  func `one colour stays that colour at any size`() {
    for (width, height, targetWidth, targetHeight) in [
      (1, 1, 9, 7), (640, 480, 33, 17), (7, 5, 160, 90), (100, 3, 5, 60), (3, 100, 60, 5),
    ] {
      for color in [[UInt8(255), 255, 255], [0, 0, 0], [1, 128, 254]] {
        let image = RGBImage(
          width: width, height: height, red: color[0], green: color[1], blue: color[2])
        let expected = RGBImage(
          width: targetWidth, height: targetHeight, red: color[0], green: color[1], blue: color[2])
        #expect(PictureScaler.fill(image, width: targetWidth, height: targetHeight) == expected)
      }
    }
  }

  @Test
  func `of a wider picture the middle is kept`() {
    let image = Self.picture(150, 50) { x, _ in
      x < 50 ? [255, 0, 0] : x < 100 ? [0, 255, UInt8(x)] : [0, 0, 255]
    }
    let expected = Self.picture(50, 50) { x, _ in [0, 255, UInt8(x + 50)] }
    #expect(PictureScaler.fill(image, width: 50, height: 50) == expected)
  }

  @Test
  func `of a taller picture the middle is kept`() {
    let image = Self.picture(40, 120) { _, y in
      y < 40 ? [255, 0, 0] : y < 80 ? [0, 255, UInt8(y)] : [0, 0, 255]
    }
    let expected = Self.picture(40, 40) { _, y in [0, 255, UInt8(y + 40)] }
    #expect(PictureScaler.fill(image, width: 40, height: 40) == expected)
  }

  @Test(arguments: [(31, 17, 31, 17), (64, 48, 160, 90), (200, 100, 33, 21), (50, 90, 25, 7), (9, 9, 40, 3)])
  func `each pixel is the mean under a triangle, within rounding`(
    width: Int, height: Int, targetWidth: Int, targetHeight: Int
  ) {
    let image = Self.noise(width, height)
    let result = PictureScaler.fill(image, width: targetWidth, height: targetHeight)
    // Source pixels for each target pixel: as many as fit both ways.
    let step = min(Double(width) / Double(targetWidth), Double(height) / Double(targetHeight))
    func weights(_ i: Int, _ target: Int, _ length: Int) -> [Double] {
      let center = Double(length) / 2 + (Double(i) + 0.5 - Double(target) / 2) * step
      let exact = (0..<length).map { max(0, 1 - abs(Double($0) + 0.5 - center) / max(1, step)) }
      let sum = exact.reduce(0, +)
      return exact.map { $0 / sum }
    }
    let columns = (0..<targetWidth).map { weights($0, targetWidth, width) }
    var worst = 0.0
    for y in 0..<targetHeight {
      let rows = weights(y, targetHeight, height)
      for x in 0..<targetWidth {
        for channel in 0..<3 {
          var exact = 0.0
          for (row, down) in rows.enumerated() where down > 0 {
            for (column, across) in columns[x].enumerated() where across > 0 {
              exact += down * across * Double(image.pixels[(row * width + column) * 3 + channel])
            }
          }
          worst = max(worst, abs(Double(result.pixels[(y * targetWidth + x) * 3 + channel]) - exact))
        }
      }
    }
    print("Scaling \(width)x\(height) to \(targetWidth)x\(targetHeight): at most \(worst) of 255")
    #expect(worst <= 0.55)
  }
}
