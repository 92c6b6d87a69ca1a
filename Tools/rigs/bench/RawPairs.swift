import FrameModel
import Glibc
import RecordingStore
import Support

/// A recording's colour and depth frames as files for other programs: `color.raw` and `depth.raw`
/// hold the frames back to back; `format` holds width, height and the two pixel formats.
struct RawPairs {
  let color: FrameLayout
  let depth: FrameLayout
  private let folder: String

  init(folder: String) throws {
    let words = String(decoding: try FileBytes.read(folder + "/format"), as: UTF8.self).split(separator: " ")
    guard words.count == 4, let width = Int(words[0]), let height = Int(words[1]),
      let colorFormat = PixelFormat(rawValue: String(words[2])),
      let depthFormat = PixelFormat(rawValue: String(words[3]))
    else { throw RetakeError(.corrupt, "\(folder)/format is not what unpack writes.") }
    color = try FrameLayout(colorFormat, width: width, height: height)
    depth = try FrameLayout(depthFormat, width: width, height: height)
    self.folder = folder
  }

  /// Writes the recording's first `count` pairs, repeating them if there are fewer.
  static func unpack(_ recording: Recording, to folder: String, count: Int) throws {
    try Folder.make(folder)
    let reader = try FrameReader(recording)
    var formats: [String] = []
    var size = ""
    for (kind, name) in [(StreamKind.color, "color"), (.depth, "depth")] {
      guard let stream = recording.firstStream(kind) else {
        throw RetakeError(.usage, "\(recording.folder.path) has no \(name) stream.")
      }
      let layout = recording.streams[stream].layout
      size = "\(layout.width) \(layout.height)"
      formats.append(layout.format.rawValue)
      let rows = try recording.frameRows(stream: stream, from: 0, limit: count)
      let path = "\(folder)/\(name).raw"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      guard descriptor >= 0, !rows.isEmpty else { throw FileBytes.failure("write", path) }
      defer { close(descriptor) }
      for number in 0..<count {
        let frame = try reader.frame(rows[number % rows.count])
        try FileBytes.writeAll(frame.bytes, to: descriptor, path: path)
      }
    }
    try FileBytes.write(Array("\(size) \(formats.joined(separator: " "))".utf8), to: folder + "/format")
  }

  /// Reads `count` pairs, colour and depth alternating. Each contender's time includes this.
  func forEach(_ count: Int, _ body: (_ stream: Int, _ number: Int, UnsafeRawBufferPointer) throws -> Void) throws {
    let layouts = [color, depth]
    let buffers = layouts.map { FrameBuffer(byteCount: $0.byteCount) }
    let descriptors = ["color", "depth"].map { open("\(folder)/\($0).raw", O_RDONLY | O_CLOEXEC) }
    defer { for descriptor in descriptors { close(descriptor) } }
    for number in 0..<count {
      for stream in 0..<2 {
        let bytes = buffers[stream].mutableBytes
        guard Glibc.read(descriptors[stream], bytes.baseAddress, bytes.count) == bytes.count else {
          throw RetakeError(.corrupt, "\(folder) holds fewer than \(count) pairs.")
        }
        try body(stream, number, buffers[stream].bytes)
      }
    }
    withExtendedLifetime(buffers) {}
  }
}
