import FrameModel
import Kernels
import Scores
import Support
import Testing

/// What a scene is made of.
@Suite struct ScenePartTests {
  @Test(arguments: [1, 3, 10, 61, 256])
  func `grey is the formula's, whatever the width and the processor`(width: Int) {
    var random = SeededGenerator(seed: UInt64(width))
    let picture = PixelPlane<UInt8>(width: width, height: 5, channels: 3)
    for i in 0..<picture.count { picture.samples[i] = i < 6 ? UInt8(i / 3 * 255) : UInt8(random.next(below: 256)) }
    for processor in Processor.available {
      let grey = PixelPlane<UInt8>(width: width, height: 5)
      GreyPicture.convert(picture, to: grey, processor: processor)
      for i in 0..<grey.count {
        let pixel = picture.samples + 3 * i
        #expect(grey.samples[i] == Self.grey(pixel[0], pixel[1], pixel[2]))
      }
    }
    #expect(Self.grey(255, 255, 255) == 255 && Self.grey(0, 0, 0) == 0)
  }

  private static func grey(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
    let sum = 38 * Int(red) + 75 * Int(green) + 15 * Int(blue)
    return UInt8((sum + 64) / 128)
  }

  private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> FaceBox? {
    FaceBox(.init(x: x, y: y, width: width, height: height), width: 40, height: 30)
  }

  @Test
  func `a face's box has every pixel that it touches, and ends at the picture's edge`() throws {
    let inside = try #require(box(3.2, 4, 5.1, 6))
    #expect(inside.columns == 3..<9 && inside.rows == 4..<10)
    let beyond = try #require(box(-7.5, 25.9, 100, 100))
    #expect(beyond.columns == 0..<40 && beyond.rows == 25..<30)
    let endless = try #require(box(-1e300, 0, .infinity, 0.1))
    #expect(endless.columns == 0..<40 && endless.rows == 0..<1)
  }

  @Test
  func `a box outside of the picture, or of no size, is none`() {
    #expect(box(40, 0, 5, 5) == nil)
    #expect(box(-5, 0, 5, 5) == nil)
    #expect(box(3, 3, 0, 5) == nil)
    #expect(box(3, 3, 5, -2) == nil)
    #expect(box(.nan, 3, 5, 5) == nil)
    #expect(box(3, 3, 5, .nan) == nil)
    #expect(box(.infinity, 3, 5, 5) == nil)
  }
}
