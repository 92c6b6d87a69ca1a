import Foundation
import Support

/// The output folder of an export. It must be new or empty, so that nothing is overwritten, and is emptied if the
/// export fails.
final class ExportFolder {
  private let folder: FolderClaim
  /// Whether all that is in the folder is this export's, and goes if it fails.
  private var isUnfinished = false

  init(path: String) throws(RetakeError) {
    folder = try FolderClaim(path: path)
    guard try Folder.names(in: path).isEmpty else { throw Folder.isNotEmpty(path) }
    isUnfinished = true
  }

  deinit {
    guard isUnfinished else { return }
    for name in (try? Folder.names(in: folder.path)) ?? [] { try? FileManager.default.removeItem(atPath: file(name)) }
    folder.removeIfEmpty()
  }

  func finish() { isUnfinished = false }

  func makeFolder(_ name: String) throws(RetakeError) { try Folder.make(file(name)) }

  func file(_ name: String) -> String { "\(folder.path)/\(name)" }
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
