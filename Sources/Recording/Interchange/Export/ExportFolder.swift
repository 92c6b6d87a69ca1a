import Glibc
import Support

/// The output folder of an export. It must be new or empty, so that nothing is overwritten. Until the export is whole, its
/// files are in a hidden folder within; what a killed export left there goes when the next one begins.
final class ExportFolder {
  private let folder: FolderClaim
  /// Nil once the export is whole.
  private var scratch: ScratchFolder?
  private static let scratchPrefix = ".retake-export-"

  init(path: String) throws(RetakeError) {
    folder = try FolderClaim(path: path)
    let prefix = folder.path + "/" + Self.scratchPrefix
    let scratch = try ScratchFolder(prefix: prefix, family: Self.scratchPrefix)
    self.scratch = scratch
    guard try Folder.names(in: folder.path).count == 1 else { throw Folder.isNotEmpty(path) }
  }

  deinit {
    scratch = nil
    folder.removeIfEmpty()
  }

  /// Gives the files their names.
  func finish() throws(RetakeError) {
    guard let scratch else { return }
    for name in try Folder.names(in: scratch.path).sorted() {
      let path = "\(folder.path)/\(name)"
      guard SystemCall.rename(scratch.path(name), path) == 0 else { throw FileBytes.failure("write", path) }
    }
    self.scratch = nil
  }

  func makeFolder(_ name: String) throws(RetakeError) { try Folder.make(file(name)) }

  /// Until the export is whole.
  func file(_ name: String) -> String { scratch?.path(name) ?? "\(folder.path)/\(name)" }
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
