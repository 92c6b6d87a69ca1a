import Foundation
import FrameModel
import Glibc
import Synchronization

/// Tells the writer when nothing has come for a while, so that a camera that stalls does not leave its last frames in
/// memory. Sleeps for spans, which nobody who sets the wall clock can lengthen.
final class IdleTicker: Sendable {
  /// A camera that pauses is noticed within two of these.
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
