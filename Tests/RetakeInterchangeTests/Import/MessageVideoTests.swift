import CommandTestSupport
import Foundation
import RecordingStore
import TestSupport
import Testing

/// Compressed video in messages: the pictures and times are those that ffmpeg decodes from the same stream.
@Suite(.long) struct MessageVideoTests {
  private let folder: TemporaryFolder
  private var source: String { folder.path("video") }
  private var recording: String { folder.path("imported.retake") }
  init() throws { folder = try TemporaryFolder() }

  private struct Frame: Hashable {
    var tick: Int
    var flags: Int
    var size: String
    var samples: String

    init(_ line: [String: Any]) throws {
      tick = try #require(line["tick"] as? Int)
      flags = try #require(line["flags"] as? Int)
      size = try #require(line["size"] as? String)
      samples = "\(try #require(line["luma"] as? String)) \(try #require(line["chroma"] as? String))"
    }
  }

  private func python(_ arguments: [String]) throws -> [Frame] {
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/write_message_video.py"
    let result = try ChildProcess.run(Checkout.python, [script] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    return try CommandLineTool.jsonLines(result.text).map { try Frame($0) }
  }

  @Test(arguments: [
    ("protobuf", "h264"), ("protobuf", "h265"), ("protobuf", "vp9"), ("json", "av1"), ("mcap", "h265"), ("db3", "h264"),
    ("packets", "h265"), ("compressed", "h264"), ("bag", "h264"),
  ]) func `video of every codec comes over from every kind of message`(container: String, codec: String) throws {
    let expected = try python([source, container, codec, "plain"])
    #expect(expected.count == 30)
    try ForeignFiles.importFile(source, to: recording)
    #expect(try python(["read", recording]) == expected)
    let opened = try Recording(path: recording)
    #expect(opened.streams.map(\.kind) == [.color] && opened.streams[0].rate.framesPerSecond == 30)
    #expect(opened.streams[0].settings["topic"] == "/video")
    try CommandLineTool.run(["verify", recording])
  }

  @Test(arguments: [("protobuf", "h264"), ("db3", "h265")])
  func `messages before the first key frame are counted`(container: String, codec: String) throws {
    let expected = try python([source, container, codec, "late"])
    #expect(expected.count == 18)
    try ForeignFiles.importFile(source, to: recording, expecting: 3)
    #expect(try python(["read", recording]) == expected)
    let losses = try Recording(path: recording).summary().losses.filter { $0.reason == "dropped" }
    #expect(losses.reduce(0) { $0 + $1.count } == 7)
  }

  @Test(arguments: [("bag", "h264"), ("mcap", "h265")])
  func `B frames are in the order in which they are shown`(container: String, codec: String) throws {
    let expected = try python([source, container, codec, "reordered"])
    let result = try ForeignFiles.importFile(source, to: recording)
    #expect(try python(["read", recording]) == expected)
    #expect(!result.errors.contains("sorted"))
  }

  @Test func `B frames that are stamped as they were encoded have sorted times, and that is said`() throws {
    let expected = try python([source, "protobuf", "h264", "decoding"])
    let result = try ForeignFiles.importFile(source, to: recording)
    #expect(try python(["read", recording]) == expected)
    #expect(result.errors.contains("the times were sorted"), "\(result.errors)")
  }

  @Test func `after a damaged packet, pictures up to the next key frame are flagged`() throws {
    let expected = try python([source, "protobuf", "h264", "damaged"])
    let result = try ForeignFiles.importFile(source, to: recording, expecting: 3)
    #expect(result.errors.contains("is damaged: ffmpeg: "), "\(result.errors)")
    let found = try python(["read", recording])
    // Groups of twelve: the packet of picture 15 is wrong, and 24 is a key frame.
    #expect(Array(found.prefix(15)) == Array(expected.prefix(15)))
    #expect(found.suffix(6) == expected.suffix(6))
    let wrong = found.dropFirst(15).dropLast(6)
    #expect(wrong.allSatisfy { $0.flags & 1 == 1 })
    let losses = try Recording(path: recording).summary().losses.filter { $0.reason == "dropped" }
    #expect(wrong.count + losses.reduce(0) { $0 + $1.count } == 9)
  }

  @Test func `video without any key frame is left out by name`() throws {
    _ = try python([source, "compressed", "h264", "keyless"])
    let result = try ForeignFiles.importFile(source, to: recording, expecting: 1)
    #expect(result.errors.contains("left out /video: none of its messages has a key frame of h264"), "\(result.errors)")
  }
}
