import Foundation
import FrameModel
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

  /// - Parameters:
  ///   - lock: of the folder in which the files get their names.
  ///   - isPatient: whether `finish` returns only when the file is on the disk.
  init(index: IndexDatabase, lock: FolderLock, isPatient: Bool) {
    self.index = index
    self.lock = lock
    self.isPatient = isPatient
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
        try file?.publish()
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
