import FrameModel
import Media
import Support
import TestSupport
import Testing

@Suite struct PNGTests {
  private static let sizes = [(1, 1), (1, 17), (7, 5), (33, 2), (61, 43)]

  private func encode<Sample>(_ samples: [Sample], _ width: Int, _ height: Int, as kind: SampleFormat) throws
    -> [UInt8]
  {
    try samples.withRawBytes { bytes throws(RetakeError) in
      try PNGEncoder.encode(bytes, width: width, height: height, as: kind)
    }
  }

  /// Keeps the bytes in place while `body` reads them.
  private func decode<Result>(
    _ file: [UInt8], _ body: (borrowing PNGDecoder) throws(RetakeError) -> Result
  ) throws(RetakeError) -> Result {
    try file.withRawBytes { bytes throws(RetakeError) in try body(PNGDecoder(bytes, name: "a.png")) }
  }
  private func shape(_ file: [UInt8]) throws(RetakeError) -> (width: Int, height: Int, samples: SampleFormat) {
    try decode(file) { ($0.width, $0.height, $0.samples) }
  }
  private func rgb(_ file: [UInt8]) throws(RetakeError) -> RGBImage {
    try decode(file) { png throws(RetakeError) in try png.rgb() }
  }
  private func grey8(_ file: [UInt8]) throws(RetakeError) -> [UInt8] {
    try decode(file) { png throws(RetakeError) in try png.grey8() }
  }
  private func grey16(_ file: [UInt8]) throws(RetakeError) -> Grey16Image {
    try decode(file) { png throws(RetakeError) in try png.grey16() }
  }

  @Test(arguments: sizes) func `every kind of samples comes back as it was, at odd sizes`(width: Int, height: Int)
    throws
  {
    let picture = noiseImage(width, height, seed: 4)
    let color = try encode(picture.pixels, width, height, as: .rgb8)
    #expect(try rgb(color) == picture)
    #expect(try encode(picture.pixels, width, height, as: .rgb8) == color, "equal pixels give equal files")

    let grey = Array(picture.pixels.prefix(width * height))
    let greyFile = try encode(grey, width, height, as: .grey8)
    #expect(try shape(greyFile) == (width, height, .grey8))
    #expect(try grey8(greyFile) == grey)
    // High and low byte differ, so a swap would show.
    let depth = grey.map { UInt16($0) << 8 | UInt16(~$0 & 0x7F) }
    let depthFile = try encode(depth, width, height, as: .grey16)
    #expect(try shape(depthFile) == (width, height, .grey16))
    #expect(try grey16(depthFile) == Grey16Image(width: width, height: height, samples: depth))
  }

  @Test func `grey of fewer than 8 bits is scaled to the range of 8`() throws {
    let rows: [(bitDepth: UInt8, bytes: [UInt8], expected: [UInt8])] = [
      (1, [0b0110_1000], [0, 255, 255, 0, 255]), (2, [0b0110_1100, 0b0100_0000], [85, 170, 255, 0, 85]),
      (4, [0x12, 0x34, 0x50], [17, 34, 51, 68, 85]), (8, [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]),
    ]
    for row in rows {
      let file = HandMadePNG(
        width: 5, height: 1, bitDepth: row.bitDepth, colorType: HandMadePNG.grey, rows: [0] + row.bytes)
      #expect(try shape(file.bytes) == (5, 1, .grey8))
      #expect(try grey8(file.bytes) == row.expected)
    }
  }

  @Test func `samples of another kind are refused, not converted`() throws {
    let eightBits = try encode([UInt8](repeating: 9, count: 6), 3, 2, as: .grey8)
    let sixteenBits = try encode([UInt16](repeating: 9, count: 6), 3, 2, as: .grey16)
    let errors = [
      #expect(throws: RetakeError.self) { _ = try grey16(eightBits) },
      #expect(throws: RetakeError.self) { _ = try grey8(sixteenBits) },
    ]
    #expect(errors.allSatisfy { $0?.code == .unsupported && $0?.message.contains("a.png") == true })
  }

  private static let tooLarge = UInt32(FrameLayout.largestSide) + 1
  private static let impossibleSides: [(UInt32, UInt32)] = [
    (0, 5), (5, 0), (tooLarge, 1), (1, tooLarge), (.max, .max), (1 << 31, 1 << 31),
  ]

  @Test(arguments: impossibleSides)
  func `a header with impossible sides is refused`(width: UInt32, height: UInt32) throws {
    let file = HandMadePNG(width: width, height: height, bitDepth: 8, colorType: HandMadePNG.color, rows: [0])
    let error = #expect(throws: RetakeError.self) { _ = try shape(file.bytes) }
    #expect(error?.code == .corrupt && error?.message.contains("a.png") == true, "\(error?.message ?? "")")
  }

  @Test func `a few bytes that claim more pixels than a frame can have are refused before any is allocated`() throws {
    let side = UInt32(FrameLayout.largestSide)
    let file = HandMadePNG(width: side, height: side, bitDepth: 8, colorType: HandMadePNG.color, rows: [0])
    let error = #expect(throws: RetakeError.self) { _ = try rgb(file.bytes) }
    #expect(error?.code == .unsupported && error?.message.contains("too large") == true, "\(error?.message ?? "")")
  }

  @Test func `a file that is cut gives its pixels or none, and one with a wrong bit a picture of its size or none`()
    throws
  {
    let picture = noiseImage(13, 9, seed: 2)
    let whole = try encode(picture.pixels, 13, 9, as: .rgb8)
    var (cutCount, flippedCount) = (0, 0)
    for index in whole.indices {
      if let found = intact(Array(whole[..<index])) {
        #expect(found == picture, "the first \(index) bytes")
      } else {
        cutCount += 1
      }
      var flipped = whole
      flipped[index] ^= 0x10
      if let found = intact(flipped) {
        #expect((found.width, found.height) == (13, 9), "byte \(index)")
      } else {
        flippedCount += 1
      }
    }
    // Nothing after the last pixel has to be read.
    #expect(cutCount > whole.count - 40)
    #expect(flippedCount > whole.count / 2)
  }

  /// - Returns: nil if the file was refused as damaged.
  private func intact(_ file: [UInt8]) -> RGBImage? {
    do throws(RetakeError) { return try rgb(file) } catch {
      #expect(error.code == .corrupt || error.code == .unsupported, "\(error)")
      return nil
    }
  }
}
