import ChunkFormat
import FrameModel
import Support

/// A chunk file while it is written: `NAME.partial`, which gets its name when all of it is on the disk.
final class PartialFile: ByteSink, @unchecked Sendable {
  // Unchecked because of the file: the writer thread has it until the finisher takes it over, never both.
  private let finalPath: String
  private let folderPath: String
  private let partialPath: String
  private let fileSystem: any FileSystem
  private let file: any WritableFile

  static let suffix = ".partial"
  /// While a repair writes it.
  static let recoveringSuffix = ".recovering"

  /// - Parameter folder: where the chunk file `number` goes.
  convenience init(
    _ folder: RecordingFolder, number: Int, on fileSystem: any FileSystem, suffix: String = PartialFile.suffix
  ) throws(RetakeError) {
    try self.init(in: folder.chunksPath, number: number, on: fileSystem, suffix: suffix)
  }

  /// - Parameter folderPath: where the chunk file `number` goes.
  init(
    in folderPath: String, number: Int, on fileSystem: any FileSystem, suffix: String = PartialFile.suffix
  ) throws(RetakeError) {
    finalPath = folderPath + "/" + RecordingFolder.chunkFileName(number)
    self.folderPath = folderPath
    partialPath = finalPath + suffix
    self.fileSystem = fileSystem
    file = try fileSystem.create(partialPath)
  }

  /// Writes everything, over short writes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    var done = 0
    while done < bytes.count { done += try file.write(UnsafeRawBufferPointer(rebasing: bytes[done...])) }
  }

  func truncate(to byteCount: Int) throws(RetakeError) { try file.truncate(to: byteCount) }

  /// Takes the file away: there is nothing in it.
  func discard() { try? fileSystem.remove(partialPath) }

  /// Flushes the contents, gives the file its name and flushes the name.
  /// - Parameter replacing: whether in the place of a file that has it.
  func publish(replacing: Bool = false) throws(RetakeError) {
    try file.synchronize()
    try fileSystem.rename(partialPath, to: finalPath, replacing: replacing)
    try fileSystem.synchronizeFolder(folderPath)
  }
}
