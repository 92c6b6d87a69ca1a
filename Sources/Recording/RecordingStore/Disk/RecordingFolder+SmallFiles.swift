import Support

/// Small files beside the index, such as `alignment.json`.
extension RecordingFolder {
  /// Replaces a file as a whole. A process that is killed, or a disk that fails, leaves the earlier file
  /// or the new one.
  /// - Throws: if a recorder is using the folder, or it cannot be written to.
  func replace(_ name: String, by text: String, on fileSystem: any FileSystem) throws(RetakeError) {
    let lock = try FolderLock(self)
    defer { withExtendedLifetime(lock) {} }
    let partialPath = "\(path)/\(name)\(PartialFile.suffix)"
    // Of a process that was killed.
    try fileSystem.remove(partialPath)
    let file = try fileSystem.create(partialPath)
    try Array(text.utf8).withRawBytes { bytes throws(RetakeError) in
      var done = 0
      while done < bytes.count { done += try file.write(UnsafeRawBufferPointer(rebasing: bytes[done...])) }
    }
    try file.synchronize()
    try fileSystem.rename(partialPath, to: "\(path)/\(name)", replacing: true)
    try fileSystem.synchronizeFolder(path)
  }

  /// Removes a file; no error if there is none.
  /// - Throws: as `replace`.
  func remove(_ name: String, on fileSystem: any FileSystem) throws(RetakeError) {
    let lock = try FolderLock(self)
    defer { withExtendedLifetime(lock) {} }
    try fileSystem.remove("\(path)/\(name)")
    try fileSystem.synchronizeFolder(path)
  }
}
