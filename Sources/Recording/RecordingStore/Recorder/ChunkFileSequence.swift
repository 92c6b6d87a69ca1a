import ChunkFormat
import FrameModel
import Support

/// The chunk files of a recording in the making: opens them, fills them, hands finished ones on, and keeps the rows that
/// enter the index with each.
struct ChunkFileSequence {
  private let folder: RecordingFolder
  private let streams: [StreamDescription]
  private let options: RecorderOptions
  private let fileSystem: any FileSystem
  private let lock: FolderLock
  private let finisher: ChunkFinisher
  private let identity: RecordingIdentity

  private var file: ChunkFileWriter<PartialFile>?
  private var fileNumber = 0
  private var fileStart = PresentationTime(nanoseconds: 0)
  /// Rows for the open file, and what came up since the last one.
  var batch = IndexBatch()
  /// Learns from frames that are in finished files, and from nothing else: as an index does that is made again.
  private var clocks: ClockAccount
  /// Where the marks and the faces of the batch lie in the open file.
  private var markOffsets: [Int] = []
  private var faceOffsets: [Int] = []
  /// Frames that are in no finished file: the index must not name them.
  private var lost: Set<FrameKey> = []
  private struct FrameKey: Hashable {
    var stream: Int
    var number: Int
  }

  init(
    folder: RecordingFolder, streams: [StreamDescription], options: RecorderOptions, fileSystem: any FileSystem,
    lock: FolderLock, finisher: ChunkFinisher, identity: RecordingIdentity
  ) {
    self.folder = folder
    self.streams = streams
    self.options = options
    self.fileSystem = fileSystem
    self.lock = lock
    clocks = ClockAccount(streams: streams)
    self.finisher = finisher
    self.identity = identity
  }

  // MARK: Filling

  mutating func append(
    _ message: FrameMessage, payload: UnsafeRawBufferPointer, stream: Int
  ) throws(RetakeError) {
    try openFileIfNeeded(at: message.timestamps.presentation)
    try checkSpace(for: payload.count)
    let place = try file!.append(message, payload: payload, stream: stream)
    batch.frames.append(FrameRow(message, stream: stream, chunkFile: fileNumber, place: place))
  }

  mutating func append(_ faces: FacesMessage) throws(RetakeError) {
    // Their frame came before, and no file begins with them unless one has to.
    if file == nil { try openFileIfNeeded(at: faces.presentation) }
    faceOffsets.append(try file!.append(faces).offset)
    batch.faces.append(faces)
  }

  mutating func append(_ event: FrameEvent) throws(RetakeError) {
    try openFileIfNeeded(at: event.presentation)
    try file!.append(event)
    batch.events.append(event)
  }

  mutating func append(_ mark: Mark) throws(RetakeError) {
    try openFileIfNeeded(at: mark.presentation)
    markOffsets.append(try file!.append(mark).offset)
    batch.marks.append(mark)
  }

  /// Hands what waits in memory to the open file.
  mutating func flush() throws(RetakeError) { try file?.flush() }

  private var endedByteCount = 0
  /// Bytes of all files so far, and what waits for the open one.
  var byteCount: Int { endedByteCount + (file?.expectedByteCount ?? 0) }

  /// Bytes of the open file when the disk's free space was looked at last.
  private var lookedAtByteCount: Int?

  /// Looks at the free space before the first message of every batch, since other programs write too and a small disk is
  /// full within a chunk file's time. Nothing waits in memory then.
  /// - Throws: `.diskFull` when there is no room for a batch with a frame of `byteCount` and the end of the file.
  private mutating func checkSpace(for byteCount: Int) throws(RetakeError) {
    guard let written = file?.byteCount, written != lookedAtByteCount else { return }
    lookedAtByteCount = written
    let batch = ChunkFileWriter<PartialFile>.chunkByteCountTarget + byteCount + RecorderOptions.endingByteCount
    try fileSystem.checkSpace(of: folder.path) { options.floorByteCount($0) + batch }
  }

  private mutating func openFileIfNeeded(at time: PresentationTime) throws(RetakeError) {
    if let file {
      let isOld = time.nanoseconds - fileStart.nanoseconds >= options.chunkFileNanoseconds
      guard isOld || file.byteCount >= options.chunkFileByteCount else { return }
      try endFile()
    }
    if let failure = finisher.failure { throw failure }
    try lock.check()
    try fileSystem.checkSpace(of: folder.path, keepFree: options.floorByteCount)
    lookedAtByteCount = nil
    let partial = try PartialFile(folder, number: fileNumber, on: fileSystem)
    do throws(RetakeError) {
      file = try ChunkFileWriter(to: partial, identity: identity, streams: streams, fileNumber: fileNumber)
    } catch {
      partial.discard()
      throw error
    }
    fileStart = time
  }

