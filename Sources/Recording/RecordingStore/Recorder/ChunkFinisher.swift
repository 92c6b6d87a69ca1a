import Foundation
import FrameModel
import Support
import Synchronization

/// Puts finished chunk files on the disk, in order, on a thread of its own: flushing a file may take a second, and the
/// writer must not wait for it.
final class ChunkFinisher: Sendable {
  private let index: IndexDatabase
  private let queue = DispatchQueue(label: "retake.chunk-finisher")
  /// Two files may be under way; the writer then waits, and frames wait in the capture queue.
  private let room = DispatchSemaphore(value: 2)
  private let failureState = Mutex<RetakeError?>(nil)
  private let lock: FolderLock
  private let isPatient: Bool
  private let flushFolders: @Sendable () throws(RetakeError) -> Void
  private let hasFlushedFolders = Mutex(false)

  /// - Parameters:
  ///   - lock: of the folder in which the files get their names.
  ///   - isPatient: whether `finish` returns only when the file is on the disk.
  ///   - flushFolders: called with the first file, so that the folders above it outlive a power cut as it does. Before there is
  ///     one nothing needs that, and a first frame does not wait for it.
  init(
    index: IndexDatabase, lock: FolderLock, isPatient: Bool,
    flushFolders: @escaping @Sendable () throws(RetakeError) -> Void
  ) {
    self.index = index
    self.lock = lock
    self.isPatient = isPatient
    self.flushFolders = flushFolders
  }

  /// The first error. Later files are then left as they are.
  var failure: RetakeError? { failureState.withLock { $0 } }

  /// Flushes and renames the file, then enters its rows into the index.
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

  /// Waits until everything handed over is done.
  func wait() { queue.sync {} }
}
