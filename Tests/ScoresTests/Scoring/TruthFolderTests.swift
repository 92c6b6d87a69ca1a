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
    for number in [0, 3, 12, 1_234_567] {
      #expect(try truth.matte(number).samples == matte(number))
      #expect(try truth.matte(number).judged == nil)
    }
    #expect(truth.isComplete && truth.frameCount == 4 && !truth.contains(1))
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
  func `with mattes of some frames is the truth of those, and of no frame an error`() throws {
    for number in [0, 1, 2] { try write(png(matte(number)), as: number) }
    let truth = try open([1, 7, 2, 5])
    #expect(truth.frameCount == 2 && !truth.isComplete)
    #expect([1, 7, 2, 5].map(truth.contains) == [true, false, true, false])
    let all = try open([1, 2])
    #expect(truth.digest != all.digest && all.isComplete)
    #expect(try open([1, 7, 5]).digest != open([2, 7, 5]).digest)
    let error = try #require(failure([7, 5]))
    #expect(error.code == .notFound)
    #expect(
      error.message == "None of the 2 played frames has its true matte in \(folder.path): there is no 000007.png.")
    #expect(error.hint.contains("3 PNGs") && error.hint.contains("six digits"))
  }

  private func draw(_ statements: String, _ name: String) throws {
    let script = "import sys; from PIL import Image; \(statements).save(sys.argv[1])"
    #expect(try ChildProcess.run(Checkout.python, ["-c", script, folder.path(name)]).status == 0)
  }

  @Test(arguments: ["LA", "RGBA"])
  func `leaves out pixels whose alpha is below 128, whatever their grey`(mode: String) throws {
    let grey = mode == "LA" ? "(90 + x" : "(90 + x, 90 + x, 90 + x"
    try draw(
      "p = Image.new('\(mode)', (7, 5)); [p.putpixel((x, y), \(grey), 124 + x)) for x in range(7) for y in range(5)]; p",
      "000000.png")
    let matte = try open([0]).matte(0)
    let columns = (0..<35).map { UInt8($0 % 7) }
    let judged: [UInt8] = columns.map { $0 < 4 ? 0 : 255 }
    let samples: [UInt8] = columns.map { $0 < 4 ? 0 : 90 + $0 }
    #expect(matte.judged == judged && matte.samples == samples)
  }

  @Test
  func `refuses colour with alpha`() throws {
    try draw("Image.new('RGBA', (7, 5), (9, 8, 7, 255))", "000000.png")
    let error = try #require(failure([0]))
    #expect(error.code == .unsupported && error.message.hasSuffix("is not an 8-bit grey PNG with alpha."))
  }

  @Test
  func `leaves out what a picture beside it marks, and a grey value, and is then another truth`() throws {
    try write(png(matte(0)), as: 0)
    try write(png(matte(1)), as: 1)
    let whole = try open([0, 1]).digest
    try Folder.make(folder.path("ignore"))
    let marks: [UInt8] = (0..<35).map { $0 % 5 == 0 ? UInt8($0) : 0 }
    try FileBytes.write(png(marks), to: folder.path("ignore/000001.png"))
    let truth = try open([0, 1])
    #expect(truth.digest != whole)
    #expect(try truth.matte(0).judged == nil)
    let judged: [UInt8] = marks.map { $0 == 0 ? 255 : 0 }
    let samples: [UInt8] = zip(matte(1), judged).map { $0 & $1 }
    #expect(try truth.matte(1).judged == judged)
    #expect(try truth.matte(1).samples == samples)
    let valued = try TruthFolder(path: folder.path, frames: [0, 1], width: 7, height: 5, ignoring: 31)
    let others: [[UInt8]] = (0..<2).map { matte($0).map { $0 == 31 ? 0 : 255 } }
    #expect(try valued.matte(0).judged == others[0])
    let both: [UInt8] = zip(others[1], judged).map { $0 & $1 }
    #expect(try valued.matte(1).judged == both)
    #expect(valued.digest != truth.digest)
  }

  @Test
  func `with a picture of pixels to ignore that has no matte, or another size, names it`() throws {
    try write(png(matte(0)), as: 0)
    try Folder.make(folder.path("ignore"))
    try FileBytes.write(png(matte(3)), to: folder.path("ignore/000003.png"))
    let alone = try #require(failure([0]))
    #expect(alone.code == .notFound)
    #expect(
      alone.message == "\(folder.path)/ignore/000003.png has no true matte \(folder.path)/000003.png.")
    try write(png(matte(3)), as: 3)
    try FileBytes.write(png(matte(1, 14, 10), 14, 10), to: folder.path("ignore/000000.png"))
    let other = try #require(failure([0]))
    #expect(other.message == "\(folder.path)/ignore/000000.png is 14x10, but the video is 7x5.")
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
    #expect(color.hint.contains("composites") && color.hint.contains("--tap matte"))
    let deep = try #require(failure([1]))
    #expect(deep.code == .unsupported && deep.message.hasSuffix("is a 16-bit grey picture, not an 8-bit grey matte."))
    #expect(deep.hint == "write the true mattes as 8-bit grey PNGs of 7x5")
  }

  @Test
  func `stretches grey of fewer bits to all of black and white`() throws {
    let script = "import sys; from PIL import Image; Image.new('1', (7, 5), 1).save(sys.argv[1])"
    #expect(try ChildProcess.run(Checkout.python, ["-c", script, folder.path("000000.png")]).status == 0)
    #expect(try open([0]).matte(0).samples == [UInt8](repeating: 255, count: 35))
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

  @Test
  func `that leaves out every pixel of a frame is none of it`() throws {
    for number in [0, 3] { try write(png(matte(number)), as: number) }
    try Folder.make(folder.path("ignore"))
    try FileBytes.write(png([UInt8](repeating: 255, count: 35)), to: folder.path("ignore/000003.png"))
    let truth = try open([0, 3])
    #expect(truth.frameCount == 1 && !truth.isComplete && truth.contains(0) && !truth.contains(3))
    #expect(try open([3]).frameCount == 0 && !open([3]).isComplete)
  }
}
