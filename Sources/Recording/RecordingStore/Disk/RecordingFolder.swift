import Glibc
import Support

/// The folder `NAME.retake/` of one recording, and the paths in it.
package struct RecordingFolder: Hashable, Sendable {
  package static let suffix = ".retake"
  /// 2³² files of two seconds each last some centuries.
  static let largestFileNumber = 1 << 32

  package let path: String
  /// Whether other users may read a new recording: see `RecordingPermissions`.
  let isShared: Bool

  package init(path: String, isShared: Bool = false) {
    self.path = Folder.withoutTrailingSlash(path)
    self.isShared = isShared
  }

  /// The folder of one part of a split session: NAME-000.retake, NAME-001.retake, …
  package func part(_ number: Int) -> RecordingFolder {
    RecordingFolder(path: "\(parentPrefix)\(partStem)\(number.zeroPadded(3))\(Self.suffix)", isShared: isShared)
  }

  /// Makes an empty folder for a new recording, under the first of the names NAME.retake, NAME-2.retake, … that is free.
  /// No other process can get the same: mkdir decides.
  /// - Parameters:
  ///   - name: the path without its suffix.
  ///   - isSplit: whether the folder made is the session's first part.
  /// - Returns: the folder for `Recorder`, which accepts an empty one.
  package static func claimed(
    named name: String, isSplit: Bool = false, isShared: Bool = false
  ) throws(RetakeError) -> RecordingFolder {
    try RecordingFolder(path: name + suffix).checkPlace()
    let changed = RecordingFolder(path: name).foldersThatChange().dropFirst()
    try Folder.makeParent(of: name)
    for folder in changed { try? RealFileSystem().synchronizeFolder(folder) }
    var number = 1
    while true {
      let ending = number == 1 ? "" : "-\(number)"
      let folder = RecordingFolder(path: name + ending + suffix, isShared: isShared)
      let first = isSplit ? folder.part(0) : folder
      let isTaken = isSplit && !folder.existingParts().isEmpty
      if !isTaken, SystemCall.mkdir(first.path, isShared ? 0o777 : 0o700) == 0 { return folder }
      guard isTaken || errno == EEXIST else { throw FileBytes.failure("create", first.path) }
      number += 1
    }
  }

  static let stagingPrefix = ".partial-"

  /// Where a recording is made that gets this name when it is whole.
  var staging: RecordingFolder {
    RecordingFolder(
      path: "\(parentPrefix)\(Self.stagingPrefix)\(path.dropFirst(parentPrefix.count))", isShared: isShared)
  }

  /// Existing parts of a split session, ordered by number: 1000 comes after 999.
  package func existingParts() -> [RecordingFolder] {
    let names = (try? Folder.names(in: parentPath)) ?? []
    return names.compactMap { name -> Int? in
      guard name.hasPrefix(partStem), name.hasSuffix(Self.suffix) else { return nil }
      let digits = name.dropFirst(partStem.count).dropLast(Self.suffix.count)
      guard let number = Int(digits), number >= 0, number.zeroPadded(3) == digits else { return nil }
      return number
    }.sorted().map(part)
  }

  private var partStem: String {
    let name = path.dropFirst(parentPrefix.count)
    return (name.hasSuffix(Self.suffix) ? name.dropLast(Self.suffix.count) : name) + "-"
  }

  /// The path up to and including its last slash; empty without a slash.
  var parentPrefix: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

  var parentPath: String { Folder.parent(of: path) }

  package var indexPath: String { path + "/index.sqlite" }
  package var chunksPath: String { path + "/chunks" }

  package static func chunkFileName(_ number: Int) -> String { number.zeroPadded(6) + ".mcap" }

  package func chunkFilePath(_ number: Int) -> String { chunksPath + "/" + Self.chunkFileName(number) }

  /// Creates the folder, its chunks folder and any missing parents.
  /// - Returns: the folders that gained an entry, innermost first, for `synchronize`.
  /// - Throws: when the folder exists and is not empty: a recording is never overwritten.
  @discardableResult
  package func create() throws(RetakeError) -> [String] {
    try checkPlace()
    try checkLink()
    // Remove the remains of a recorder that was killed before its first frame.
    if let lock = try? FolderLock(self), (try? holdsNothing()) == true {
      withExtendedLifetime(lock) { _ = removeAll() }
    }
    let changed = foldersThatChange()
    try Folder.makeEmpty(path, permissions: isShared ? 0o777 : 0o700)
    // An existing empty folder may have wider permissions than a new one.
    if !isShared { chmod(path, 0o700) }
    try RecordingPermissions.make(chunksPath, in: path)
    return changed
  }

  /// The folders that gain an entry when this one is created, innermost first. Missing parents are created too, and each
  /// adds an entry to the folder above it.
  func foldersThatChange() -> [String] {
    var changed = [path, parentPath]
    while access(changed.last!, F_OK) != 0 {
      let above = RecordingFolder(path: changed.last!).parentPath
      guard above != changed.last else { break }
      changed.append(above)
    }
    return changed
  }

  /// - Throws: `.usage` for a name that says that it is a file, and for a place inside another recording.
  func checkPlace() throws(RetakeError) {
    let shown = path.replacing(Self.stagingPrefix, with: "")
    if let wrong = PathKind.wrongFolderName(
      shown, of: "a recording", hint: "give a name that ends in \(Self.suffix)")
    {
      throw wrong
    }
    try Folder.checkParent(of: shown)
    var outer = RecordingFolder(path: Folder.absolute(path))
    // Also ends at ".", which is all that is known where the current folder was removed.
    while case let above = RecordingFolder(path: outer.parentPath), above.path != outer.path {
      outer = above
      guard access(outer.chunksPath, F_OK) == 0, access(outer.indexPath, F_OK) == 0 else { continue }
      throw RetakeError(
        .usage, "\(shown) would lie inside the recording \(outer.path).", hint: "give a place outside of it")
    }
  }

  /// Flushes the folders that `create` changed; required before the first chunk file is published.
  /// - Throws: when the recording's folder cannot be flushed. Errors of folders above are ignored.
  package func synchronize(_ changed: [String], on fileSystem: any FileSystem) throws(RetakeError) {
    try fileSystem.synchronizeFolder(path)
    for folder in changed where folder != path { try? fileSystem.synchronizeFolder(folder) }
  }

  func chunkFileNames() throws(RetakeError) -> [String] { try Folder.names(in: chunksPath) }

  /// The number after the highest of any chunk file, finished or not.
  func nextChunkFileNumber() throws(RetakeError) -> Int { try Self.nextFileNumber(in: chunksPath) }

  /// The number after the highest in a folder of chunk files.
  static func nextFileNumber(in path: String) throws(RetakeError) -> Int {
    let numbers = try Folder.names(in: path).compactMap { name in name.split(separator: ".").first.flatMap { Int($0) } }
    return (numbers.filter { (0..<Self.largestFileNumber).contains($0) }.max() ?? -1) + 1
  }

  /// Removes an incomplete recording's chunk files and index, and no other files.
  /// - Returns: whether the chunks folder is gone.
  @discardableResult
  func removeAll() -> Bool {
    let chunkFiles = (try? chunkFileNames()) ?? []
    for name in chunkFiles where name.hasSuffix(".mcap") || name.hasSuffix(PartialFile.suffix) {
      unlink(chunksPath + "/" + name)
    }
    removeEmpty()
    return access(chunksPath, F_OK) != 0 && errno == ENOENT
  }

  func removeEmpty() {
    guard rmdir(chunksPath) == 0 || errno == ENOENT else { return }
    for suffix in IndexDatabase.fileSuffixes + ["-journal"] {
      for path in [indexPath, indexPath + ".rebuilding"] { unlink(path + suffix) }
    }
    rmdir(path)
  }
}
