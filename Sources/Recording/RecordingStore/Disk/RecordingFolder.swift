import FrameModel
import Glibc
import Support

/// The folder `NAME.retake/` of one recording, and the names in it.
package struct RecordingFolder: Hashable, Sendable {
  package static let suffix = ".retake"
  /// Files of two seconds for some centuries.
  static let largestFileNumber = 1 << 32

  package let path: String
  /// Who may read a recording that is made here: see `RecordingPermissions`.
  private let isShared: Bool

  package init(path: String, isShared: Bool = false) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.isShared = isShared
  }

  /// The folder of a part of a session that was split: NAME-000.retake, NAME-001.retake, …
  package func part(_ number: Int) -> RecordingFolder {
    RecordingFolder(path: "\(parentPrefix)\(partStem)\(number.zeroPadded(3))\(Self.suffix)", isShared: isShared)
  }

  /// Parts of a session that are there already, in the order of their numbers: 1000 comes after 999.
  package func existingParts() -> [RecordingFolder] {
    let names = (try? Folder.names(in: parentPath)) ?? []
    return names.compactMap { name -> Int? in
      guard name.hasPrefix(partStem), name.hasSuffix(Self.suffix) else { return nil }
      let digits = name.dropFirst(partStem.count).dropLast(Self.suffix.count)
      guard let number = Int(digits), number >= 0, number.zeroPadded(3) == digits else { return nil }
      return number
    }.sorted().map(part)
  }

  /// What the names of a session's parts begin with.
  private var partStem: String {
    let name = path.dropFirst(parentPrefix.count)
    return (name.hasSuffix(Self.suffix) ? name.dropLast(Self.suffix.count) : name) + "-"
  }

  /// The path up to its last slash; empty where it has none.
  private var parentPrefix: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

  /// The folder that it lies in.
  var parentPath: String { parentPrefix.isEmpty ? "." : parentPrefix }

  package var indexPath: String { path + "/index.sqlite" }
  package var chunksPath: String { path + "/chunks" }

  package static func chunkFileName(_ number: Int) -> String { number.zeroPadded(6) + ".mcap" }

  package func chunkFilePath(_ number: Int) -> String { chunksPath + "/" + Self.chunkFileName(number) }

  /// Makes the folder and everything above it.
  /// - Returns: the folders that got an entry, from this one up, for `synchronize`.
  /// - Throws: when it exists already and holds something: a recording is never written over.
  @discardableResult
  package func create() throws(RetakeError) -> [String] {
    // Nobody records there now, and nothing came of what was begun.
    if let lock = try? FolderLock(self), (try? holdsNothing()) == true {
      withExtendedLifetime(lock) { _ = removeAll() }
    }
    var changed = [path, parentPath]
    // Whatever is missing above it is made too, and then stands in the folder above.
    while access(changed.last!, F_OK) != 0 {
      let above = RecordingFolder(path: changed.last!).parentPath
      guard above != changed.last else { break }
      changed.append(above)
    }
    try Folder.makeEmpty(path, permissions: isShared ? 0o777 : 0o700)
    // An empty folder that was there already is no wider than a new one.
    if !isShared { chmod(path, 0o700) }
    try RecordingPermissions.make(chunksPath, in: path)
    return changed
  }

  /// Flushes folders that `create` changed, so that the recording's folder survives a power cut as its files do. Due by the
  /// time the first chunk file is published; nothing before that needs it.
  /// - Throws: where the recording's own folder cannot be flushed. A folder above it may be closed to readers.
  package func synchronize(_ changed: [String], on fileSystem: any FileSystem) throws(RetakeError) {
    try fileSystem.synchronizeFolder(path)
    for folder in changed where folder != path { try? fileSystem.synchronizeFolder(folder) }
  }

  /// Names of everything in the chunks folder, sorted.
  func chunkFileNames() throws(RetakeError) -> [String] { try Folder.names(in: chunksPath) }

  /// Behind every chunk file that is there, finished or not.
  func nextChunkFileNumber() throws(RetakeError) -> Int {
    let numbers = try chunkFileNames().compactMap { name in name.split(separator: ".").first.flatMap { Int($0) } }
    return (numbers.filter { (0..<Self.largestFileNumber).contains($0) }.max() ?? -1) + 1
  }

  /// Removes a recording that was not completed, and no other files.
  /// - Returns: whether nothing of it remains.
  @discardableResult
  func removeAll() -> Bool {
    let chunkFiles = (try? chunkFileNames()) ?? []
    for name in chunkFiles where name.hasSuffix(".mcap") || name.hasSuffix(PartialFile.suffix) {
      unlink(chunksPath + "/" + name)
    }
    removeEmpty()
    return access(chunksPath, F_OK) != 0 && errno == ENOENT
  }

  /// Removes the folder when there is no chunk file in it.
  func removeEmpty() {
    guard rmdir(chunksPath) == 0 else { return }
    for suffix in IndexDatabase.fileSuffixes + ["-journal"] {
      for path in [indexPath, indexPath + ".rebuilding"] { unlink(path + suffix) }
    }
    rmdir(path)
  }
}
