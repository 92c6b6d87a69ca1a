import FrameModel
import Synchronization

/// Notes which devices have no more frames; when none has, the recording ends.
final class DeviceEnds: Sendable {
  private struct State {
    var running: Int
    var failure: RetakeError?
  }
  private let state: Mutex<State>
  private let stop: StopSignal

  init(count: Int, stop: StopSignal) {
    state = Mutex(State(running: count))
    self.stop = stop
  }

  /// The first error that a device ended with.
  var failure: RetakeError? { state.withLock { $0.failure } }

  /// Every device came to its end.
  var isComplete: Bool { state.withLock { $0.running == 0 } }

  func note(_ error: RetakeError?) {
    let isLast = state.withLock { state in
      state.running -= 1
      state.failure = state.failure ?? error
      return state.running == 0
    }
    if isLast { stop.set() }
  }
}
