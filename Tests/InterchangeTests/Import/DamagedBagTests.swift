import Foundation
import FrameModel
import Interchange
import Support
import TestSupport
import Testing

/// Bags that are cut short or have wrong bits: an error, or what is whole, with what is missing reported.
@Suite(.long) struct DamagedBagTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  struct Container: Sendable, CustomTestStringConvertible {
    var name: String
    /// The file inside the bag's folder; empty for a bag that is a file.
    var file = ""
    /// Wrong bits are found by a checksum, so no unflagged picture is wrong.
    var hasChecksums = false
    /// Arguments of another script that writes it.
    var script: [String] = []
    var pictureCount = 120
    /// More numbers of pictures than this come of a hundred lengths. Few where one chunk has them all.
    var leastNumbers = 3
    var testDescription: String { name }
  }

  private static let containers = [
    Container(name: "bag"), Container(name: "bag-bz2", hasChecksums: true), Container(name: "bag-lz4"),
    Container(name: "db3-message", file: "bag.db3"), Container(name: "db3-file", file: "bag.db3.zstd", leastNumbers: 1),
    Container(name: "mcap", file: "bag.mcap", leastNumbers: 1),
    Container(name: "mcap-file", file: "bag.mcap.zstd", leastNumbers: 0),
    Container(name: "MCAP, lz4", script: ["write_foreign_mcap.py", "ros2", "lz4"], pictureCount: 192),
    Container(
      name: "H.264 in MCAP", script: ["write_message_video.py", "protobuf", "h264", "plain"], pictureCount: 30,
      leastNumbers: 0),
  ]

  private func write(_ container: Container) throws -> (path: String, file: String) {
    let path = folder.path("bag")
    let words =
      container.script.isEmpty ? ["write_ros_bags.py", container.name, "realsense", "40"] : container.script
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/" + words[0]
    let result = try ChildProcess.run(Checkout.python, [script, path] + words.dropFirst())
    try #require(result.status == 0, "\(result.errors)")
    return (path, container.file.isEmpty ? path : path + "/" + container.file)
  }

  /// A picture's stream, tick and bytes.
  private struct Picture: Hashable {
    var topic: String
    var tick: UInt64?
    var bytes: [UInt8]
  }

  private struct Import {
    var pictures: [Picture] = []
    var lostCount = 0
    var isReported = false
  }

  /// - Returns: nil if the import is refused.
  private func run(_ path: String) throws -> Import? {
    let source: ImportSource
    do {
      source = try ImportCatalog.open(path)
    } catch {
      #expect(!error.message.isEmpty)
      return nil
    }
    let contents = try ImportedFrames.all(of: source)
    let topics = source.device.streams.map { $0.settings["topic"] ?? "" }
    var result = Import()
    result.lostCount = contents.losses.reduce(0) { $0 + $1.count }
    let suspectCount = contents.frames.count { !$0.flags.isEmpty }
    result.isReported = contents.failure != nil || result.lostCount > 0 || suspectCount > 0 || !source.remarks.isEmpty
    for frame in contents.frames where frame.flags.isEmpty {
      result.pictures.append(
        Picture(
          topic: topics[frame.streamIndex], tick: frame.deviceTick,
          bytes: Array(frame.buffer.copiedBytes.prefix(frame.byteCount))))
    }
    return result
  }

  @Test(arguments: containers)
  func `a bag that is cut at a hundred places gives whole pictures and a report, or an error`(
    container: Container
  ) throws {
    let (path, file) = try write(container)
    let whole = try FileBytes.read(file)
    let expected = Set(try #require(try run(path)).pictures)
    try #require(expected.count == container.pictureCount)
    var counts: Set<Int> = []
    for part in Sample.of(0..<100, count: 50) {
      try FileBytes.write(Array(whole.prefix(whole.count * part / 100)), to: file)
      guard let found = try run(path) else { continue }
      #expect(Set(found.pictures).isSubset(of: expected), "\(part) %")
      #expect(found.isReported || found.pictures.count == expected.count, "\(part) %: \(found.pictures.count)")
      counts.insert(found.pictures.count)
    }
    // More of the file gives more pictures.
    #expect(counts.count > container.leastNumbers, "\(counts.sorted())")
  }

  // In thirds: a single long case would go on alone after all other tests have ended.
  @Test(arguments: containers, 0..<3)
  func `a bag with a wrong bit at three hundred places loses little, and reports what it finds missing`(
    container: Container, third: Int
  ) throws {
    let (path, file) = try write(container)
    let whole = try FileBytes.read(file)
    let expected = Set(try #require(try run(path)).pictures)
    var readCount = 0
    let sample = Sample.of(stride(from: third, to: 300, by: 3), count: 7)
    for index in sample {
      var bytes = whole
      // Spread over the file, with more of them in its first page.
      let place = index < 60 ? index * 67 % min(4096, bytes.count) : (index - 60) * bytes.count / 240
      bytes[min(place, bytes.count - 1)] ^= 1 << UInt8(index % 8)
      try FileBytes.write(bytes, to: file)
      guard let found = try run(path) else { continue }
      readCount += 1
      let wrong = Set(found.pictures).subtracting(expected).count
      let missing = expected.count - found.pictures.count
      if container.hasChecksums { #expect(wrong == 0, "bit \(index)") }
      #expect(missing <= 0 || found.isReported, "bit \(index) at \(place): \(missing) are missing")
    }
    #expect(readCount > (container.file.hasSuffix(".zstd") ? 0 : sample.count / 3))
  }
}
