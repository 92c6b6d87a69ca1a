import Glibc
import Support

/// The output folder of an export. It must be new or empty, so that nothing is overwritten. Until the export is whole, its
/// files are in a hidden folder within; what a killed export left there goes when the next one begins.
final class ExportFolder {
  private let folder: FolderClaim
  /// Nil once the export is whole.
  private var scratch: ScratchFolder?
  private static let scratchPrefix = ".retake-export-"

  /// Whether a name is of the folder that an export fills before it is whole.
  static func isScratch(_ name: String) -> Bool { name.hasPrefix(scratchPrefix) }

  init(path: String) throws(RetakeError) {
    folder = try FolderClaim(path: path)
    try Self.checkIsEmpty(folder.path)
    do throws(RetakeError) {
      scratch = try ScratchFolder(prefix: folder.path + "/" + Self.scratchPrefix, family: Self.scratchPrefix)
    } catch {
      throw RetakeError(error.code, error.message.replacing("/" + Self.scratchPrefix, with: ""), hint: error.hint)
    }
  }

  private static func checkIsEmpty(_ path: String) throws(RetakeError) {
    guard try Folder.names(in: path).allSatisfy({ $0.hasPrefix(scratchPrefix) }) else { throw Folder.isNotEmpty(path) }
  }

  deinit {
    scratch = nil
    folder.removeIfEmpty()
  }

  /// Gives the files their names.
  func finish() throws(RetakeError) {
    guard let scratch else { return }
    try Self.checkIsEmpty(folder.path)
    for name in try Folder.names(in: scratch.path).sorted() {
      let path = "\(folder.path)/\(name)"
      guard SystemCall.rename(scratch.path(name), path) == 0 else { throw FileBytes.failure("write", path) }
    }
    self.scratch = nil
  }

  func makeFolder(_ name: String) throws(RetakeError) { try Folder.make(file(name)) }

  func write(_ bytes: [UInt8], to name: String) throws(RetakeError) {
    do throws(RetakeError) {
      try FileBytes.write(bytes, to: file(name))
    } catch {
      throw RetakeError(error.code, error.message.replacing(file(name), with: path(name)), hint: error.hint)
    }
  }

  /// Where a file is until the export is whole.
  fileprivate func file(_ name: String) -> String { scratch?.path(name) ?? path(name) }

  /// Where it is then.
  fileprivate func path(_ name: String) -> String { "\(folder.path)/\(name)" }
}

/// A text file written line by line, in buffered writes of 64 KiB.
final class LineFile {
  private let path: String
  private let descriptor: Int32
  private var pending: [UInt8] = []
  private static let writeByteCount = 1 << 16

  init(_ name: String, in folder: ExportFolder) throws(RetakeError) {
    path = folder.path(name)
    descriptor = try FileBytes.open("create", folder.file(name), O_WRONLY | O_CREAT | O_EXCL, 0o644)
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
