import Support

/// File-system operations with which the recorder and the repair write. Every change to a
/// recording's files goes through this protocol, so tests can substitute a disk that fails, fills
/// up or loses power between any two calls. Reads of files' contents use the real files directly.
package protocol FileSystem: Sendable {
  /// Creates a file for writing. Fails if the file exists.
  func create(_ path: String) throws(RetakeError) -> any WritableFile
  /// - Parameter replacing: whether an existing file at `newPath` is replaced rather than an error.
  ///   The check is not atomic: the folder's lock keeps other writers out.
  func rename(_ path: String, to newPath: String, replacing: Bool) throws(RetakeError)
  /// Removes a file. A missing file is not an error.
  func remove(_ path: String) throws(RetakeError)
  /// Flushes a folder's entries, so that created, renamed and removed files survive a power cut.
  func synchronizeFolder(_ path: String) throws(RetakeError)
  /// Bytes free to unprivileged users on the folder's disk, and the disk's size. Nil when unknown.
  func space(of path: String) -> (free: Int, total: Int)?
  /// Names of the files in a folder.
  func names(in path: String) throws(RetakeError) -> [String]
}

/// A file that is written from front to back. Closed on deinit.
package protocol WritableFile: AnyObject {
  /// - Returns: the number of bytes written, at least one. Short writes are possible.
  func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> Int
  /// Truncates the file and continues writing at its new end.
  func truncate(to byteCount: Int) throws(RetakeError)
  /// Returns once the contents are on the disk.
  func synchronize() throws(RetakeError)
}

extension FileSystem {
  package func names(in path: String) throws(RetakeError) -> [String] { try Folder.names(in: path) }

  private static func text(_ byteCount: Int) -> String {
    byteCount < 10_000_000_000 ? "\(byteCount / 1_000_000) MB" : "\(byteCount / 1_000_000_000) GB"
  }

  /// - Parameters:
  ///   - byteCount: what is to be written.
  ///   - keepFree: returns the bytes to keep free, given the size of the disk.
  /// - Throws: `.diskFull` when no more than both is free.
  func checkSpace(of path: String, for byteCount: Int = 0, keepFree: (Int) -> Int) throws(RetakeError) {
    guard let space = space(of: path) else { return }
    let floor = keepFree(space.total)
    guard space.free - byteCount > floor else {
      // The name of a copy that is being made is not one that the user gave.
      let shown = path.replacing(RecordingFolder.stagingPrefix, with: "")
      let free = "The disk of \(shown) has only \(Self.text(space.free)) left"
      // What a recorder needs itself, with any --keep-free.
      guard floor > 4 * RecorderOptions.indexByteCount else {
        throw RetakeError(
          .diskFull, "\(free), which finishing a recording may need.", hint: "free some space, or write to another disk"
        )
      }
      throw RetakeError(
        .diskFull, "\(free), too little beside the \(Self.text(floor)) that must stay free.",
        hint: "free some space, write to another disk, or give a lower --keep-free where the verb has it")
    }
  }
}
