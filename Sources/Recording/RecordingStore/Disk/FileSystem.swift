import FrameModel
import Support

/// What the recorder and the repair ask of a disk when they write. Everything that changes a recording's files goes
/// through here, so that tests can put a disk behind it that fails, fills up, or loses power between any two calls.
///
/// Reading goes to the real files: what is read was written before.
package protocol FileSystem: Sendable {
  /// Makes a file that is not there yet, to be written.
  func create(_ path: String) throws(RetakeError) -> any WritableFile
  /// Gives a file another name.
  /// - Parameter replacing: whether in place of a file that has it; otherwise that is an error. Two that do this at once are
  ///   kept apart by the folder's lock.
  func rename(_ path: String, to newPath: String, replacing: Bool) throws(RetakeError)
  /// Takes a file away; one that is not there is no error.
  func remove(_ path: String) throws(RetakeError)
  /// Flushes a folder's entries, so that files made, renamed and removed in it outlive a power cut.
  func synchronizeFolder(_ path: String) throws(RetakeError)
  /// Bytes that an ordinary user may still write on the disk of a folder, and its size. Nil when the system does not say.
  func space(of path: String) -> (free: Int, total: Int)?
}

/// A file that is being written, from front to back. Closed when its last holder lets go.
package protocol WritableFile: AnyObject {
  /// Appends bytes.
  /// - Returns: how many were taken: at least one, and perhaps fewer than all.
  func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> Int
  /// Cuts the file back; writing goes on from there.
  func truncate(to byteCount: Int) throws(RetakeError)
  /// Returns when the contents are on the disk.
  func synchronize() throws(RetakeError)
}

extension FileSystem {
  /// - Parameter keepFree: bytes to leave free on a disk of a given size.
  /// - Throws: `.diskFull` when there is less.
  func checkSpace(of path: String, keepFree: (Int) -> Int) throws(RetakeError) {
    guard let space = space(of: path) else { return }
    let floor = keepFree(space.total)
    guard space.free > floor else {
      throw RetakeError(
        .diskFull, "The disk of \(path) has \(space.free >> 20) MiB left, and \(floor >> 20) MiB are kept free.",
        hint: "free some space, write to another disk with --output, or lower --keep-free")
    }
  }
}
