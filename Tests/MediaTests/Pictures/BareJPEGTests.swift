import Foundation
import Media
import Support
import TestSupport
import Testing

/// Of a JPEG file, the picture alone.
@Suite struct BareJPEGTests {
  private func bare(_ file: [UInt8]) -> [UInt8]? { file.withUnsafeBytes { JPEGStructure.bare($0) } }

  private func segment(_ mark: UInt8, _ text: String) -> [UInt8] {
    [0xFF, mark, 0, UInt8(text.utf8.count + 2)] + Array(text.utf8)
  }

  private func pixels(_ file: [UInt8]) throws -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: 64 * 48 * 3)
    try file.withRawBytes { bytes throws(RetakeError) in
      try pixels.withUnsafeMutableBufferPointer { pixels throws(RetakeError) in
        try JPEGDecoder().decodeRGB(bytes, width: 64, height: 48, into: pixels.baseAddress!, name: "It")
      }
    }
    return pixels
  }

  private func contains(_ file: [UInt8]?, _ text: String) -> Bool {
    Data(file ?? []).range(of: Data(text.utf8)) != nil
  }

  private let secrets = ["Exif SECRET", "SECRET place", "SECRET comment", "SECRET thumbnail", "SECRET after the end"]

  /// With all places in which cameras write more than a picture.
  private func talkative(_ plain: [UInt8]) -> [UInt8] {
    // The encoder's own JFIF segment has 18 bytes with its marker.
    let thumbnail =
      [0xFF, 0xE0, 0, 16 + 18] + Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 6, 1] + Array("SECRET thumbnail".utf8) + [
        0, 0,
      ]
    let beginning = Array(plain.prefix(2)) + thumbnail + segment(0xE1, "Exif SECRET") + segment(0xED, "SECRET place")
    return beginning + plain[20...].dropLast(2) + segment(0xFE, "SECRET comment") + plain.suffix(2)
      + Array("SECRET after the end".utf8)
  }

  @Test func `its pixels stay, and nothing that a camera wrote besides`() throws {
    let plain = try JPEGEncoder.encode(noiseImage(64, 48, seed: 5))
    try #require(plain[2...3] == [0xFF, 0xE0] && plain[5] == 16)
    let file = talkative(plain)
    for secret in secrets { #expect(contains(file, secret)) }
    let result = try #require(bare(file))
    #expect(!contains(result, "SECRET") && contains(result, "JFIF"))
    #expect(try pixels(result) == pixels(file) && pixels(result) == pixels(plain))
    #expect(bare(result) == result)
  }

  @Test func `bytes that decoders skip take nothing of the picture away`() throws {
    let plain = try JPEGEncoder.encode(noiseImage(64, 48, seed: 5))
    for excess in [[0x12], [0x12, 0x34, 0xFF, 0x00], [0xFF, 0xFF], [0xFF, 0xD3], [0xFF, 0x01]] as [[UInt8]] {
      let file = Array(plain.prefix(20)) + excess + segment(0xFE, "SECRET comment") + plain[20...]
      let result = try #require(bare(file))
      #expect(try pixels(result) == pixels(plain), "\(excess)")
      #expect(!contains(result, "SECRET"), "\(excess)")
    }
  }

  @Test func `what Adobe's segment says of colours stays`() throws {
    let plain = try JPEGEncoder.encode(noiseImage(64, 48, seed: 5))
    // No transform: the samples are red, green and blue.
    let adobe = [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
    let file = plain.prefix(2) + adobe + plain[20...]
    let result = try #require(bare(Array(file)))
    #expect(try pixels(result) == pixels(Array(file)))
    #expect(try pixels(result) != pixels(plain))
  }

  @Test func `cut anywhere, or with any byte changed, it gives a beginning without what it left out`() throws {
    let file = talkative(try JPEGEncoder.encode(noiseImage(64, 48, seed: 5)))
    let beginning = file.prefix(120)
    for length in 0..<file.count {
      let result = bare(Array(file.prefix(length)))
      #expect((result == nil) == (length < 2))
      #expect(!contains(result, "Exif SECRET") && !contains(result, "SECRET place"))
    }
    for place in 2..<beginning.count {
      var changed = file
      changed[place] ^= 0xFF
      #expect((bare(changed)?.count ?? 0) <= file.count)
    }
    #expect(bare(Array("no JPEG".utf8)) == nil)
  }
}
