import BugBundles
import Foundation
import FrameModel
import Media
import Support
import TestSupport
import Testing

@Suite struct JPEGRedactionTests {
  private func pixels(_ file: [UInt8], width: Int, height: Int) throws -> [UInt8] {
    var pixels = [UInt8](repeating: 1, count: width * height * 3)
    try file.withRawBytes { bytes throws(RetakeError) in
      try pixels.withUnsafeMutableBufferPointer { target throws(RetakeError) in
        try JPEGDecoder().decodeRGB(bytes, width: width, height: height, into: target.baseAddress!, name: "a test's")
      }
    }
    return pixels
  }

  /// With detail at every scale.
  private func picture(width: Int, height: Int) -> RGBImage {
    var image = RGBImage(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<3 { image.pixels[(y * width + x) * 3 + c] = UInt8((x * (5 + c) + y * y / 7 + (x ^ y) * 3) & 255) }
      }
    }
    return image
  }

  @Test func `JPEG keeps every pixel outside, and has flat squares inside`() throws {
    let (width, height) = (203, 149)
    let layout = try FrameLayout(.jpeg, width: width, height: height)
    let file = try JPEGEncoder.encode(picture(width: width, height: height))
    let before = try pixels(file, width: width, height: height)
    let area = try #require(
      FaceSurroundings(.init(x: 70, y: 40, width: 60, height: 64), width: width, height: height))
    #expect(area.x == 38..<162 && area.y == 8..<136 && area.squareSide == 32)
    for manner in [PictureRedactor.Manner.squares, .grey] {
      var changed = file
      try PictureRedactor().cover(&changed, layout, [area], manner)
      let after = try pixels(changed, width: width, height: height)
      // Widened to units of 16 pixels: 32..<176 and 0..<144; colour is smoothed over two pixels beyond.
      var differing = 0
      for y in 0..<height {
        for x in 0..<width where !(30..<178).contains(x) || !(0..<146).contains(y) {
          for c in 0..<3 where before[(y * width + x) * 3 + c] != after[(y * width + x) * 3 + c] { differing += 1 }
        }
      }
      #expect(differing == 0)
      // Squares of 32 pixels from there; the last ones take what is left over.
      for (left, right) in [(32, 64), (64, 96), (96, 128), (128, 176)] {
        for (top, bottom) in [(0, 32), (32, 64), (64, 96), (96, 144)] {
          var colors: Set<[UInt8]> = []
          for y in top + 2..<bottom - 2 {
            for x in left + 2..<right - 2 { colors.insert(Array(after[(y * width + x) * 3..<(y * width + x) * 3 + 3])) }
          }
          #expect(colors.count == 1)
          if manner == .grey { #expect(colors == [[128, 128, 128]]) }
        }
      }
    }
  }

  @Test func `JPEG of every sampling of colour, grey and progressive too, changes inside and nowhere else`() throws {
    let folder = try TemporaryFolder()
    let (width, height) = (150, 101)
    try Data(picture(width: width, height: height).pixels).write(to: URL(fileURLWithPath: folder.path("pixels")))
    let script = """
      import sys
      from PIL import Image
      picture = Image.frombytes("RGB", (\(width), \(height)), open(sys.argv[1] + "/pixels", "rb").read())
      for number, (mode, words) in enumerate([("RGB", {"subsampling": 0}), ("RGB", {"subsampling": 1}),
              ("RGB", {"subsampling": 2}), ("L", {}), ("RGB", {"subsampling": 2, "progressive": True})]):
          picture.convert(mode).save(f"{sys.argv[1]}/{number}.jpg", quality=85, **words)
      """
    let made = try ChildProcess.run(Checkout.python, ["-c", script, folder.path])
    #expect(made.status == 0, "\(made.errors)")
    let layout = try FrameLayout(.jpeg, width: width, height: height)
    let area = try #require(FaceSurroundings(.init(x: 60, y: 45, width: 20, height: 20), width: width, height: height))
    #expect(area.x == 50..<90 && area.y == 35..<75)
    for number in 0..<5 {
      let file = try FileBytes.read(folder.path("\(number).jpg"))
      let before = try pixels(file, width: width, height: height)
      var changed = file
      try PictureRedactor().cover(&changed, layout, [area], .grey)
      let after = try pixels(changed, width: width, height: height)
      var (differing, shown) = (0, 0)
      for y in 0..<height {
        for x in 0..<width {
          let place = (y * width + x) * 3
          // Inside by two pixels, since colour is smoothed over the border, and outside by a whole unit.
          if (52..<88).contains(x) && (37..<73).contains(y) {
            shown += after[place..<place + 3].allSatisfy { $0 == 128 } ? 0 : 1
          } else if !(32..<108).contains(x) || !(16..<92).contains(y) {
            differing += after[place..<place + 3] == before[place..<place + 3] ? 0 : 1
          }
        }
      }
      #expect(shown == 0 && differing == 0, "\(number)")
    }
  }

  @Test func `of a JPEG's comments and thumbnails nothing stays, even where there is no face`() throws {
    var file = try JPEGEncoder.encode(picture(width: 64, height: 48))
    let secret = Array("Exif: somebody's face".utf8)
    file.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(secret.count + 2)] + secret, at: 2)
    let layout = try FrameLayout(.jpeg, width: 64, height: 48)
    var changed = file
    try PictureRedactor().cover(&changed, layout, [], .squares)
    #expect(!String(decoding: changed, as: UTF8.self).contains("somebody"))
    #expect(areSame(try pixels(file, width: 64, height: 48), try pixels(changed, width: 64, height: 48)))
  }

  @Test func `a JPEG that is none, or of another size, is refused`() throws {
    let redactor = try PictureRedactor()
    let layout = try FrameLayout(.jpeg, width: 64, height: 48)
    for file in [[], [1, 2, 3], try JPEGEncoder.encode(picture(width: 48, height: 64))] {
      var changed = file
      #expect { try redactor.cover(&changed, layout, [], .grey) } throws: { ($0 as? RetakeError)?.code == .corrupt }
    }
  }

  @Test func `black is black`() throws {
    let layout = try FrameLayout(.jpeg, width: 37, height: 21)
    let file = try PictureRedactor().black(layout, byteCount: 99)
    #expect(try pixels(file, width: 37, height: 21).allSatisfy { $0 == 0 })
  }
}
