import FrameModel
import Glibc
import Support

/// Results that are copied whole to a shared folder while they are written.
package protocol CopiedResults: AnyObject {
  /// How much is in the file, which only grows.
  func doneCount() throws(RetakeError) -> Int
  func writeCopy(to path: String) throws(RetakeError)
  func close() throws(RetakeError)
}

extension SweepResultsFile: CopiedResults {
  private static let blockByteCount = 1 << 20

  package func doneCount() throws(RetakeError) -> Int { try finishedRuns().count }

  /// Writes a copy with all finished runs, complete or not at all: an existing file is replaced by a rename.
  ///
  /// SQLite opens only this file and one beside it, never the copy: its locks and its log do not work on every network
  /// file system. The copy needs no log of its own to be read.
  /// - Throws: disk errors. An existing copy then stays as it was.
  package func writeCopy(to path: String) throws(RetakeError) { try database.writeCopy(to: path) }

  /// Copies a file whole, and renames it when it is on the disk.
  package static func copyFile(_ source: String, to path: String) throws(RetakeError) {
    guard let file = try FileReplacement.begin(path) else { throw FileBytes.failure("write", path, errno: EACCES) }
    let input = try FileBytes.open("read", source, O_RDONLY)
    defer { Glibc.close(input) }
    var block = [UInt8](repeating: 0, count: blockByteCount)
    while true {
      let count = SystemCall.retried {
        block.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
      }
      guard count >= 0 else { throw FileBytes.failure("read", source) }
      if count == 0 { break }
      try Array(block[..<count]).withRawBytes { bytes throws(RetakeError) in
        try FileBytes.writeAll(bytes, to: file.descriptor, path: path)
      }
    }
    guard SystemCall.fsync(file.descriptor) == 0 else { throw FileBytes.failure("write", path) }
    try file.publish()
  }
}

extension ResultsDatabase {
  /// As `SweepResultsFile.writeCopy`.
  func writeCopy(to path: String) throws(RetakeError) {
    let local = self.path + ".copy"
    func remove() { for suffix in ["", "-journal", "-wal", "-shm"] { unlink(local + suffix) } }
    remove()
    defer { remove() }
    try backUp(to: local)
    try SweepResultsFile.copyFile(local, to: path)
  }
}
