import ChunkFormat
import FrameModel
import FrameSync
import Support

/// The recording as it grows on the disk: chunk files, the frame sets and clock offsets that follow from what is in them,
/// and the account of what could not be written.
final class RecordingFiles {
  let folder: RecordingFolder
  private let lock: FolderLock
  private let streams: [StreamDescription]
  private let options: RecorderOptions
  private let index: IndexDatabase
  private let fileSystem: any FileSystem
  private let finisher: ChunkFinisher
  private var rows: PendingRows
  /// Nil until the recording begins.
  private var chunkFiles: ChunkFileSequence?
  private var isEveryFileFinished = true
  private var isClosed = false
  var status: RecorderStatus
  /// Why the recording cannot go on. From then on frames and events are accounted for and not written.
  private(set) var failure: RetakeError?

  /// Makes the folder and its index.
  /// - Throws: when the folder exists with something in it, or cannot be written, or the disk is nearly full.
  init(
    _ folder: RecordingFolder, streams: [StreamDescription], options: RecorderOptions, fileSystem: any FileSystem
  ) throws(RetakeError) {
    let changedFolders = try folder.create()
    do throws(RetakeError) {
      try fileSystem.checkSpace(of: folder.path, keepFree: options.floorByteCount)
      lock = try FolderLock(folder)
      index = try IndexDatabase.create(at: folder.indexPath)
    } catch {
      // The same words can then be tried again.
      folder.removeEmpty()
      throw error
    }
    self.folder = folder
    self.streams = streams
    self.options = options
    self.fileSystem = fileSystem
    finisher = ChunkFinisher(index: index, lock: lock, isPatient: options.waitsForDisk) { () throws(RetakeError) in
      try folder.synchronize(changedFolders, on: fileSystem)
    }
    rows = PendingRows(streams: streams)
    status = RecorderStatus(streamCount: streams.count)
  }

  /// The first thing to record begins the time line.
  func begin(_ identity: RecordingIdentity) {
    guard chunkFiles == nil, failure == nil else { return }
    do throws(RetakeError) {
      try index.insert(identity, streams: streams)
    } catch {
      return fail(error)
    }
    chunkFiles = ChunkFileSequence(
      folder: folder, streams: streams, options: options, fileSystem: fileSystem, identity: identity)
  }

  /// Bytes of all chunk files.
  var byteCount: Int { chunkFiles?.byteCount ?? 0 }

  /// - Parameter entry: with the recording's numbers.
  func write(_ entry: RecordEntry) {
    if case .event(let event) = entry { status.note(event) }
    if attempt({ files throws(RetakeError) in try append(entry, to: &files) }) { return }
    switch entry {
    case .frame(let message, _, let stream):
      rows.lose(stream: stream, number: message.number, at: message.timestamps.presentation)
      status.dropped[.disk]![stream] += 1
    // There is no file to write to; the index can still say it.
    case .event(let event): rows.add(event)
    case .faces, .mark: break
    }
  }

  private func append(_ entry: RecordEntry, to files: inout ChunkFileSequence) throws(RetakeError) {
    // Faces belong to the file of their frame, which came before.
    if case .faces = entry {} else if files.isDue(at: entry.presentation) { try endFile(&files) }
    if !files.isOpen {
      if let failure = finisher.failure { throw failure }
      try lock.check()
      try files.open(at: entry.presentation)
    }
    switch entry {
    case .frame(let message, let payload, let stream):
      let place = try payload.withRawBytes { payload throws(RetakeError) in
        try files.append(message, payload: payload, stream: stream)
      }
      rows.add(FrameRow(message, stream: stream, chunkFile: files.fileNumber, place: place))
      status.rawByteCount += message.byteCount
      status.storedByteCount += payload.count
      status.frameCounts[stream] += 1
    case .faces(let message):
      rows.add(message, at: try files.append(message).offset)
      status.faces.note(message)
    case .event(let event):
      try files.append(event)
      rows.add(event)
    case .mark(let mark):
      rows.add(mark, at: try files.append(mark).offset)
      status.markCount += 1
    }
  }

  /// Hands what waits in memory to the disk.
  func flush() { _ = attempt { files throws(RetakeError) in try files.flush() } }

  /// Hands the open file to the finisher, with its rows; without a file, the rows alone.
  /// - Throws: when its last bytes could not be written; the file then ends before them.
  private func endFile(_ files: inout ChunkFileSequence) throws(RetakeError) {
    guard let ended = files.end() else { return finisher.finish(nil, rows.take()) }
    takeBack(rows.dropUnwritten(after: ended.writtenByteCount))
    if let file = ended.file {
      finisher.finish(file.sink, rows.take(chunkFile: (file.number, file.byteCount)))
    } else {
      isEveryFileFinished = false
      rows.dropFile()
    }
    if let failure = ended.failure { throw failure }
  }

  /// Finishes the last chunk file, waits for the disk and closes the index. After a failure it keeps all that was written
  /// and can still be finished.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    if chunkFiles != nil {
      rows.finishSets()
      do throws(RetakeError) {
        // After a failure too: what reached the file can be finished.
        try endFile(&chunkFiles!)
      } catch {
        fail(error)
      }
    }
    finisher.wait()
    if let error = finisher.failure { fail(error) }
    do throws(RetakeError) {
      // An index that lacks a file is left open, so that the recording is repaired.
      if finisher.failure == nil && isEveryFileFinished { try index.setClosed(true) }
      try index.close()
    } catch {
      fail(error)
    }
    // The caller may work on the recording as soon as this returns.
    lock.release()
  }

  /// - Returns: whether it was done: not after a failure, and not before the recording begins.
  private func attempt(_ body: (inout ChunkFileSequence) throws(RetakeError) -> Void) -> Bool {
    guard failure == nil, chunkFiles != nil else { return false }
    do throws(RetakeError) {
      try body(&chunkFiles!)
      return true
    } catch {
      fail(error)
      return false
    }
  }

  /// The first failure ends the recording. What had been handed to the open file and did not reach it is lost.
  private func fail(_ error: RetakeError) {
    if failure == nil { failure = error }
    if let written = chunkFiles?.writtenByteCount { takeBack(rows.dropUnwritten(after: written)) }
  }

  private func takeBack(_ unwritten: [FrameRow]) {
    for row in unwritten {
      status.frameCounts[row.stream] -= 1
      status.dropped[.disk]![row.stream] += 1
    }
  }
}
