import FrameModel
import Glibc

/// The folder `NAME.retake/` of one recording, and the names in it.
package struct RecordingFolder: Hashable, Sendable {
  package static let suffix = ".retake"
  /// Files of two seconds for some centuries.
  static let largestFileNumber = 1 << 32

  package let path: String

  package init(path: String) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  package var indexPath: String { path + "/index.sqlite" }
  package var chunksPath: String { path + "/chunks" }

  package static func chunkFileName(_ number: Int) -> String { number.zeroPadded(6) + ".mcap" }

  package func chunkFilePath(_ number: Int) -> String { chunksPath + "/" + Self.chunkFileName(number) }

  /// Makes the folder and everything above it.
  /// - Throws: when it exists already and is not empty: a recording is never written over.
  package func create() throws(RetakeError) {
    try Folder.makeEmpty(path)
    try Folder.make(chunksPath)
  }

  /// Names of everything in the chunks folder, sorted.
  func chunkFileNames() throws(RetakeError) -> [String] { try Folder.names(in: chunksPath) }

  /// Removes the folder when there is no chunk file in it.
  func removeEmpty() {
    guard rmdir(chunksPath) == 0 else { return }
    for suffix in ["", "-wal", "-shm"] { unlink(indexPath + suffix) }
    rmdir(path)
  }

  /// Bytes that an ordinary user may still write on the folder's disk, and its size. Nil when the system does not say.
  package func diskSpace() -> (free: Int, total: Int)? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let unit = Int(status.f_frsize)
    return (Int(status.f_bavail) * unit, Int(status.f_blocks) * unit)
  }

  /// - Parameter keepFree: bytes to leave free on a disk of a given size.
  /// - Throws: `.diskFull` when there is less.
  func checkDiskSpace(keepFree: (Int) -> Int) throws(RetakeError) {
    guard let space = diskSpace() else { return }
    let floor = keepFree(space.total)
    guard space.free > floor else {
      throw RetakeError(
        .diskFull, "The disk of \(path) has \(space.free >> 20) MiB left, and \(floor >> 20) MiB are kept free.",
        hint: "free some space, write to another disk with --output, or lower --keep-free")
    }
  }

  /// Flushes a folder's entries, so that a rename in it outlives a power cut.
  static func synchronize(_ path: String) throws(RetakeError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileBytes.failure("open", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FileBytes.failure("flush", path) }
  }
}
