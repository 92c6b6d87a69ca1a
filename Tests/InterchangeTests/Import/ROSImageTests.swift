import ChunkFormat
import FrameModel
import Interchange
import Support
import TestSupport
import Testing

/// Messages of a ROS 2 camera, some of them malformed.
@Suite struct ROSImageTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A sensor_msgs/msg/Image in little-endian CDR.
  private struct Image {
    var width: UInt32 = 7
    var height: UInt32 = 5
    var encoding = "rgb8"
    var bytesPerRow: UInt32 = 21
    var pixels = (0..<105).map { UInt8($0 * 2) }

    var bytes: [UInt8] {
      var body: [UInt8] = []
      func append(_ word: UInt32) {
        while body.count % 4 != 0 { body.append(0) }
        for shift in stride(from: 0, to: 32, by: 8) { body.append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
      }
      func append(_ text: String) {
        append(UInt32(text.utf8.count + 1))
        body += Array(text.utf8) + [0]
      }
      append(1_700_000_000)
      append(5)
      append("camera")
      append(height)
      append(width)
      append(encoding)
      body.append(0)
      append(bytesPerRow)
      append(UInt32(pixels.count))
      return [0, 1, 0, 0] + body + pixels
    }
  }

  private func imported(_ messages: [[UInt8]]) throws -> ImportedFrames.Contents {
    let sink = MemorySink()
    var writer = try MCAPWriter(
      to: sink, header: MCAPHeader(profile: "ros2", library: "test"), options: MCAPWriterOptions())
    try writer.add(MCAPSchema(id: 1, name: "sensor_msgs/msg/Image", encoding: "ros2msg", data: []))
    try writer.add(MCAPChannel(id: 1, schema: 1, topic: "/camera", messageEncoding: "cdr", metadata: []))
    for (index, message) in messages.enumerated() {
      let time = 1_700_000_000_000_000_000 + UInt64(index) * 33_333_333
      _ = try writer.append(channel: 1, sequence: UInt32(index), logTime: time, publishTime: time) { writer in
        message.withUnsafeBytes { writer.append($0) }
      }
    }
    try writer.finish()
    let path = folder.path("a.mcap")
    try FileBytes.write(sink.bytes, to: path)
    return try ImportedFrames.all(of: ImportCatalog.open(path))
  }

  @Test func `a message that is cut anywhere is a lost frame`() throws {
    let whole = Image()
    let cut = whole.bytes.indices.map { Array(whole.bytes[..<$0]) }
    let contents = try imported([whole.bytes] + cut + [whole.bytes])
    #expect(contents.bytes(ofStream: 0) == [whole.pixels, whole.pixels])
    #expect(contents.losses.reduce(0) { $0 + $1.count } == cut.count)
    #expect(contents.failure == nil)
  }

  @Test func `a picture with too few rows keeps the whole ones and is flagged`() throws {
    let whole = Image()
    var short = whole
    short.pixels.removeLast(22)
    let contents = try imported([whole.bytes, short.bytes])
    #expect(contents.frames.map(\.flags) == [[], .damaged])
    #expect(contents.bytes(ofStream: 0) == [whole.pixels, Array(whole.pixels.prefix(63))])
  }

  @Test func `padding after rows is left out, also where the last row lacks it`() throws {
    var padded = Image()
    padded.bytesPerRow = 24
    padded.pixels = (0..<5).flatMap { row in (0..<21).map { UInt8(row * 21 + $0) } + [99, 99, 99] }
    var short = padded
    short.pixels.removeLast(3)
    let contents = try imported([padded.bytes, short.bytes])
    let expected = (0..<105).map { UInt8($0) }
    #expect(contents.bytes(ofStream: 0) == [expected, expected])
    #expect(contents.frames.allSatisfy { $0.flags.isEmpty })
  }

  @Test(arguments: [
    (UInt32.max, 5, 21), (7, UInt32.max, 21), (UInt32.max, UInt32.max, UInt32.max), (0, 5, 21), (7, 0, 21), (7, 5, 20),
    (16_384, 16_384, 0), (8, 5, 24),
  ])
  func `sizes that no picture has, or another than the first one, lose only their own frame`(
    width: UInt32, height: UInt32, bytesPerRow: UInt32
  ) throws {
    let whole = Image()
    let hostile = Image(width: width, height: height, bytesPerRow: bytesPerRow)
    let contents = try imported([whole.bytes, hostile.bytes, whole.bytes])
    #expect(contents.bytes(ofStream: 0) == [whole.pixels, whole.pixels])
    #expect(contents.losses.map(\.count) == [1])
  }
}
