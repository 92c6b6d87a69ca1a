import ChunkFormat
import Support

/// A chunk file being written: `NAME.partial`, renamed to `NAME` once its contents are on the disk.
final class PartialFile: ByteSink, @unchecked Sendable {
  // Unchecked because of `file`: the writer thread owns it until the finisher takes it over.
  private let finalPath: String
  private let folderPath: String
  private let partialPath: String
  private let fileSystem: any FileSystem
  private let file: any WritableFile

  static let suffix = ".partial"
  static let recoveringSuffix = ".recovering"

  convenience init(
    _ folder: RecordingFolder, number: Int, on fileSystem: any FileSystem, suffix: String = PartialFile.suffix
  ) throws(RetakeError) {
    try self.init(in: folder.chunksPath, number: number, on: fileSystem, suffix: suffix)
  }

  init(
    in folderPath: String, number: Int, on fileSystem: any FileSystem, suffix: String = PartialFile.suffix
  ) throws(RetakeError) {
    finalPath = folderPath + "/" + RecordingFolder.chunkFileName(number)
    self.folderPath = folderPath
    partialPath = finalPath + suffix
    self.fileSystem = fileSystem
    file = try fileSystem.create(partialPath)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    var done = 0
    while done < bytes.count { done += try file.write(UnsafeRawBufferPointer(rebasing: bytes[done...])) }
  }

  func truncate(to byteCount: Int) throws(RetakeError) { try file.truncate(to: byteCount) }

  func discard() { try? fileSystem.remove(partialPath) }

  /// Flushes the contents, renames the file to its final name and flushes the folder.
  func publish(replacing: Bool = false) throws(RetakeError) {
    try file.synchronize()
    try fileSystem.rename(partialPath, to: finalPath, replacing: replacing)
    try fileSystem.synchronizeFolder(folderPath)
  }
}
