import ChunkFormat
import FrameModel
import Support

struct ChunkFileSequence {
  private let folder: RecordingFolder
  private let streams: [StreamDescription]
  private let options: RecorderOptions
  private let fileSystem: any FileSystem
  private let identity: RecordingIdentity

  private var file: ChunkFileWriter<PartialFile>?
  /// The number of the open file, or of the next one.
  private(set) var fileNumber = 0
  private var fileStart = PresentationTime(nanoseconds: 0)
  private var endedByteCount = 0
  /// Size of the open file when the disk's free space was last checked.
  private var checkedByteCount: Int?

  init(
    folder: RecordingFolder, streams: [StreamDescription], options: RecorderOptions, fileSystem: any FileSystem,
    identity: RecordingIdentity
  ) {
    (self.folder, self.streams, self.options) = (folder, streams, options)
    (self.fileSystem, self.identity) = (fileSystem, identity)
  }

  var isOpen: Bool { file != nil }
  /// Bytes of the open file that were passed to the system; nil where none is open.
  var writtenByteCount: Int? { file?.byteCount }
  /// Bytes of all files so far, including bytes that the open file still buffers.
  var byteCount: Int { endedByteCount + (file?.expectedByteCount ?? 0) }

  /// Whether the open file's age or size requires a new file before a message at `time`.
  /// - Parameter byteCount: bytes of the message, if they must fit the size too.
  func isDue(at time: PresentationTime, byteCount: Int = 0) -> Bool {
    guard let file else { return false }
    return time.nanoseconds - fileStart.nanoseconds >= options.chunkFileNanoseconds
      || (byteCount == 0 ? file.byteCount : file.expectedByteCount + byteCount) >= options.chunkFileByteCount
  }

  mutating func open(at time: PresentationTime) throws(RetakeError) {
    try fileSystem.checkSpace(of: folder.path, keepFree: options.floorByteCount)
    checkedByteCount = nil
    let partial = try PartialFile(folder, number: fileNumber, on: fileSystem)
    do throws(RetakeError) {
      file = try ChunkFileWriter(to: partial, identity: identity, streams: streams, fileNumber: fileNumber)
    } catch {
      partial.discard()
      throw error
    }
    fileStart = time
  }

  // MARK: The open file

  mutating func append(
    _ message: FrameMessage, payload: UnsafeRawBufferPointer, stream: Int
  ) throws(RetakeError) -> MessagePlace {
    try checkSpace(for: payload.count)
    return try file!.append(message, payload: payload, stream: stream)
  }

  mutating func append(_ faces: FacesMessage) throws(RetakeError) -> MessagePlace { try file!.append(faces) }
  mutating func append(_ event: FrameEvent) throws(RetakeError) { try file!.append(event) }
  mutating func append(_ mark: Mark) throws(RetakeError) -> MessagePlace { try file!.append(mark) }

  mutating func flush() throws(RetakeError) { try file?.flush() }

  /// Checks the free space before each batch of messages, when nothing is buffered. Other programs
  /// write too, and a small disk can fill within one chunk file.
  /// - Throws: `.diskFull` when there is no room for a batch with a frame of `byteCount` and the
  ///   end of the file.
  private mutating func checkSpace(for byteCount: Int) throws(RetakeError) {
    guard let written = file?.byteCount, written != checkedByteCount else { return }
    checkedByteCount = written
    let batch = ChunkFileWriter<PartialFile>.chunkByteCountTarget + byteCount + RecorderOptions.endingByteCount
    try fileSystem.checkSpace(of: folder.path, for: batch, keepFree: options.floorByteCount)
  }

  // MARK: Ending

  struct Ended {
    /// Bytes of messages that reached the file.
    var writtenByteCount: Int
    /// Nil if the file could not be finished.
    var file: (sink: PartialFile, number: Int, byteCount: Int)?
    /// The error, also set when the file was finished without its last bytes.
    var failure: RetakeError?
  }

  /// Finishes the open file; after a failed write, without its last bytes.
  /// - Returns: nil when no file is open.
  mutating func end() -> Ended? {
    guard var ending = file else { return nil }
    file = nil
    var failure: RetakeError?
    do throws(RetakeError) { try ending.flush() } catch { failure = error }
    let writtenByteCount = ending.byteCount
    do throws(RetakeError) { try ending.finish() } catch {
      return Ended(writtenByteCount: writtenByteCount, file: nil, failure: error)
    }
    endedByteCount += ending.byteCount
    defer { fileNumber += 1 }
    return Ended(
      writtenByteCount: writtenByteCount, file: (ending.sink, fileNumber, ending.byteCount), failure: failure)
  }
}
