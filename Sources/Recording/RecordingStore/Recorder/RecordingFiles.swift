import ChunkFormat
import Dispatch
import FrameModel
import FrameSync
import Support

/// Writes one recording to disk: its chunk files, the frame sets and clock offsets derived from
/// them, and the account of lost frames.
final class RecordingFiles {
  let folder: RecordingFolder
  private let lock: FolderLock
  private let streams: [StreamDescription]
  private let options: RecorderOptions
  private let index: IndexDatabase
  private let fileSystem: any FileSystem
  private let finisher: ChunkFinisher
  private var rows: PendingRows
  private var ring: ChunkRing?
  /// Signalled when the files that the ring gave up last are gone.
  private var removal: DispatchSemaphore?
  private var hasRoom = true
  private var chunkFiles: ChunkFileSequence?
  private var isEveryFileFinished = true
  private var isClosed = false
  /// Whether the path leads to something else than this recording, or nowhere, at its end.
  private(set) var isGone = false
  /// Whether it was moved away when all of it was written.
  private(set) var isMovedWhole = false
  var status: RecorderStatus
  /// Why the recording stopped. Later frames and events are accounted for but not written.
  private(set) var failure: RetakeError?

  /// Creates the folder and its index.
  /// - Throws: when the folder is not empty or cannot be written, or the disk is nearly full.
  init(
    _ folder: RecordingFolder, streams: [StreamDescription], options: RecorderOptions, fileSystem: any FileSystem
  ) throws(RetakeError) {
    try options.ring?.check(streams)
    var options = options
    if let ring = options.ring { options.chunkFileByteCount = ring.chunkFileByteCount(options.chunkFileByteCount) }
    let changedFolders = try folder.create()
    do throws(RetakeError) {
      try fileSystem.checkSpace(
        of: folder.path, for: options.roomByteCount(streams), keepFree: options.floorByteCount)
      lock = try FolderLock(folder)
      index = try IndexDatabase.create(at: folder.indexPath)
    } catch {
      // Lets the user retry with the same path.
      folder.removeEmpty()
      throw error
    }
    self.folder = folder
    self.streams = streams.asRing(options.ring)
    self.options = options
    ring = options.ring.map {
      ChunkRing($0, chunkFileByteCount: options.chunkFileByteCount, streamCount: streams.count)
    }
    self.fileSystem = fileSystem
    finisher = ChunkFinisher(index: index, lock: lock, isRing: ring != nil, isPatient: options.waitsForDisk) {
      () throws(RetakeError) in try folder.synchronize(changedFolders, on: fileSystem)
    }
    rows = PendingRows(streams: streams)
    status = RecorderStatus(streamCount: streams.count)
  }

  /// Starts the time line and stores the recording's identity. Call before the first `write`.
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

  var byteCount: Int { chunkFiles?.byteCount ?? 0 }

  /// Ends the open chunk file of a ring if `entry` needs a new one, and removes old files.
  /// - Returns: false when marks keep so much that no further chunk file fits.
  func makeRoom(for entry: RecordEntry) -> Bool {
    guard ring != nil, failure == nil, chunkFiles != nil else { return true }
    var isFrame = false
    switch entry {
    case .faces: return true  // they belong to the file of their frame
    case .mark(let mark): ring!.keep(mark)
    case .event: break
    case .frame: isFrame = true
    }
    // A mark or an event may still begin a file.
    if isFrame && !hasRoom { return false }
    _ = attempt { files throws(RetakeError) in
      if files.isDue(at: entry.presentation, byteCount: entry.byteCount) { try endFile(&files) }
    }
    guard let files = chunkFiles, !files.isOpen, failure == nil else { return true }
    removal?.wait()
    removal = nil
    let hadRoom = ring!.hasRoom
    let superfluous = ring!.takeSuperfluous()
    if !superfluous.isEmpty {
      removal = finisher.remove(superfluous, of: folder, on: fileSystem)
      if !hadRoom || options.waitsForDisk {
        removal?.wait()
        removal = nil
      }
      status.removedFrameCounts = ring!.removedFrameCounts
    }
    hasRoom = ring!.hasRoom
    return hasRoom || !isFrame
  }

  /// Why the disk has no room for a frame set besides what must stay free; nil if it has.
  func lackOfSpace() -> RetakeError? {
    func look() -> RetakeError? {
      do throws(RetakeError) {
        try fileSystem.checkSpace(
          of: folder.path, for: options.roomByteCount(streams), keepFree: options.floorByteCount)
      } catch {
        return error
      }
      return nil
    }
    guard let lack = look() else { return nil }
    // A ring's oldest files may be about to go.
    guard let removal else { return lack }
    removal.wait()
    self.removal = nil
    return look()
  }

