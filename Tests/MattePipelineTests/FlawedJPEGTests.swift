import FrameModel
import Pictures
import TestSupport
import Testing

/// JPEG as cameras send it.
@Suite struct FlawedJPEGTests {
  private func decode(_ file: [UInt8], _ image: RGBImage, isFile: Bool = false) throws -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: image.pixels.count)
    try file.withRawBytes { bytes throws(RetakeError) in
      try pixels.withUnsafeMutableBufferPointer { pixels throws(RetakeError) in
        try JPEGDecoder.decodeRGB(
          bytes, width: image.width, height: image.height, into: pixels.baseAddress!, isFile: isFile, name: "It")
      }
    }
    return pixels
  }

  @Test func `bytes too many before its end, or no end at all, spoil no frame of a camera`() throws {
    let image = noiseImage(64, 48, seed: 3)
    let whole = try JPEGEncoder.encode(image)
    let expected = try decode(whole, image, isFile: true)
    let long = Array(whole.dropLast(2)) + [0x12, 0x34, 0xFF, 0xD9]
    let endless = Array(whole.dropLast(2))
    for flawed in [long, endless] {
      #expect(try decode(flawed, image) == expected)
      // Of a picture that somebody names, more is expected.
      let error = #expect(throws: RetakeError.self) { try decode(flawed, image, isFile: true) }
      #expect(error?.code == .corrupt && error?.hint == "give a PNG or JPEG picture")
    }
  }

  @Test func `what is no JPEG at all is refused, without advice for pictures where it is a frame`() throws {
    let image = RGBImage(width: 64, height: 48)
    let error = #expect(throws: RetakeError.self) { try decode([1, 2, 3, 4], image) }
    #expect(error?.code == .corrupt && error?.hint.isEmpty == true)
  }
}
