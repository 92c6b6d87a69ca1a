import Foundation
import FrameModel
import Glibc
import Synchronization

/// Notifies the writer periodically when no input has come, so that a stalled camera's last frames
/// do not stay in memory. Sleeps for relative periods, so setting the wall clock cannot lengthen
/// them.
final class IdleTicker: Sendable {
  /// A stalled camera is noticed within two periods.
  private static let periodMicroseconds: UInt32 = 40_000

  private enum State {
    case new, running, ended
  }
  private let state = Mutex(State.new)
  private let queue: CaptureQueue

  init(_ queue: CaptureQueue) { self.queue = queue }

  func start() {
    let isFirst = state.withLock { state in
      guard state == .new else { return false }
      state = .running
      return true
    }
    guard isFirst else { return }
    let thread = Thread { [self] in
      while true {
        usleep(Self.periodMicroseconds)
        guard state.withLock({ $0 == .running }) else { return }
        queue.pushIdle()
      }
    }
    thread.name = "retake.idle"
    thread.start()
  }

  func end() { state.withLock { $0 = .ended } }
}
