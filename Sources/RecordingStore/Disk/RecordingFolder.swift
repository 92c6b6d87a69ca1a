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

  /// The folder of a part of a session that was split: NAME-000.retake, NAME-001.retake, …
  package func part(_ number: Int) -> RecordingFolder {
    RecordingFolder(path: "\(parentPrefix)\(partStem)\(number.zeroPadded(3))\(Self.suffix)")
  }

  /// Parts of a session that are there already.
  package func existingParts() -> [RecordingFolder] {
    let names = (try? Folder.names(in: parentPath)) ?? []
    return names.filter { name in
      guard name.hasPrefix(partStem), name.hasSuffix(Self.suffix) else { return false }
      let number = name.dropFirst(partStem.count).dropLast(Self.suffix.count)
      return number.count >= 3 && number.allSatisfy { $0.isASCII && $0.isNumber }
    }.map { RecordingFolder(path: parentPrefix + $0) }
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
  /// - Throws: when it exists already and is not empty: a recording is never written over.
  package func create() throws(RetakeError) {
    try Folder.makeEmpty(path)
    try Folder.make(chunksPath)
  }

  /// Names of everything in the chunks folder, sorted.
  func chunkFileNames() throws(RetakeError) -> [String] { try Folder.names(in: chunksPath) }

  /// Behind every chunk file that is there, finished or not.
  func nextChunkFileNumber() throws(RetakeError) -> Int {
    let numbers = try chunkFileNames().compactMap { name in name.split(separator: ".").first.flatMap { Int($0) } }
    return (numbers.filter { (0..<Self.largestFileNumber).contains($0) }.max() ?? -1) + 1
  }

  /// Removes a recording that was not completed, and nothing that is not one's.
  func removeAll() {
    let chunkFiles = (try? chunkFileNames()) ?? []
    for name in chunkFiles where name.hasSuffix(".mcap") || name.hasSuffix(PartialFile.suffix) {
      unlink(chunksPath + "/" + name)
    }
    removeEmpty()
  }

  /// Removes the folder when there is no chunk file in it.
  func removeEmpty() {
    guard rmdir(chunksPath) == 0 else { return }
    for suffix in ["", "-wal", "-shm"] { unlink(indexPath + suffix) }
    rmdir(path)
  }
}
