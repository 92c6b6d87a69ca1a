import CommandTestSupport
import Foundation
import RecordingStore
import TestSupport
import Testing

/// Sources that are damaged, hostile, or nothing that can be imported.
@Suite(.long) struct BadImportTests {
  private let folder: TemporaryFolder
  private var source: String { folder.path("foreign.mcap") }
  init() throws { folder = try TemporaryFolder() }

  private func expectError(
    _ path: String, _ options: [String] = [], status: Int32 = 1, says words: [String],
    location: SourceLocation = #_sourceLocation
  ) throws {
    let recording = folder.path("none.retake")
    let result = try ForeignFiles.importFile(path, to: recording, options, expecting: status, location: location)
    for word in words + ["error: ", "hint: "] {
      #expect(result.errors.contains(word), "no '\(word)' in: \(result.errors)", sourceLocation: location)
    }
    #expect(!FileManager.default.fileExists(atPath: recording), sourceLocation: location)
  }

  @Test(arguments: ["zstd", "none"])
  func `of a file that is cut, what is whole is imported, and exit code 3`(compression: String) throws {
    let expected = try ForeignFiles.byTopic(ForeignFiles.writeMCAP(source, "ros2", compression: compression))
    let whole = try Data(contentsOf: URL(fileURLWithPath: source))
    let cut = folder.path("cut.mcap")
    var counts: [Int] = []
    for part in 1...8 {
      try whole.prefix(whole.count * part / 9).write(to: URL(fileURLWithPath: cut))
      let recording = folder.path("cut-\(part).retake")
      let result = try ChildProcess.run(Checkout.retake, ["import", cut, "-o", recording, "--keep-free", "0"])
      #expect([1, 3].contains(result.status), "\(result.status): \(result.errors)")
      #expect(result.errors.contains("error: ") && result.errors.contains("hint: "))
      guard result.status == 3 else { continue }
      #expect(result.errors.contains("is damaged"))
      let found = try ForeignFiles.byTopic(ForeignFiles.read(recording))
      for (topic, frames) in found {
        // What was in a chunk that is cut short is not sure to be as it was written, and says so.
        let given = try #require(expected[topic]).prefix(frames.count)
        #expect(frames.map(\.sha256) == given.map(\.sha256))
      }
      counts.append(found.values.reduce(0) { $0 + $1.count })
    }
    #expect(counts == counts.sorted())
    #expect((counts.max() ?? 0) > 0)
  }

