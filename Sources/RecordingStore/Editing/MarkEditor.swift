import ChunkFormat
import FrameModel

/// Sets marks in a recording that is finished. Nothing lives only in the index, so each goes into a chunk file of its own,
/// behind the others.
package enum MarkEditor {
  /// - Parameter marks: on the recording's time line.
  /// - Throws: when a recorder is at work on the folder, it is in need of a repair, or it cannot be written to.
  package static func add(
    _ marks: [Mark], to recording: Recording, fileSystem: any FileSystem = RealFileSystem()
  ) throws(RetakeError) {
    let folder = recording.folder
    let lock = try FolderLock(folder)
    defer { withExtendedLifetime(lock) {} }
    // Read now that nobody else can change it: what was read before may have been.
    let index = try IndexDatabase.openToWrite(at: folder.indexPath)
    guard try index.identity().isClosed else {
      throw RetakeError(
        .inputOutput, "\(folder.path) is not closed, so no mark can be set in it.", hint: "'retake recover' repairs it")
    }
    let number = try folder.nextChunkFileNumber()
    // Whatever stops this in the middle, the recording then says that there is something to recover.
    try index.setClosed(false)
    let file = try PartialFile(folder, number: number, on: fileSystem)
    var writer = try ChunkFileWriter(
      to: file, identity: recording.identity, streams: recording.streams, fileNumber: number)
    for mark in marks { try writer.append(mark) }
    try writer.finish()
    try file.publish()
    var batch = IndexBatch()
    batch.chunkFile = (number, writer.byteCount)
    batch.marks = marks
    try index.insert(batch)
    try index.setClosed(true)
    try index.close()
  }
}
