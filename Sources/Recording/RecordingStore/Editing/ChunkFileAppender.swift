import ChunkFormat
import Support

/// Appends chunk files to a finished recording. Nothing is stored only in the index, so every
/// addition needs a chunk file.
struct ChunkFileAppender {
  let index: IndexDatabase
  private let recording: Recording
  private let fileSystem: any FileSystem

  /// The caller must hold the folder's lock.
  /// - Parameter refused: ends an error message, such as "no mark can be set in it".
  /// - Throws: when the recording needs a repair or cannot be written to.
  init(_ recording: Recording, on fileSystem: any FileSystem, refused: String) throws(RetakeError) {
    self.recording = recording
    self.fileSystem = fileSystem
    // Reopened under the lock: the recording may have changed since `recording` was opened.
    index = try IndexDatabase.openToWrite(at: recording.folder.indexPath)
    guard try index.identity().isClosed else {
      throw RetakeError(
        .inputOutput, "\(recording.folder.path) is not closed, so \(refused).", hint: "'retake recover' repairs it")
    }
  }

  /// Marks the recording as not closed, so that an interruption before `finish` is detected.
  func begin() throws(RetakeError) { try index.setClosed(false) }

  /// - Parameter write: writes the content of `batch` to the file.
  func append(
    number: Int, _ batch: IndexBatch, write: (inout ChunkFileWriter<PartialFile>) throws(RetakeError) -> Void
  ) throws(RetakeError) {
    let file = try PartialFile(recording.folder, number: number, on: fileSystem)
    var writer = try ChunkFileWriter(
      to: file, identity: recording.identity, streams: recording.recordedStreams, fileNumber: number)
    try write(&writer)
    try writer.finish()
    try file.publish()
    var batch = batch
    batch.chunkFile = (number, writer.byteCount)
    try index.insert(batch)
  }

  func finish() throws(RetakeError) {
    try index.setClosed(true)
    try index.close()
  }
}