  // MARK: Ending

  /// Whether every file that was begun has been handed to the finisher.
  private(set) var isEveryFilePublished = true

  /// Hands the open file to the finisher, with the rows gathered so far; without a file, the rows alone. When the file's
  /// last bytes could not be written, it is finished without them and the error goes on to the caller.
  mutating func endFile() throws(RetakeError) {
    guard var ending = file else {
      forgetLost()
      finisher.finish(nil, batch)
      batch = IndexBatch()
      return
    }
    file = nil
    var failure: RetakeError?
    do throws(RetakeError) {
      try ending.flush()
    } catch {
      failure = error
    }
    dropUnwritten(after: ending.byteCount)
    do throws(RetakeError) {
      try ending.finish()
    } catch {
      // It stays as it is, for a repair; an index must not name what lies in it, nor sets that are decided later.
      isEveryFilePublished = false
      batch.marks = []
      markOffsets = []
      batch.faces = []
      faceOffsets = []
      lost.formUnion(batch.frames.map { FrameKey(stream: $0.stream, number: $0.number) })
      forgetLost()
      throw error
    }
    for row in batch.frames {
      clocks.add(stream: row.stream, timestamps: row.timestamps, flags: row.flags)
    }
    batch.clocks = clocks.facts
    batch.chunkFile = (fileNumber, ending.byteCount)
    endedByteCount += ending.byteCount
    finisher.finish(ending.sink, batch)
    batch = IndexBatch()
    markOffsets = []
    faceOffsets = []
    fileNumber += 1
    if let failure { throw failure }
  }

  /// After a failed write: takes back what did not reach the open file.
  mutating func dropUnwritten() {
    if let byteCount = file?.byteCount { dropUnwritten(after: byteCount) }
  }

  /// Frames that were appended and whose bytes were lost, since the last call.
  mutating func takeUnwritten() -> [FrameRow] {
    defer { unwritten = [] }
    return unwritten
  }

  private var unwritten: [FrameRow] = []

  /// Frames that did not reach the file leave the batch and are noted as lost. They are the last of their streams, since
  /// nothing is written after a failure, so the frame sets that stay keep their numbers.
  private mutating func dropUnwritten(after byteCount: Int) {
    for row in batch.frames where row.place.offset >= byteCount {
      lost.insert(FrameKey(stream: row.stream, number: row.number))
      unwritten.append(row)
      batch.events.append(
        FrameEvent(
          stream: row.stream, stage: .disk, reason: .dropped, frameNumber: row.number, count: 1,
          presentation: row.timestamps.presentation))
    }
    let keptMarks = zip(batch.marks, markOffsets).filter { $0.1 < byteCount }
    batch.marks = keptMarks.map(\.0)
    markOffsets = keptMarks.map(\.1)
    let keptFaces = zip(batch.faces, faceOffsets).filter { $0.1 < byteCount }
    batch.faces = keptFaces.map(\.0)
    faceOffsets = keptFaces.map(\.1)
    forgetLost()
  }

  /// A frame that was numbered and then never written.
  mutating func lose(stream: Int, number: Int, at time: PresentationTime) {
    lost.insert(FrameKey(stream: stream, number: number))
    batch.events.append(
      FrameEvent(
        stream: stream, stage: .disk, reason: .dropped, frameNumber: number, count: 1, presentation: time))
    forgetLost()
  }

  private mutating func forgetLost() {
    guard !lost.isEmpty else { return }
    let isLost = { [lost] stream, number in lost.contains(FrameKey(stream: stream, number: number)) }
    let master = streams.masterStream
    let lostSets = Set(batch.frameSets.filter { isLost(master, $0.masterFrame) }.map(\.number))
    batch.frames.removeAll { isLost($0.stream, $0.number) }
    batch.frameSets.removeAll { lostSets.contains($0.number) }
    batch.partners.removeAll { lostSets.contains($0.frameSet) || isLost($0.stream, $0.frame) }
    let faces = zip(batch.faces, faceOffsets).filter { !isLost($0.0.stream, $0.0.frameNumber) }
    batch.faces = faces.map(\.0)
    faceOffsets = faces.map(\.1)
  }
}

extension [StreamDescription] {
  /// The stream that pairing and replay follow: the first colour stream, or the first of all.
  var masterStream: Int { firstIndex { $0.kind == .color } ?? 0 }
}
