import BugBundles
import ChunkFormat
import FrameModel
import Support
import TestSupport

/// A valid bundle file with arbitrary parts. Mutating the bytes of a file rarely yields one, as its
/// checksums then fail.
///
/// The input is a list of parts. Each has a name index (1 byte), the content's length (2 bytes) and
/// the content. Index 0 is followed by a custom name with a length byte.
struct BundlePartsTarget: FuzzTarget {
  private let target = BundleTarget()
  private static let names = [
    "bundle.json", "note.txt", "parameters.yaml", "expected.jsonl", "chunks/000000.mcap", "chunks/000001.mcap",
    "background/file", "background/chunks/000000.mcap", "masks/" + String(repeating: "5a", count: 16) + "/000000.mcap",
  ]

  func run(_ input: UnsafeRawBufferPointer) {
    guard let bytes = try? Self.file(FuzzInput(input)) else { return }
    bytes.withUnsafeBytes { target.run($0) }
  }

  private static func file(_ input: FuzzInput) throws(RetakeError) -> [UInt8] {
    var input = input
    let sink = PartsSink()
    var options = MCAPWriterOptions()
    options.chunkByteCountTarget = nil
    var writer = try MCAPWriter(
      to: sink, header: MCAPHeader(profile: "retake-bundle", library: "fuzz"), options: options)
    try writer.add(MCAPMetadata(name: "retake.bundle", entries: [.init("format_version", "1")]))
    while !input.isAtEnd {
      let choice = Int(input.byte())
      let name =
        choice == 0
        ? String(decoding: input.take(Int(input.byte())), as: UTF8.self) : names[(choice - 1) % names.count]
      try writer.add(
        MCAPAttachment(logTime: 0, createTime: 0, name: name, mediaType: "", data: input.take(input.word16())))
    }
    try writer.finish()
    return sink.bytes
  }

  func seeds() throws -> [[UInt8]] {
    try target.seeds().map { file in
      var list: [UInt8] = []
      _ = try BundleReader.read(MemorySource(file), name: "seed") { part, data in
        let choice = Self.names.firstIndex(of: part.name).map { $0 + 1 } ?? 0
        list += [UInt8(choice), UInt8(data.count & 0xFF), UInt8(data.count >> 8)]
        list += data
      }
      return list
    }
  }
}

private final class PartsSink: ByteSink {
  var bytes: [UInt8] = []
  func write(_ part: UnsafeRawBufferPointer) throws(RetakeError) { bytes += part }
  func truncate(to byteCount: Int) throws(RetakeError) { bytes.removeLast(bytes.count - byteCount) }
}
