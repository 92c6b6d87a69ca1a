import Synchronization

/// Whether a device has finished, which a test can await.
final class DeviceEnd: Sendable {
  private struct State {
    var isReached = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  var isReached: Bool { state.withLock { $0.isReached } }

  func reach() {
    let waiter = state.withLock { state in
      state.isReached = true
      return state.waiter.take()
    }
    waiter?.resume()
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if !state.isReached { state.waiter = continuation }
        return state.isReached
      }
      if isReached { continuation.resume() }
    }
  }
}