  /// - Parameter entry: numbered by `FrameNumbering`.
  func write(_ entry: RecordEntry) {
    if case .event(let event) = entry { status.note(event) }
    if attempt({ files throws(RetakeError) in try append(entry, to: &files) }) { return }
    switch entry {
    case .frame(let message, _, let stream):
      rows.lose(stream: stream, number: message.number, at: message.timestamps.presentation)
      status.dropped[.disk]![stream] += 1
    // No file can take the event, but the index still can.
    case .event(let event): rows.add(event)
    case .faces, .mark: break
    }
  }

  private func append(_ entry: RecordEntry, to files: inout ChunkFileSequence) throws(RetakeError) {
    // Faces never start a new file: they belong to the file of their frame.
    if case .faces = entry {
    } else if files.isDue(at: entry.presentation, byteCount: ring == nil ? 0 : entry.byteCount) {
      try endFile(&files)
    }
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

  func flush() { _ = attempt { files throws(RetakeError) in try files.flush() } }

  /// Passes the open file and its rows to the finisher; without a file, the rows alone.
  /// - Throws: when the file's last bytes could not be written; the file then ends before them.
  private func endFile(_ files: inout ChunkFileSequence) throws(RetakeError) {
    guard let ended = files.end() else { return finisher.finish(nil, rows.take()) }
    takeBack(rows.dropUnwritten(after: ended.writtenByteCount))
    if let file = ended.file {
      let batch = rows.take(chunkFile: (file.number, file.byteCount))
      ring?.add(batch, number: file.number, byteCount: file.byteCount)
      finisher.finish(file.sink, batch)
    } else {
      isEveryFileFinished = false
      rows.dropFile()
    }
    if let failure = ended.failure { throw failure }
  }

  /// After a failure, everything already written is kept and still finished if possible.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    if chunkFiles != nil {
      rows.finishSets()
      do throws(RetakeError) {
        // Also after a failure: the messages that reached the file can still be finished.
        try endFile(&chunkFiles!)
      } catch {
        fail(error)
      }
    }
    finisher.wait()
    if let error = finisher.failure { fail(error) }
    if let removed = noteRemoved() {
      isMovedWhole = isGone && failure == nil && isEveryFileFinished
      isEveryFileFinished = isMovedWhole
      // Errors that name other files follow from it.
      if isGone || failure == nil || failure?.code == .notFound { failure = removed }
    }
    do throws(RetakeError) {
      // An index that lacks a file stays marked as open, so that the recording gets repaired.
      let isWhole = finisher.failure == nil && isEveryFileFinished
      let needsRebuild = ring?.removedFrameCounts.contains { $0 > 0 } ?? false
      if isWhole && !needsRebuild { try index.setClosed(true) }
      try index.close()
      // Numbers the frame sets again, as a repair of a killed recorder does.
      if isWhole && needsRebuild { _ = try Repair.finish(path: folder.path, lock: lock, fileSystem: fileSystem) }
    } catch {
      fail(error)
    }
    // The caller may work on the recording as soon as this returns.
    lock.release()
  }

  /// Counts the frames of chunk files that somebody removed.
  /// - Returns: what is gone.
  private func noteRemoved() -> RetakeError? {
    do throws(RetakeError) {
      isGone = !lock.isInPlace
      try lock.check()
      let removed = try RemovedFiles(
        from: folder, index, unfinished: finisher.unfinished, streamCount: streams.count, on: fileSystem)
      for (stream, count) in removed.frameCounts.enumerated() {
        status.frameCounts[stream] -= count
        status.dropped[.disk]![stream] += count
      }
      return removed.error
    } catch {
      return error
    }
  }

  /// - Returns: false after a failure or before `begin`.
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

  /// Records the first failure, which ends the recording. Messages that did not reach the open file
  /// are lost.
  private func fail(_ error: RetakeError) {
    if failure == nil { failure = error }
    // What waits in memory may still reach the file, where the error was not in writing it.
    try? chunkFiles?.flush()
    if let written = chunkFiles?.writtenByteCount { takeBack(rows.dropUnwritten(after: written)) }
  }

  private func takeBack(_ unwritten: [FrameRow]) {
    for row in unwritten {
      status.frameCounts[row.stream] -= 1
      status.dropped[.disk]![row.stream] += 1
    }
  }
}
