import Foundation
import FrameModel
import Media
import Scores
import Support
import TestSupport
import Testing

/// A folder of true mattes.
@Suite struct TruthFolderTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func matte(_ number: Int, _ width: Int = 7, _ height: Int = 5) -> [UInt8] {
    (0..<width * height).map { UInt8(truncatingIfNeeded: $0 * 31 + number * 17) }
  }

  private func write(_ bytes: [UInt8], as number: Int) throws {
    try FileBytes.write(bytes, to: folder.path("\(number.zeroPadded(6)).png"))
  }

  private func png(_ bytes: [UInt8], _ width: Int = 7, _ height: Int = 5, _ samples: SampleFormat = .grey8) throws
    -> [UInt8]
  {
    try bytes.withUnsafeBytes { try PNGEncoder.encode($0, width: width, height: height, as: samples) }
  }

  private func open(_ frames: [Int]) throws -> TruthFolder {
    try TruthFolder(path: folder.path, frames: frames, width: 7, height: 5)
  }

  private func failure(_ frames: [Int]) -> RetakeError? {
    do {
      _ = try open(frames)
      return nil
    } catch { return error as? RetakeError }
  }

  @Test
  func `gives each frame's matte as it was written, by its number`() throws {
    for number in [0, 3, 12, 1_234_567] { try write(png(matte(number)), as: number) }
    try FileBytes.write([1, 2, 3], to: folder.path("notes.txt"))
    let truth = try open([12, 0, 1_234_567, 3])
    for number in [0, 3, 12, 1_234_567] { #expect(try truth.matte(number) == matte(number)) }
  }

  @Test
  func `is another truth when a matte, or the order of play, is another; not when a file is packed otherwise`() throws {
    for number in 0..<3 { try write(png(matte(number)), as: number) }
    let truth = try open([0, 1, 2]).digest
    #expect(truth.count == 32 && truth.allSatisfy(\.isHexDigit))
    #expect(try open([0, 1, 2]).digest == truth)
    #expect(try open([2, 1, 0]).digest != truth)
    // A text chunk more, before the end.
    var file = try png(matte(1))
    let text = Array("tEXta\0b".utf8)
    file.insert(contentsOf: [0, 0, 0, 3] + text + checksum(text), at: file.count - 12)
    try write(file, as: 1)
    #expect(try open([0, 1, 2]).digest == truth)
    var changed = matte(1)
    changed[34] ^= 1
    try write(png(changed), as: 1)
    #expect(try open([0, 1, 2]).digest != truth)
  }

  @Test
  func `with a number missing names the first that is played`() throws {
    for number in [0, 1, 2] { try write(png(matte(number)), as: number) }
    let error = try #require(failure([1, 7, 5]))
    #expect(error.code == .notFound)
    #expect(error.message == "There is no 000007.png in \(folder.path): the truth of frame 7 is missing.")
    #expect(error.hint.contains("3 PNGs") && error.hint.contains("six digits"))
  }

  @Test
  func `with a matte of another size names both sizes`() throws {
    try write(png(matte(0)), as: 0)
    try write(png(matte(1, 14, 10), 14, 10), as: 1)
    let error = try #require(failure([0, 1]))
    #expect(error.code == .unsupported)
    #expect(error.message == "\(folder.path("000001.png")) is 14x10, but the video is 7x5.")
    #expect(error.hint.contains("video's size"))
  }

  @Test
  func `refuses colour and deep grey, which are no mattes`() throws {
    try write(png([UInt8](repeating: 9, count: 105), 7, 5, .rgb8), as: 0)
    try write(png([UInt8](repeating: 9, count: 70), 7, 5, .grey16), as: 1)
    let color = try #require(failure([0]))
    #expect(color.code == .unsupported && color.message.hasSuffix("is a colour picture, not an 8-bit grey matte."))
    #expect(color.hint.contains("writes the video where it had no matte"))
    let deep = try #require(failure([1]))
    #expect(deep.code == .unsupported && deep.message.hasSuffix("is a 16-bit grey picture, not an 8-bit grey matte."))
  }

  @Test
  func `stretches grey of fewer bits to all of black and white`() throws {
    let script = "import sys; from PIL import Image; Image.new('1', (7, 5), 1).save(sys.argv[1])"
    #expect(try ChildProcess.run(Checkout.python, ["-c", script, folder.path("000000.png")]).status == 0)
    #expect(try open([0]).matte(0) == [UInt8](repeating: 255, count: 35))
  }

  @Test
  func `refuses what is no PNG, is cut off, or claims to be vast, before it allocates for it`() throws {
    try write(Array("P5 7 5 255 ".utf8) + matte(0), as: 0)
    let other = try #require(failure([0]))
    #expect(other.code == .corrupt && other.message.hasSuffix("000000.png is not a PNG."))
    #expect(other.hint.contains("8-bit grey PNGs of 7x5"))
    let whole = try png(matte(1))
    try write(Array(whole.prefix(whole.count - 20)), as: 1)
    #expect(failure([1])?.code == .corrupt)
    try write([], as: 2)
    #expect(failure([2])?.code == .corrupt)
    // 2,000,000,000 pixels to each side, with the checksum that such a header has.
    let vast: [UInt8] = [0x77, 0x35, 0x94, 0, 0x77, 0x35, 0x94, 0, 8, 0, 0, 0, 0]
    var file = whole
    file.replaceSubrange(16..<29, with: vast)
    file.replaceSubrange(29..<33, with: checksum(Array("IHDR".utf8) + vast))
    try write(file, as: 3)
    let error = try #require(failure([3]))
    #expect(error.code == .corrupt && error.message.contains("000003.png"))
    #expect(!error.hint.isEmpty)
  }

  @Test
  func `that is empty, missing or no folder says so, and what is wanted`() throws {
    let empty = try #require(failure([0]))
    #expect(empty.code == .notFound && empty.message == "There are no mattes in \(folder.path).")
    #expect(empty.hint.contains("000000.png"))
    func code(_ name: String) -> RetakeError.Code? {
      do {
        _ = try TruthFolder(path: folder.path(name), frames: [0], width: 7, height: 5)
        return nil
      } catch { return error.code }
    }
    #expect(code("nowhere") == .notFound)
    try FileBytes.write([1], to: folder.path("file"))
    #expect(code("file") == .inputOutput)
  }

  /// CRC-32 as PNG has it.
  private func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var value: UInt32 = .max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: ~value >> (24 - 8 * UInt32($0))) }
  }
}
