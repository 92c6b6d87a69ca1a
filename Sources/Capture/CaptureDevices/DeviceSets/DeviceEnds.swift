import FrameModel
import Support
import Synchronization

/// Counts ended devices. Stops the run after the last, or at a failure if `endsAtFailure`.
package final class DeviceEnds: Sendable {
  private struct State {
    var running: Int
    var failure: RetakeError?
  }
  private let state: Mutex<State>
  private let stop: StopFlag
  private let endsAtFailure: Bool
  private let onFailure: @Sendable (RetakeError) -> Void

  package init(
    _ devices: DeviceSet, endsAtFailure: Bool, stop: StopFlag, onFailure: @escaping @Sendable (RetakeError) -> Void
  ) {
    state = Mutex(State(running: devices.devices.count))
    self.endsAtFailure = endsAtFailure
    self.stop = stop
    self.onFailure = onFailure
  }

  package var failure: RetakeError? { state.withLock { $0.failure } }

  package var isComplete: Bool { state.withLock { $0.running == 0 } }

  package func note(_ error: RetakeError?) {
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