  @Test func `frames of a chunk that does not match its CRC are flagged`() throws {
    let expected = try ForeignFiles.writeMCAP(source, "ros2", compression: "none")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: source))
    bytes[bytes.count / 3] ^= 0x10
    try bytes.write(to: URL(fileURLWithPath: source))
    let recording = folder.path("damaged.retake")
    let result = try ForeignFiles.importFile(source, to: recording, expecting: 3)
    #expect(result.errors.contains("does not match its CRC"))
    #expect(result.errors.contains("Damaged frames, kept and flagged"))
    let found = try ForeignFiles.read(recording)
    #expect(found.count >= expected.count - 1)
    let whole = Set(expected.compactMap { $0["sha256"] as? String })
    for line in found where line["flags"] as? Int == 0 { #expect(whole.contains(try ForeignFrame(line).sha256)) }
  }

  @Test func `files beside the only MCAP of a folder are named`() throws {
    _ = try ForeignFiles.writeMCAP(source, "ros2")
    let mixed = folder.path("mixed")
    try FileManager.default.createDirectory(atPath: mixed + "/more", withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: source, toPath: mixed + "/a.mcap")
    try Data("x".utf8).write(to: URL(fileURLWithPath: mixed + "/out.mp4"))
    let result = try ForeignFiles.importFile(mixed, to: folder.path("mixed.retake"))
    #expect(result.errors.contains("left out \(mixed)/more\nleft out \(mixed)/out.mp4\n"), "\(result.errors)")
    #expect(!result.errors.contains("left out \(mixed)/a.mcap"), "\(result.errors)")
    for number in 0..<20 { try Data("x".utf8).write(to: URL(fileURLWithPath: mixed + "/z\(number)")) }
    let many = try ForeignFiles.importFile(mixed, to: folder.path("many.retake")).errors.split(separator: "\n")
      .filter { $0.hasPrefix("left out") }
    #expect(many.count == 21 && many.last == "left out 2 other names in \(mixed)", "\(many)")
  }

  @Test func `messages beside a bag that its description does not list are named`() throws {
    _ = try ForeignFiles.writeBag(source, "db3-split", "depths")
    try Data("x".utf8).write(to: URL(fileURLWithPath: source + "/stray.db3"))
    let result = try ForeignFiles.importFile(source, to: folder.path("stray.retake"))
    let said = result.errors.split(separator: "\n").filter { $0.hasPrefix("left out") }
    #expect(said == ["left out \(source)/stray.db3"], "\(result.errors)")
  }

  @Test func `messages that a chunk took with it are counted`() throws {
    let expected = try ForeignFiles.writeMCAP(source, "ros2", compression: "zstd")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: source))
    // The second chunk is then no zstd at all.
    let zstdMagic = Data([0x28, 0xB5, 0x2F, 0xFD])
    let first = try #require(bytes.range(of: zstdMagic))
    let second = try #require(bytes.range(of: zstdMagic, in: first.upperBound..<bytes.count))
    bytes.replaceSubrange(second, with: [0, 0, 0, 0])
    try bytes.write(to: URL(fileURLWithPath: source))
    let recording = folder.path("damaged.retake")
    let result = try ForeignFiles.importFile(source, to: recording, expecting: 3)
    let losses = try Recording(path: recording).summary().losses.filter { $0.reason == "dropped" }
    let found = try ForeignFiles.read(recording).count
    #expect(found < expected.count)
    #expect(losses.reduce(0) { $0 + $1.count } == expected.count - found, "\(result.errors)")
  }

  @Test func `messages that the statistics count and that are cut out of a file are counted`() throws {
    let expected = try ForeignFiles.writeMCAP(source, "ros2", compression: "none")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: source)))
    func littleEndian(_ value: Int) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    var (cut, place, chunkCount, summaryStart) = (Array(bytes.prefix(8)), 8, 0, 0)
    while place < bytes.count - 8 {
      let count = 9 + (0..<8).reduce(0) { $0 | Int(bytes[place + 1 + $1]) << (8 * $1) }
      let (operation, record) = (bytes[place], bytes[place..<place + count])
      place += count
      if operation == 6 { chunkCount += 1 }
      switch operation {
      // The second chunk and its indexes, and the indexes of chunks and of the summary.
      case 6 where chunkCount == 2, 7 where chunkCount == 2, 8, 14: continue
      case 2: cut += [2] + littleEndian(20) + littleEndian(summaryStart) + littleEndian(0) + [0, 0, 0, 0]
      default: cut += record
      }
      if operation == 15 { summaryStart = cut.count }
    }
    #expect(chunkCount > 2)
    try Data(cut + bytes.suffix(8)).write(to: URL(fileURLWithPath: source))
    let recording = folder.path("cut.retake")
    let result = try ForeignFiles.importFile(source, to: recording, expecting: 3)
    let losses = try Recording(path: recording).summary().losses.filter { $0.reason == "dropped" }
    let lostCount = expected.count - (try ForeignFiles.read(recording).count)
    #expect(lostCount > 0 && losses.reduce(0) { $0 + $1.count } == lostCount, "\(result.errors)")
    #expect(!result.errors.contains("error: "), "\(result.errors)")
  }

  @Test func `sizes that a hostile file claims cost neither memory nor the good frames`() throws {
    let expected = try ForeignFiles.writeMCAP(source, "hostile")
    let recording = folder.path("hostile.retake")
    let result = try ChildProcess.run(
      "/usr/bin/prlimit",
      ["--as=2000000000", try Checkout.retake, "import", source, "-o", recording, "--keep-free", "0"])
    try #require(result.status == 3, "\(result.status) \(result.errors)")
    for topic in ["/bad:", "/bad_compressed:", "/bad_json:", "/bad_protobuf:"] {
      #expect(result.errors.contains("left out \(topic)"))
    }
    let good = try #require(ForeignFiles.byTopic(ForeignFiles.read(recording))["/good"])
    #expect(good.first == (try ForeignFiles.byTopic(expected)["/good"]?.first))
  }

  @Test func `a topic that is not there, or cannot be imported`() throws {
    _ = try ForeignFiles.writeMCAP(source, "odd")
    try expectError(source, ["--topic", "/colour"], says: ["'/colour'", "/color, "])
    try expectError(source, ["--topic", "/hdr"], says: ["/hdr", "64FC3", "supported encodings: rgb8"])
  }

  @Test func `what is no source is named, with what would be one`() throws {
    let text = folder.path("text.mkv")
    try Data("hello".utf8).write(to: URL(fileURLWithPath: text))
    let accepted = ["rgb.txt", "MCAP", ".mkv"]
    try expectError(text, says: [text] + accepted)
    try expectError(folder.path, says: [folder.path] + accepted)
    try expectError("/dev/null", says: ["/dev/null"] + accepted)
    try expectError("", status: 64, says: accepted)
    try expectError(folder.path("nothing"), says: ["nothing"])
    try Data([0x1A, 0x45, 0xDF, 0xA3] + [UInt8](repeating: 7, count: 100)).write(to: URL(fileURLWithPath: text))
    try expectError(text, says: [text, "ffprobe failed: "])
    try expectError(text, ["--topic", "/x"], status: 64, says: ["--topic"])
    try Data("#ROSBAG V2.0\n".utf8).write(to: URL(fileURLWithPath: text))
    try expectError(text, says: ["no readable image", "ends inside a record"])
    try Data("SQLite format 3\0".utf8).write(to: URL(fileURLWithPath: text))
    try expectError(text, says: [text])
    let recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=2&size=64x48")
    let bundle = folder.path("a.retake-bundle")
    try CommandLineTool.run(["bundle", recording, "-o", bundle])
    try expectError(bundle, says: ["a bug bundle", "'retake reproduce"])
    let results = folder.path("a.sqlite")
    try CommandLineTool.run(["sweep", recording, "--scores", "area", "-o", results, "--quiet"])
    try expectError(results, says: ["results of a sweep", "'retake sweep table"])
    try expectError(recording, says: ["is already a Retake recording"])
    try expectError(recording + "/chunks/000000.mcap", says: ["chunk file", "retake recover"])
  }

  @Test(.enabled(if: Checkout.hasFixture("ros2-mcap"), "needs ../shared/fixtures, which a clone lacks"))
  func `an MCAP file without images is refused, and a folder of several files without metadata`() throws {
    try expectError(Checkout.fixture("ros2-mcap/talker.mcap"), says: ["no image", "sensor_msgs"])
    try expectError(Checkout.fixture("ros2-mcap"), says: ["3 files of messages", "metadata.yaml"])
  }

  @Test func `a recording is never written over`() throws {
    _ = try ForeignFiles.writeMCAP(source, "ros1")
    let recording = folder.path("a.retake")
    try ForeignFiles.importFile(source, to: recording)
    let before = try ForeignFiles.chunkFiles(recording)
    let result = try ForeignFiles.importFile(source, to: recording, expecting: 1)
    #expect(result.errors.contains("not empty") && result.errors.contains("hint: "))
    #expect(areSame(before, try ForeignFiles.chunkFiles(recording)))
  }
}
