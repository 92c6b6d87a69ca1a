import FrameModel
import Glibc

/// The folder that an export fills. Nothing in it is ever written over: it is new, or was empty.
struct ExportFolder {
  let path: String

  /// Makes it and everything above it.
  init(path: String) throws(RetakeError) {
    var path = path
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    self.path = path
    try Self.make(path)
    guard let directory = opendir(path) else {
      guard errno == ENOTDIR else { throw FileBytes.failure("read", path) }
      throw RetakeError(.inputOutput, "\(path) exists and is not a folder.", hint: "name another with --output")
    }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name == "." || name == ".." else {
        throw RetakeError(
          .inputOutput, "\(path) exists and is not empty.", hint: "name another folder with --output")
      }
    }
  }

  func makeFolder(_ name: String) throws(RetakeError) { try Self.make(file(name)) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  private static func make(_ path: String) throws(RetakeError) {
    if mkdir(path, 0o755) == 0 { return }
    let code = errno
    if code == EEXIST { return }
    if code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try make(String(path[..<slash]))
      if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
    }
    throw FileBytes.failure("create", path)
  }
}

/// A text file that grows line by line, in writes of some size.
final class LineFile {
  private let path: String
  private let descriptor: Int32
  private var pending: [UInt8] = []
  private static let writeByteCount = 1 << 16

  init(path: String) throws(RetakeError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileBytes.failure("create", path) }
  }

  deinit { close(descriptor) }

  func append(_ line: String) throws(RetakeError) {
    pending.append(contentsOf: line.utf8)
    pending.append(UInt8(ascii: "\n"))
    if pending.count >= Self.writeByteCount { try flush() }
  }

  /// Hands over what is left.
  func flush() throws(RetakeError) {
    let (path, descriptor) = (path, descriptor)
    try pending.withRawBytes { bytes throws(RetakeError) in
      try FileBytes.writeAll(bytes, to: descriptor, path: path)
    }
    pending.removeAll(keepingCapacity: true)
  }
}
