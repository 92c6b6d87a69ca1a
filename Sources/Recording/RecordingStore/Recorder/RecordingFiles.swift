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
  private var sets: FrameSetBuilder
  private var isClosed = false
  private var sequence: ChunkFileSequence?
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
    sets = FrameSetBuilder(streams: streams)
    status = RecorderStatus(streamCount: streams.count)
  }

  /// The first thing to record begins the time line.
  func begin(_ identity: RecordingIdentity) {
    guard sequence == nil, failure == nil else { return }
    do throws(RetakeError) {
      try index.insert(identity, streams: streams)
    } catch {
      return fail(error)
    }
    sequence = ChunkFileSequence(
      folder: folder, streams: streams, options: options, fileSystem: fileSystem, lock: lock, finisher: finisher,
      identity: identity)
  }

  /// Bytes of all chunk files.
  var byteCount: Int { sequence?.byteCount ?? 0 }

  func write(_ entry: RecordEntry) {
    switch entry {
    case .frame(let message, let payload, let stream): write(message, payload, stream)
    case .faces(let message):
      if attempt({ files throws(RetakeError) in try files.append(message) }) { status.faces.note(message) }
    case .event(let event):
      status.note(event)
      // After a failure there is no file to write to; the index can still say it.
      if !attempt({ files throws(RetakeError) in try files.append(event) }) { sequence?.batch.events.append(event) }
    case .mark(let mark):
      if attempt({ files throws(RetakeError) in try files.append(mark) }) { status.markCount += 1 }
    }
  }

  private func write(_ message: FrameMessage, _ payload: [UInt8], _ stream: Int) {
    let times = message.timestamps
    let isStored = attempt { files throws(RetakeError) in
      try payload.withRawBytes { payload throws(RetakeError) in
        try files.append(message, payload: payload, stream: stream)
      }
    }
    guard isStored else {
      sequence?.lose(stream: stream, number: message.number, at: times.presentation)
      status.dropped[.disk]![stream] += 1
      return
    }
    sets.add(
      stream: stream, number: message.number, time: times.presentation, flags: message.flags, to: &sequence!.batch)
    status.rawByteCount += message.byteCount
    status.storedByteCount += payload.count
    status.frameCounts[stream] += 1
  }

  /// Hands what waits in memory to the disk.
  func flush() { _ = attempt { files throws(RetakeError) in try files.flush() } }

  /// Finishes the last chunk file, waits for the disk and closes the index. After a failure it keeps all that was written
  /// and can still be finished.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    if sequence != nil {
      sets.finish(into: &sequence!.batch)
      do throws(RetakeError) {
        // After a failure too: what reached the file can be finished.
        try sequence!.endFile()
      } catch {
        fail(error)
      }
    }
    finisher.wait()
    if let error = finisher.failure { fail(error) }
    do throws(RetakeError) {
      // An index that lacks a file is left open, which says that there is something to recover.
      if finisher.failure == nil && sequence?.isEveryFilePublished != false { try index.setClosed(true) }
      try index.close()
    } catch {
      fail(error)
    }
    // Whoever is told that the recording is closed may work on it at once.
    lock.release()
  }

  /// Does something with the files, unless something failed before.
  /// - Returns: whether it was done.
  private func attempt(_ body: (inout ChunkFileSequence) throws(RetakeError) -> Void) -> Bool {
    guard failure == nil, sequence != nil else { return false }
    do throws(RetakeError) {
      try body(&sequence!)
      return true
    } catch {
      fail(error)
      return false
    }
  }

  /// The first failure ends the recording. What had been handed to the open file and did not reach it is lost.
  private func fail(_ error: RetakeError) {
    if failure == nil { failure = error }
    guard sequence != nil else { return }
    sequence!.dropUnwritten()
    for row in sequence!.takeUnwritten() {
      status.frameCounts[row.stream] -= 1
      status.dropped[.disk]![row.stream] += 1
    }
  }
}
