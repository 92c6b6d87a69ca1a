import ChunkFormat
import FrameModel
import Interchange
import RecordingStore
import Support
import TestSupport
import Testing

/// Tags and marks in a file that anybody may have written.
@Suite struct ExportedNotesTests {
  private let folder: TemporaryFolder
  private let path: String
  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.mcap")
  }

  /// A file with one picture and these metadata records.
  private func write(_ notes: [MCAPMetadata]) throws {
    let layout = try FrameLayout(.grey8, width: 2, height: 2)
    let stream = StreamDescription(
      name: "color", kind: .color, layout: layout, rate: try #require(FrameRate("30")),
      clock: try TickClock(hertz: 1_000_000_000, bits: 64), device: "test", settings: [])
    let identity = RecordingIdentity(
      id: String(repeating: "0", count: 32), wallClockNanoseconds: 0, monotonicOrigin: MonotonicTime(nanoseconds: 0),
      formatVersion: 1)
    let sink = BytesSink()
    var writer = try FoxgloveFileWriter(
      to: sink, identity: identity, streams: [stream], facesOf: [], notes: notes)
    try [UInt8](repeating: 7, count: 4).withRawBytes { bytes throws(RetakeError) in
      try writer.append(pixels: bytes, .mono8, width: 2, height: 2, stream: 0, nanoseconds: 1_000_000_000)
    }
    try writer.finish()
    try FileBytes.write(sink.bytes, to: path)
  }

  @Test func `only what a recording can hold is taken`() throws {
    let many = (0..<20_000).map { StreamDescription.Setting("\($0)", "\(1_000_000_000 + $0) m\($0)") }
    let wrong = ["", "x y", "9223372036854775807 far", "1 \u{1B}[2J", "5 " + String(repeating: "x", count: 201)]
    try write([
      MCAPMetadata(name: "retake.tags", entries: [.init("good", "1"), .init("b d", "2"), .init("worse", "a\nb")]),
      MCAPMetadata(name: "retake.note", entries: [.init("text", "\u{1B}[2J")]),
      MCAPMetadata(name: "retake.marks", entries: wrong.map { .init("w", $0) } + many),
      MCAPMetadata(name: "other", entries: [.init("a", "b")]),
    ])
    let source = try ImportCatalog.open(path)
    #expect(source.notes.tags.tags.map(\.text) == ["good=1"] && source.notes.tags.note.isEmpty)
    #expect(source.notes.marks.count == 10_000 - wrong.count)
    #expect(source.notes.marks.first?.presentation.nanoseconds == 0 && source.notes.marks.first?.label == "m0")
  }
}

private final class BytesSink: ByteSink {
  private(set) var bytes: [UInt8] = []
  func write(_ bytes: UnsafeRawBufferPointer) { self.bytes += bytes }
  func truncate(to byteCount: Int) { bytes.removeLast(bytes.count - byteCount) }
}
