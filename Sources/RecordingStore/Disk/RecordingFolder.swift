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
    let name = path.hasSuffix(Self.suffix) ? String(path.dropLast(Self.suffix.count)) : path
    return RecordingFolder(path: "\(name)-\(number.zeroPadded(3))\(Self.suffix)")
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
}
