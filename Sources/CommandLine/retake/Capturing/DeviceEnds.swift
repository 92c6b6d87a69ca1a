import FrameModel
import Support
import Synchronization

/// Notes which devices have no more frames; when none has, or one failed and that is to end all, the recording ends.
final class DeviceEnds: Sendable {
  private struct State {
    var running: Int
    var failure: RetakeError?
  }
  private let state: Mutex<State>
  private let stop: StopSignal

  private let endsAtFailure: Bool
  private let onFailure: @Sendable (RetakeError) -> Void

  /// - Parameters:
  ///   - endsAtFailure: whether one device that fails ends all.
  ///   - onFailure: called when one failed and others go on.
  init(
    count: Int, endsAtFailure: Bool, stop: StopSignal, onFailure: @escaping @Sendable (RetakeError) -> Void
  ) {
    state = Mutex(State(running: count))
    self.endsAtFailure = endsAtFailure
    self.stop = stop
    self.onFailure = onFailure
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
    if isLast || endsAtFailure && error != nil {
      stop.set()
    } else if let error {
      onFailure(error)
    }
  }
}
