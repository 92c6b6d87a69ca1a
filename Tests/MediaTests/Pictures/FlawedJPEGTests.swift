import FrameModel
import Media
import Support
import TestSupport
import Testing

/// JPEG as cameras send it.
@Suite struct FlawedJPEGTests {
  private func decode(_ file: [UInt8], _ image: RGBImage, isFile: Bool = false) throws -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: image.pixels.count)
    try file.withRawBytes { bytes throws(RetakeError) in
      try pixels.withUnsafeMutableBufferPointer { pixels throws(RetakeError) in
        try JPEGDecoder().decodeRGB(
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

  @Test func `a picture that was decoded past a warning is counted`() throws {
    let image = noiseImage(64, 48, seed: 3)
    let whole = try JPEGEncoder.encode(image)
    let decoder = try JPEGDecoder()
    var pixels = [UInt8](repeating: 0, count: image.pixels.count)
    for (file, count) in [(whole, 0), (Array(whole.dropLast(2)), 1), (whole, 1), (Array(whole.dropLast(300)), 2)] {
      try file.withRawBytes { bytes throws(RetakeError) in
        try pixels.withUnsafeMutableBufferPointer { pixels throws(RetakeError) in
          try decoder.decodeRGB(bytes, width: 64, height: 48, into: pixels.baseAddress!, name: "It")
        }
      }
      #expect(decoder.flawedCount == count)
    }
  }

  @Test func `marks tell a JPEG that was cut anywhere, or lost a part, without decoding it`() throws {
    func structure(_ file: [UInt8]) -> JPEGStructure { file.withUnsafeBytes { JPEGStructure($0) } }
    let whole = try JPEGEncoder.encode(noiseImage(64, 48, seed: 3))
    #expect(structure(whole) == .whole)
    #expect(structure(whole + [UInt8](repeating: 0, count: 999)) == .whole)
    for length in 2..<whole.count { #expect(structure(Array(whole.prefix(length))) != .whole, "\(length) bytes") }
    #expect(structure([]) == .broken)
    #expect(structure([0xFF, 0xD9]) == .broken)
    // Restart marks count up to 7 and begin again at 0.
    let (head, end) = (whole.dropLast(2), whole.suffix(2))
    func restarted(_ marks: [UInt8]) -> [UInt8] { head + marks.flatMap { [0x11, 0xFF, 0xD0 + $0, 0x22] } + end }
    #expect(structure(restarted([0, 1, 2, 3, 4, 5, 6, 7, 0, 1])) == .whole)
    #expect(structure(restarted([0, 1, 3])) == .broken)
    // What stands for an 0xFF of the picture's data, and fill bytes before the end.
    #expect(structure(head + [0xFF, 0, 0xFF, 0xFF] + end) == .whole)
  }

  @Test func `what is no JPEG at all is refused, without advice for pictures where it is a frame`() throws {
    let image = RGBImage(width: 64, height: 48)
    let error = #expect(throws: RetakeError.self) { try decode([1, 2, 3, 4], image) }
    #expect(error?.code == .corrupt && error?.hint.isEmpty == true)
  }
}
