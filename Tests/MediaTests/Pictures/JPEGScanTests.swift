import FrameModel
import Media
import Support
import Testing

/// A progressive JPEG is decoded in scans, each of which is work for the whole picture and may take a few bytes of the file.
@Suite struct JPEGScanTests {
  /// Eight by eight grey pixels, in a scan of the mean and as many legal ones of single coefficients, a bit at a time.
  private static func progressive(scanCount: Int) -> [UInt8] {
    var file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
    file += [0xFF, 0xC2, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
    // Tables of one code of one bit, for the mean and for the rest: no difference, and the end of the block.
    for table: UInt8 in [0x00, 0x10] {
      file += [0xFF, 0xC4, 0, 20, table, 1] + [UInt8](repeating: 0, count: 15) + [0]
    }
    func scan(_ coefficient: Int, _ high: Int, _ low: Int) -> [UInt8] {
      [0xFF, 0xDA, 0, 8, 1, 1, 0, UInt8(coefficient), UInt8(coefficient), UInt8(high << 4 | low), 0x7F]
    }
    file += scan(0, 0, 0)
    var count = 1
    for coefficient in 1...63 {
      for low in (0...13).reversed() where count < scanCount {
        file += scan(coefficient, low == 13 ? 0 : low + 1, low)
        count += 1
      }
    }
    return file + [0xFF, 0xD9]
  }

  private func decode(_ file: [UInt8]) throws -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: 8 * 8 * 3)
    try file.withUnsafeBytes { bytes in
      try pixels.withUnsafeMutableBufferPointer { pixels in
        try JPEGDecoder().decodeRGB(bytes, width: 8, height: 8, into: pixels.baseAddress!, name: "a.jpg")
      }
    }
    return pixels
  }

  @Test func `a JPEG of more than 500 scans is refused, and one of fewer is decoded`() throws {
    #expect(try decode(Self.progressive(scanCount: 400)) == [UInt8](repeating: 128, count: 192))
    let error = #expect(throws: RetakeError.self) { try decode(Self.progressive(scanCount: 800)) }
    #expect(error?.code == .corrupt && error?.message.contains("scans") == true, "\(error?.message ?? "")")
  }

  @Test func `nothing is flattened in a picture of more pixels than are worked on`() throws {
    let flattener = try JPEGBlockFlattener()
    var file = Self.progressive(scanCount: 1)
    // The height, then the width.
    let start = file.firstRange(of: [0xFF, 0xC2])!.lowerBound
    file.replaceSubrange(start + 5..<start + 9, with: [0x3F, 0xFF, 0x3F, 0xFF])
    let error = #expect(throws: RetakeError.self) {
      try file.withUnsafeBytes {
        _ = try flattener.flatten($0, width: 0x3FFF, height: 0x3FFF, [], name: "Colour frame 3")
      }
    }
    #expect(error?.code == .unsupported && error?.message.contains("16383x16383") == true)
  }
}
