import Foundation
import FrameModel
import Interchange
import Support
import TestSupport
import Testing

/// Folders of pictures of which one is cut short, has a wrong bit or is missing.
@Suite(.long) struct DamagedPictureFolderTests {
  private let folder: TemporaryFolder
  private var root: String { folder.path("seq") }
  init() throws { folder = try TemporaryFolder() }

  private struct Key: Hashable {
    var stream: Int
    var tick: UInt64?
  }

  private struct Import {
    /// Those that are not flagged.
    var pictures: [Key: [UInt8]] = [:]
    var flaggedCount = 0
    var lostCount = 0
    var totalCount: Int { pictures.count + flaggedCount + lostCount }
  }

  /// - Returns: nil if the import is refused.
  private func run() throws -> Import? {
    var options = PictureOptions()
    options.rate = .thirty
    let source: ImportSource
    do {
      source = try ImportCatalog.open(root, pictures: options)
    } catch {
      #expect(!error.message.isEmpty)
      return nil
    }
    let contents = try ImportedFrames.all(of: source)
    var result = Import()
    result.lostCount = contents.losses.reduce(0) { $0 + $1.count }
    for frame in contents.frames {
      guard frame.flags.isEmpty else {
        result.flaggedCount += 1
        continue
      }
      let bytes = Array(frame.buffer.copiedBytes.prefix(frame.byteCount))
      result.pictures[Key(stream: frame.streamIndex, tick: frame.deviceTick)] = bytes
    }
    return result
  }

  /// - Returns: paths of the pictures.
  private func write(_ ending: String) throws -> [String] {
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/write_picture_folder.py"
    let result = try ChildProcess.run(Checkout.python, [script, root, "7-scenes", ending])
    try #require(result.status == 0, "\(result.errors)")
    return try Folder.names(in: root).sorted().filter { $0.hasSuffix("png") || $0.hasSuffix("jpg") }
      .map { root + "/" + $0 }
  }

  @Test(arguments: ["png", "jpg"])
  func `a picture cut at a hundred places or with one of three hundred wrong bits is lost alone, and counted`(
    ending: String
  ) throws {
    let files = try write(ending)
    let whole = try #require(try run())
    try #require(whole.pictures.count == 12 && whole.totalCount == 12)
    var missedCount = 0
    for index in 0..<400 {
      let file = files[index % files.count]
      let bytes = try FileBytes.read(file)
      var changed = bytes
      if index < 100 {
        changed = Array(bytes.prefix(bytes.count * index / 100))
      } else {
        changed[(index - 100) * 7919 % bytes.count] ^= 1 << UInt8(index % 8)
      }
      try FileBytes.write(changed, to: file)
      defer { #expect(throws: Never.self) { try FileBytes.write(bytes, to: file) } }
      guard let found = try run() else { continue }
      #expect(found.totalCount == 12, "\(index): \(file)")
      let wrongCount = whole.pictures.count { found.pictures[$0.key] != $0.value }
      #expect(wrongCount <= 1, "\(index): \(file)")
      missedCount += wrongCount
      // PNGs have checksums. A wrong bit in a JPEG is kept, as the file has it; a cut one is flagged.
      if index < 100 || file.hasSuffix("png") { #expect(found.pictures.count == 12 - wrongCount, "\(index): \(file)") }
    }
    #expect(missedCount > 200, "\(missedCount)")
  }

  @Test func `every picture that is not imported is named`() throws {
    let files = try write("png")
    for file in [files[1], files[4]] { try FileBytes.write(Array("no picture".utf8), to: file) }
    try FileManager.default.removeItem(atPath: files[7])
    var options = PictureOptions()
    options.rate = .thirty
    let failure = try #require(try ImportedFrames.all(of: ImportCatalog.open(root, pictures: options)).failure)
    for file in [files[1], files[4]] { #expect(failure.message.contains(file), "\(failure.message)") }
    #expect(failure.message.contains(" is missing"), "\(failure.message)")
  }

  @Test func `a JPEG in CMYK, which nothing can show, is left out`() throws {
    let files = try write("jpg")
    let color = try #require(files.first { $0.hasSuffix("jpg") })
    // The header and the start of a scan, each with four components.
    var picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 20, 8, 0, 48, 0, 64, 4]
    for component: UInt8 in 1...4 { picture += [component, 0x11, 0] }
    picture += [0xFF, 0xDA, 0, 14, 4]
    for component: UInt8 in 1...4 { picture += [component, 0] }
    try FileBytes.write(picture + [0, 63, 0, 0, 0xFF, 0xD9], to: color)
    var options = PictureOptions()
    options.rate = .thirty
    let contents = try ImportedFrames.all(of: ImportCatalog.open(root, pictures: options))
    #expect(contents.frames.count == 11 && contents.losses.reduce(0) { $0 + $1.count } == 1)
    #expect(contents.failure?.message.contains("CMYK") == true, "\(contents.failure?.message ?? "")")
  }

  @Test func `pictures that are missing between others are counted as lost`() throws {
    let files = try write("png")
    for file in [files[2], files[5]] { try FileManager.default.removeItem(atPath: file) }
    let found = try #require(try run())
    #expect(found.pictures.count == 10 && found.lostCount == 2)
  }
}
