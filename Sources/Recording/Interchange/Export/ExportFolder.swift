import Glibc
import Support

/// The output folder of an export. It must be new or empty, so that nothing is overwritten.
struct ExportFolder {
  let path: String

  init(path: String) throws(RetakeError) {
    var path = path
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    self.path = path
    try Folder.makeEmpty(path)
  }

  func makeFolder(_ name: String) throws(RetakeError) { try Folder.make(file(name)) }

  func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// A text file written line by line, in buffered writes of 64 KiB.
final class LineFile {
  private let path: String
  private let descriptor: Int32
  private var pending: [UInt8] = []
  private static let writeByteCount = 1 << 16

  init(path: String) throws(RetakeError) {
    self.path = path
    descriptor = try FileBytes.open("create", path, O_WRONLY | O_CREAT | O_EXCL, 0o644)
  }

  deinit { close(descriptor) }

  func append(_ line: String) throws(RetakeError) {
    pending.append(contentsOf: line.utf8)
    pending.append(UInt8(ascii: "\n"))
    if pending.count >= Self.writeByteCount { try flush() }
  }

  func flush() throws(RetakeError) {
    let (path, descriptor) = (path, descriptor)
    try pending.withRawBytes { bytes throws(RetakeError) in
      try FileBytes.writeAll(bytes, to: descriptor, path: path)
    }
    pending.removeAll(keepingCapacity: true)
  }
}
