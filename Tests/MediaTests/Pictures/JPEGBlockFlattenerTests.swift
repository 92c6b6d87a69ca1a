import FrameModel
import Media
import Support
import TestSupport
import Testing

@Suite struct JPEGBlockFlattenerTests {
  private static let (width, height) = (51, 37)

  private func flatten(_ file: [UInt8], _ parts: [JPEGBlockFlattener.Part]) throws(RetakeError) -> [UInt8] {
    let flattener = try JPEGBlockFlattener()
    return try file.withRawBytes { bytes throws(RetakeError) in
      try flattener.flatten(bytes, width: Self.width, height: Self.height, parts, name: "Colour frame 3")
    }
  }

  private func pixels(_ file: [UInt8]) throws(RetakeError) -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: Self.width * Self.height * 3)
    try file.withRawBytes { bytes throws(RetakeError) in
      try pixels.withUnsafeMutableBufferPointer { pixels throws(RetakeError) in
        try JPEGDecoder().decodeRGB(
          bytes, width: Self.width, height: Self.height, into: pixels.baseAddress!, name: "It")
      }
    }
    return pixels
  }

  private func whole() throws(RetakeError) -> [UInt8] {
    try JPEGEncoder.encode(noiseImage(Self.width, Self.height, seed: 8))
  }

  @Test func `without parts no pixel changes, and parts outside the picture change none either`() throws {
    let file = try whole()
    let expected = try pixels(file)
    #expect(try pixels(flatten(file, [])) == expected)
    let outside = JPEGBlockFlattener.Part(x: 640..<700, y: 480..<500, squareSide: 8)
    #expect(try pixels(flatten(file, [outside])) == expected)
  }

  @Test func `a part as large as the picture or larger leaves one colour`() throws {
    for (x, y) in [(0..<Self.width, 0..<Self.height), (0..<16_000, 0..<16_000)] {
      let grey = try pixels(flatten(whole(), [.init(x: x, y: y, squareSide: nil)]))
      #expect(Set(grey) == [128])
    }
  }

  @Test func `a later part wins where two overlap`() throws {
    let all = (x: 0..<Self.width, y: 0..<Self.height)
    let grey = JPEGBlockFlattener.Part(x: all.x, y: all.y, squareSide: nil)
    let squares = JPEGBlockFlattener.Part(x: all.x, y: all.y, squareSide: 16)
    #expect(Set(try pixels(flatten(whole(), [squares, grey]))) == [128])
    #expect(try pixels(flatten(whole(), [grey, squares])) == pixels(flatten(whole(), [squares])))
  }

  @Test func `a file that is cut anywhere is flattened or refused, and shows nothing of the covered part`() throws {
    let file = try whole()
    let all = JPEGBlockFlattener.Part(x: 0..<Self.width, y: 0..<Self.height, squareSide: nil)
    var flattenedCount = 0
    for count in stride(from: 0, to: file.count, by: 3) {
      do {
        let result = try flatten(Array(file[..<count]), [all])
        #expect(Set(try pixels(result)) == [128], "\(count) bytes")
        flattenedCount += 1
      } catch {
        #expect(error.code == .corrupt && error.message.hasPrefix("Colour frame 3"), "\(error)")
      }
    }
    // Some cameras omit the end marker, so a frame without one must be covered too.
    #expect(flattenedCount > 0)
  }
}
