import BugBundles
import ChunkFormat
import Foundation
import FrameModel
import Support
import TestSupport
import Testing

/// A stranger's bundle: whatever is wrong with it is one clear error, and nothing of it gets out of the folder that it is
/// unpacked into.
@Suite struct BadBundleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ bytes: [UInt8]) -> Result<[BundlePart], RetakeError> {
    var parts: [BundlePart] = []
    do throws(RetakeError) {
      _ = try BundleReader.read(MemorySource(bytes), name: "b") { part, _ in parts.append(part) }
      return .success(parts)
    } catch {
      return .failure(error)
    }
  }

  private func expectFailure(
    _ bundle: HandMadeBundle, _ code: RetakeError.Code = .corrupt, _ words: String...,
    location: SourceLocation = #_sourceLocation
  ) throws {
    guard case .failure(let error) = read(try bundle.bytes()) else {
      Issue.record("it was taken for a bundle", sourceLocation: location)
      return
    }
    #expect(error.code == code, "\(error)", sourceLocation: location)
    #expect(error.message.hasPrefix("b"), "\(error)", sourceLocation: location)
    #expect(!error.hint.isEmpty, "\(error)", sourceLocation: location)
    for word in words { #expect(error.message.contains(word), "\(error)", sourceLocation: location) }
  }

  @Test func `a right one is taken, with its parts in their order`() throws {
    let bundle = HandMadeBundle()
    #expect(try read(bundle.bytes()).get().map(\.name) == bundle.parts.map(\.name))
    var header = HandMadeBundle.header
    header.masks = HandMadeBundle.maskKey
    header.network = String(repeating: "3", count: 32)
    var rich = HandMadeBundle(header: header, background: .recording)
    rich["masks/\(HandMadeBundle.maskKey)/000000.mcap"] = [1]
    rich["background/chunks/000000.mcap"] = [2]
    #expect(try read(rich.bytes()).get().count == 8)
  }

  @Test(arguments: [
    "../evil", "../../evil", "/evil", "chunks/../../evil", "chunks/../000002.mcap", "./note.txt", "index.sqlite",
    "chunks/000002.mcap/../../evil", "masks/../000000.mcap", "model.onnx", "background/chunks/../../../evil", "",
    "chunks/000002.mcap\0.txt",
  ])
  func `a name that leads elsewhere is refused, and nothing is written there`(name: String) throws {
    var bundle = HandMadeBundle()
    bundle.parts.append((name, Array("evil".utf8)))
    try expectFailure(bundle, .corrupt, "which does not belong in a bundle")
    let path = folder.path("b.retake-bundle")
    try Data(bundle.bytes()).write(to: URL(fileURLWithPath: path))
    let target = folder.path("deep/down/target")
    #expect(throws: RetakeError.self) { try UnpackedBundle(path: path, into: target) }
    let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
    #expect(names.allSatisfy { $0.hasPrefix("deep") || $0 == "b.retake-bundle" }, "\(names)")
    #expect(!names.contains { $0.contains("evil") || $0.contains("onnx") || $0.contains("sqlite") }, "\(names)")
  }

  @Test func `a part comes once`() throws {
    for name in ["bundle.json", "expected.jsonl", "chunks/000000.mcap", "note.txt"] {
      var bundle = HandMadeBundle()
      bundle.parts.append((name, bundle[name]))
      try expectFailure(bundle, .corrupt, name, "twice")
    }
    var bundle = HandMadeBundle()
    bundle.metadata.append(bundle.metadata[0])
    try expectFailure(bundle, .corrupt, "twice")
  }

  @Test func `a part that is missing is named`() throws {
    for name in ["bundle.json", "note.txt", "parameters.yaml", "expected.jsonl", "chunks/000000.mcap"] {
      try expectFailure(HandMadeBundle().without(name), .corrupt, name)
    }
    var gap = HandMadeBundle()
    gap["chunks/000003.mcap"] = [1]
    try expectFailure(gap, .corrupt, "chunks/000002.mcap")
    var header = HandMadeBundle.header
    header.masks = HandMadeBundle.maskKey
    try expectFailure(HandMadeBundle(header: header), .corrupt, "masks/\(HandMadeBundle.maskKey)")
    header = HandMadeBundle.header
    header.plate = HandMadeBundle.maskKey
    try expectFailure(HandMadeBundle(header: header), .corrupt, "plate.retake-plate")
    try expectFailure(HandMadeBundle(background: .file), .corrupt, "background")
    try expectFailure(HandMadeBundle(background: .recording), .corrupt, "background")
  }

  @Test func `parts that the replay does not need are refused`() throws {
    var masks = HandMadeBundle()
    masks["masks/\(HandMadeBundle.maskKey)/000000.mcap"] = [1]
    try expectFailure(masks, .corrupt, "masks")
    var background = HandMadeBundle()
    background["background/file"] = [1]
    try expectFailure(background, .corrupt, "background")
    var header = HandMadeBundle.header
    for identity in [nil, HandMadeBundle.maskKey] {
      header.plate = identity
      var plate = HandMadeBundle(header: header)
      plate["plate.retake-plate"] = [1]
      try expectFailure(plate, .corrupt, "another plate")
    }
    var both = HandMadeBundle(background: .recording)
    both["background/file"] = [1]
    both["background/chunks/000000.mcap"] = [1]
    try expectFailure(both, .corrupt, "background")
  }

  @Test func `a bundle of a later format says so`() throws {
    var bundle = HandMadeBundle()
    bundle.metadata = [MCAPMetadata(name: "retake.bundle", entries: [.init("format_version", "2")])]
    try expectFailure(bundle, .unsupported, "later version", "2")
    for entries in [[], [StreamDescription.Setting("format_version", "one")], [.init("format_version", "0")]] {
      bundle.metadata = [MCAPMetadata(name: "retake.bundle", entries: entries)]
      try expectFailure(bundle, .corrupt, "format")
    }
    bundle.metadata = []
    try expectFailure(bundle, .corrupt, "format")
    // Its description says it again.
    let described = HandMadeBundle()
    for (version, code) in [("99", RetakeError.Code.unsupported), ("0", .corrupt), ("\"1\"", .corrupt)] {
      let other = described.replacing("\"format_version\":1", by: "\"format_version\":\(version)", in: "bundle.json")
      try expectFailure(other, code)
    }
    bundle.metadata = [MCAPMetadata(name: "retake.recording", entries: [])]
    try expectFailure(bundle, .corrupt, "format")
  }

  @Test func `other files are told from bundles`() throws {
    var other = HandMadeBundle()
    other.profile = ""
    try expectFailure(other, .corrupt, "but not a bug bundle")
    for bytes in [[], Array("PK\u{3}\u{4}".utf8), [UInt8](repeating: 0, count: 5000), MCAP.magic] {
      guard case .failure(let error) = read(bytes) else {
        Issue.record("it was taken for a bundle")
        continue
      }
      #expect(error.code == .corrupt && error.message.hasPrefix("b is not a complete bug bundle"), "\(error)")
    }
    var talking = HandMadeBundle()
    talking.hasMessage = true
    try expectFailure(talking, .corrupt, "channel")
  }

  @Test func `a description that is none, or of another expectation, is refused`() throws {
    let right = HandMadeBundle()
    for (text, other) in [
      ("\"version\"", "\"versio\""), ("\"frame_count\":2", "\"frame_count\":0"), ("{", "["),
      ("\"first_number\":30", "\"first_number\":-30"),
      ("\"background\":\"none\",\"expected", "\"background\":\"url\",\"expected"),
      ("\"frame_count\":2,", ""), ("\"removed\":[\"colour\"]", "\"removed\":7"),
    ] { try expectFailure(right.replacing(text, by: other, in: "bundle.json"), .corrupt) }
    // Its own recording, parameters, frames or note are not those of the expectation.
    for (text, other) in [
      ("\"recording\":\"0", "\"recording\":\"1"), ("\"matte.blur\":\"5\"", "\"matte.blur\":\"6\""),
      ("\"first_number\":30", "\"first_number\":29"), ("\"preset\":\"video", "\"preset\":\"audio"),
    ] { try expectFailure(right.replacing(text, by: other, in: "bundle.json"), .corrupt, "another replay") }
    try expectFailure(right.replacing("left hand", by: "right hand", in: "note.txt"), .corrupt, "note.txt")
    var added = right
    added["expected.jsonl"] += Array("{}\n".utf8)
    try expectFailure(added, .corrupt, "another replay")
    var swapped = right
    swapped.parts.swapAt(0, 1)
    try expectFailure(swapped, .corrupt, "bundle.json")
  }

  @Test func `more passes than there can be digests of are refused, and a few are not`() throws {
    var header = HandMadeBundle.header
    for passes in [1 << 39, 1_000_000, 1000] {
      header.order.passCount = passes
      try expectFailure(HandMadeBundle(header: header), .corrupt, "\(passes) times")
    }
    header.order.passCount = 2
    #expect(try read(HandMadeBundle(header: header).bytes()).get().count == 6)
  }

  @Test func `what is too large for its part is refused`() throws {
    var bundle = HandMadeBundle()
    bundle["note.txt"] = [UInt8](repeating: 65, count: BundlePart.noteByteCountLimit + 1)
    try expectFailure(bundle, .corrupt, "note.txt")
    bundle = HandMadeBundle()
    bundle["parameters.yaml"] = [UInt8](repeating: 10, count: 1 << 20)
    try expectFailure(bundle, .corrupt, "parameters.yaml")
  }

  /// Counts the bytes of the largest read, which a reader needs memory for.
  private struct CountingSource: ByteSource {
    final class Count { var largest = 0 }
    var source: MemorySource
    let count = Count()
    var byteCount: Int? { source.byteCount }
    mutating func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(RetakeError) -> Int {
      count.largest = max(count.largest, buffer.count)
      return try source.read(at: offset, into: buffer)
    }
  }

  @Test(arguments: ["bundle.json", "note.txt", "parameters.yaml"])
  func `a part that is too large is refused before it is loaded`(name: String) throws {
    var bundle = HandMadeBundle()
    bundle[name] = [UInt8](repeating: 65, count: 3 << 20)
    let source = CountingSource(source: MemorySource(try bundle.bytes()))
    let error = #expect(throws: RetakeError.self) { _ = try BundleReader.read(source, name: "b") { _, _ in } }
    #expect(error?.code == .corrupt && error?.message.contains("has a \(name) of 3145728 bytes") == true, "\(error)")
    #expect(source.count.largest < 10_000)
  }

  @Test func `one that is cut off anywhere is an error, and takes no memory for what it claims`() throws {
    let whole = try HandMadeBundle().bytes()
    for count in stride(from: 0, to: whole.count, by: 7) {
      guard case .failure(let error) = read(Array(whole[..<count])) else {
        Issue.record("the first \(count) of \(whole.count) bytes were taken for a bundle")
        continue
      }
      #expect(error.code == .corrupt)
    }
    // An attachment that claims to be as long as a disk.
    var claim = Array(whole[..<(try #require(position(of: "note.txt", in: whole)) - 20 - 9)])
    claim += [MCAP.Opcode.attachment.rawValue] + [0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 0, count: 100)
    guard case .failure(let error) = read(claim) else {
      Issue.record("it was taken for a bundle")
      return
    }
    #expect(error.code == .unsupported || error.code == .corrupt, "\(error)")
  }

  @Test func `a changed byte anywhere is noticed`() throws {
    let whole = try HandMadeBundle().bytes()
    for position in stride(from: 8, to: whole.count, by: 11) {
      var bytes = whole
      bytes[position] ^= 0x20
      guard case .failure = read(bytes) else {
        Issue.record("byte \(position) of \(whole.count) was changed, and nobody noticed")
        continue
      }
    }
    var bytes = whole
    bytes[try #require(position(of: "left hand", in: whole))] ^= 1
    guard case .failure(let error) = read(bytes) else {
      Issue.record("a changed note was not noticed")
      return
    }
    #expect(error.message.contains("CRC"), "\(error)")
  }

  private func position(of text: String, in bytes: [UInt8]) -> Int? {
    Data(bytes).range(of: Data(text.utf8))?.lowerBound
  }
}
