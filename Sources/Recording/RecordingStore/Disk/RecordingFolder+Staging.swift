import Support

extension RecordingFolder {
  /// Small files of a recording that are not derived from its chunk files.
  private static let sideFiles = [TagFile.name, AlignmentFile.name, CalibrationStore.name, RecordingPart.fileName]
  /// Whether Retake itself makes files of this name in a recording's folder, and reads them.
  package static func isOwnFile(_ name: String) -> Bool {
    name.hasPrefix("chunks/") || name.hasPrefix("index.sqlite") || (sideFiles + [MarkChangeFile.name]).contains(name)
  }

  private static let largestSideFile = 1 << 20

  /// Makes a recording under another name and renames it when it is whole, so that a process that is
  /// killed leaves nothing that looks whole. What such a process left is removed.
  /// - Parameter make: writes to the folder that it is given. What it wrote is removed if it fails.
  /// - Throws: when this folder exists and is not empty, or another process is making it.
  package func makingWhole<Result>(
    on fileSystem: any FileSystem = RealFileSystem(), _ make: (RecordingFolder) throws(RetakeError) -> Result
  ) throws(RetakeError) -> Result {
    let staging = staging
    try checkLink()
    if try Self.exists(path), try !Folder.names(in: path).isEmpty { throw Folder.isNotEmpty(path) }
    try staging.checkPlace()
    let changed = staging.foldersThatChange()
    var claim = try stagingClaim()
    if try !Folder.names(in: staging.path).isEmpty {
      let lock = try Self.exists(staging.chunksPath) ? FolderLock(staging) : nil
      let isRemoved = withExtendedLifetime(lock) { staging.removeWithSideFiles() }
      guard isRemoved, try !Self.exists(staging.path) else {
        throw RetakeError(
          .inputOutput, "\(staging.path), which a killed command left, could not be removed.",
          hint: "remove it, or name another folder")
      }
      claim = try stagingClaim()
    }
    defer { withExtendedLifetime(claim) {} }
    do throws(RetakeError) {
      let result = try make(staging)
      // Fails if the folder is no longer empty.
      try fileSystem.rename(staging.path, to: path, replacing: true)
      try fileSystem.synchronizeFolder(parentPath)
      for folder in changed.dropFirst(2) { try? fileSystem.synchronizeFolder(folder) }
      return result
    } catch {
      guard !staging.removeWithSideFiles() else { throw error }
      throw RetakeError(
        error.code, "\(error.message) The incomplete copy could not be removed.",
        hint: "remove \(staging.path) before trying again")
    }
  }

  /// Makes the staging folder, or takes what a killed process left, for this process alone.
  private func stagingClaim() throws(RetakeError) -> FolderClaim {
    let staging = staging
    try staging.checkLink()
    try Folder.make(staging.path, permissions: isShared ? 0o777 : 0o700)
    do throws(RetakeError) {
      return try FolderClaim(path: staging.path)
    } catch {
      throw error.code == .beingWritten ? FileReplacement.writtenTwice(path, "folder") : error
    }
  }

  /// Copies tags, alignment, calibration and the place in a whole recording, unchanged.
  func copySideFiles(from source: RecordingFolder, on fileSystem: any FileSystem) throws(RetakeError) {
    for name in Self.sideFiles {
      guard let bytes = try FolderFile(folder: source, name: name).read(limit: Self.largestSideFile) else { continue }
      try FolderFile(folder: self, name: name).replace(with: String(decoding: bytes, as: UTF8.self), on: fileSystem)
    }
  }

  private func removeWithSideFiles() -> Bool {
    for name in Self.sideFiles {
      for suffix in ["", PartialFile.suffix] { try? RealFileSystem().remove(path + "/" + name + suffix) }
    }
    return removeAll()
  }
}
