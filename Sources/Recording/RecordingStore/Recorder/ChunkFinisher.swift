import Foundation
import FrameModel
import Support
import Synchronization

/// Syncs finished chunk files to disk, in order, on its own queue: a sync may take a second, and
/// the writer must not wait for it.
final class ChunkFinisher: Sendable {
  private let index: IndexDatabase
  private let queue = DispatchQueue(label: "retake.chunk-finisher")
  /// At most two files are in progress; then the writer blocks, and frames wait in the capture
  /// queue.
  private let room = DispatchSemaphore(value: 2)
  private let failureState = Mutex<RetakeError?>(nil)
  private let unfinishedState = Mutex<[IndexBatch]>([])
  private let lock: FolderLock
  private let isPatient: Bool
  private let flushFolders: @Sendable () throws(RetakeError) -> Void
  private let hasFlushedFolders = Mutex(false)
  /// Row ids of the events of a ring's chunk files, by file number. Used on the queue alone.
  private let ringEvents: Mutex<[Int: ClosedRange<Int64>]>?

  /// - Parameters:
  ///   - lock: lock of the recording's folder.
  ///   - isRing: whether `remove` will be called.
  ///   - isPatient: whether `finish` returns only when the file is on the disk.
  ///   - flushFolders: syncs the parent folders; called with the first file, so that they survive a
  ///     power cut too. It is not needed before, and would delay the first frame.
  init(
    index: IndexDatabase, lock: FolderLock, isRing: Bool, isPatient: Bool,
    flushFolders: @escaping @Sendable () throws(RetakeError) -> Void
  ) {
    self.index = index
    self.lock = lock
    ringEvents = isRing ? Mutex([:]) : nil
    self.isPatient = isPatient
    self.flushFolders = flushFolders
  }

  /// The first error. Later files are then left unfinished.
  var failure: RetakeError? { failureState.withLock { $0 } }
  /// What the index lacks after a failure.
  var unfinished: [IndexBatch] { unfinishedState.withLock { $0 } }

  func finish(_ file: PartialFile?, _ batch: IndexBatch) {
    room.wait()
    queue.async { [self] in
      defer { room.signal() }
      guard failure == nil else { return unfinishedState.withLock { $0.append(batch) } }
      do throws(RetakeError) {
        try lock.check()
        if let file {
          try file.publish()
          if !hasFlushedFolders.withLock({ $0 }) { try flushFolders() }
          hasFlushedFolders.withLock { $0 = true }
        }
        let events = try index.insert(batch)
        if let events, let number = batch.chunkFile?.number { ringEvents?.withLock { $0[number] = events } }
      } catch {
        failureState.withLock { $0 = error }
        unfinishedState.withLock { $0.append(batch) }
      }
    }
    if isPatient { wait() }
  }

  /// Removes finished chunk files of a ring, each from the index first: a file that the index lacks is read by a
  /// repair, but a row without its file would be a lost frame.
  /// - Returns: a semaphore that is signalled when they are gone, or could not be removed.
  func remove(
    _ files: [ChunkRing.File], of folder: RecordingFolder, on fileSystem: any FileSystem
  ) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    queue.async { [self] in
      defer { done.signal() }
      guard failure == nil else { return }
      do throws(RetakeError) {
        try lock.check()
        for file in files {
          try index.remove(file, events: ringEvents?.withLock { $0.removeValue(forKey: file.number) })
          try fileSystem.remove(folder.chunkFilePath(file.number))
        }
        try fileSystem.synchronizeFolder(folder.chunksPath)
      } catch {
        failureState.withLock { $0 = error }
      }
    }
    return done
  }

  func wait() { queue.sync {} }
}
