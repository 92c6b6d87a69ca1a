import Support

/// A small file in a recording's folder that is replaced as a whole, such as alignment.json. A process
/// that is killed, or a disk that fails, leaves the earlier contents or the new ones.
struct FolderFile {
  let folder: RecordingFolder
  let name: String

  var path: String { folder.path + "/" + name }

  /// - Returns: nil without a file.
  /// - Throws: for a file of more than `limit` bytes.
  func read(limit: Int) throws(RetakeError) -> [UInt8]? {
    guard try RecordingFolder.exists(path) else { return nil }
    return try FileBytes.read(path, limit: limit)
  }

  /// Runs code while no recorder or other command changes the folder.
  /// - Throws: if the folder is in use.
  func changing<Result>(_ body: () throws(RetakeError) -> Result) throws(RetakeError) -> Result {
    let lock = try FolderLock(folder)
    defer { withExtendedLifetime(lock) {} }
    return try body()
  }

  /// Call within `changing`.
  func replace(with text: String, on fileSystem: any FileSystem) throws(RetakeError) {
    let partialPath = path + PartialFile.suffix
    // Of a process that was killed.
    try fileSystem.remove(partialPath)
    let file = try created(partialPath, on: fileSystem)
    try Array(text.utf8).withRawBytes { bytes throws(RetakeError) in
      var done = 0
      while done < bytes.count { done += try file.write(UnsafeRawBufferPointer(rebasing: bytes[done...])) }
    }
    try file.synchronize()
    try fileSystem.rename(partialPath, to: path, replacing: true)
    try fileSystem.synchronizeFolder(folder.path)
  }

  /// Names the file that is to be replaced, since the user knows of no other.
  private func created(_ partialPath: String, on fileSystem: any FileSystem) throws(RetakeError) -> any WritableFile {
    do throws(RetakeError) { return try fileSystem.create(partialPath) } catch {
      throw RetakeError(error.code, error.message.replacing(partialPath, with: path), hint: error.hint)
    }
  }

  /// Call within `changing`. No error if there is no file.
  func remove(on fileSystem: any FileSystem) throws(RetakeError) {
    try fileSystem.remove(path)
    try fileSystem.synchronizeFolder(folder.path)
  }
}
