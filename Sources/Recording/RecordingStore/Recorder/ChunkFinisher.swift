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
  private let lock: FolderLock
  private let isPatient: Bool
  private let flushFolders: @Sendable () throws(RetakeError) -> Void
  private let hasFlushedFolders = Mutex(false)

  /// - Parameters:
  ///   - lock: lock of the recording's folder.
  ///   - isPatient: whether `finish` returns only when the file is on the disk.
  ///   - flushFolders: syncs the parent folders; called with the first file, so that they survive a
  ///     power cut too. It is not needed before, and would delay the first frame.
  init(
    index: IndexDatabase, lock: FolderLock, isPatient: Bool,
    flushFolders: @escaping @Sendable () throws(RetakeError) -> Void
  ) {
    self.index = index
    self.lock = lock
    self.isPatient = isPatient
    self.flushFolders = flushFolders
  }

  /// The first error. Later files are then left unfinished.
  var failure: RetakeError? { failureState.withLock { $0 } }

  func finish(_ file: PartialFile?, _ batch: IndexBatch) {
    room.wait()
    queue.async { [self] in
      defer { room.signal() }
      guard failure == nil else { return }
      do throws(RetakeError) {
        try lock.check()
        if let file {
          try file.publish()
          if !hasFlushedFolders.withLock({ $0 }) { try flushFolders() }
          hasFlushedFolders.withLock { $0 = true }
        }
        try index.insert(batch)
      } catch {
        failureState.withLock { $0 = error }
      }
    }
    if isPatient { wait() }
  }

  func wait() { queue.sync {} }
}
