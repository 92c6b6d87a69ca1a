import ChunkFormat
import FrameModel
import Support

/// Puts chunk files behind those of a finished recording, each entered in its index: how something is added to what was
/// recorded, since nothing lives only in the index.
struct ChunkFileAppender {
  let index: IndexDatabase
  private let recording: Recording
  private let fileSystem: any FileSystem

  /// Whoever makes one holds the folder's lock.
  /// - Parameter refused: what cannot be done to a recording that is not closed: "no mark can be set in it".
  /// - Throws: when the recording is in need of a repair, or cannot be written to.
  init(_ recording: Recording, on fileSystem: any FileSystem, refused: String) throws(RetakeError) {
    self.recording = recording
    self.fileSystem = fileSystem
    // Read now that nobody else can change it: what was read before may have been.
    index = try IndexDatabase.openToWrite(at: recording.folder.indexPath)
    guard try index.identity().isClosed else {
      throw RetakeError(
        .inputOutput, "\(recording.folder.path) is not closed, so \(refused).", hint: "'retake recover' repairs it")
    }
  }

  /// Whatever stops the writer before `finish`, the recording then says that there is something to recover.
  func begin() throws(RetakeError) { try index.setClosed(false) }

  /// One chunk file.
  /// - Parameters:
  ///   - number: the folder's next.
  ///   - batch: what it says, for the index.
  ///   - write: writes the same.
  func append(
    number: Int, _ batch: IndexBatch, write: (inout ChunkFileWriter<PartialFile>) throws(RetakeError) -> Void
  ) throws(RetakeError) {
    let file = try PartialFile(recording.folder, number: number, on: fileSystem)
    var writer = try ChunkFileWriter(
      to: file, identity: recording.identity, streams: recording.streams, fileNumber: number)
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
