import FrameModel
import Glibc
import Support
import Synchronization

/// Delivers a device's frames on its own thread, once.
package final class SingleDelivery: Sendable {
  private enum State {
    case ready
    case running(DeliveryThread)
    case over
  }
  private let state = Mutex(State.ready)
  private let abandon: @Sendable () -> Void

  /// - Parameter abandon: called by `stop` if delivery never started.
  package init(abandoning abandon: @escaping @Sendable () -> Void = {}) { self.abandon = abandon }

  /// - Parameters:
  ///   - prepare: called only before the first start.
  ///   - body: as of `DeliveryThread`. It must not retain the device, since releasing the device
  ///     stops the thread.
  package func start(
    prepare: () throws(RetakeError) -> Void = {},
    _ body: @escaping @Sendable (_ isStopping: @escaping @Sendable () -> Bool) -> Void
  ) throws(RetakeError) {
    try state.withLock { state throws(RetakeError) in
      guard case .ready = state else { throw RetakeError(.usage, "A device can be started only once.") }
      try prepare()
      state = .running(try DeliveryThread(body))
    }
  }

  package func stop() {
    // Joined outside the lock, since the sink may call this method on the thread's last frame.
    let thread: DeliveryThread? = state.withLock { state in
      if case .running(let thread) = state { return thread }
      if case .ready = state { abandon() }
      state = .over
      return nil
    }
    thread?.stop()
  }
}

extension FrameBufferPool {
  /// Waits for a free buffer, for devices that can wait.
  /// - Returns: nil once `isStopping` returns true and no buffer is free.
  package func take(waitingUnless isStopping: () -> Bool) -> FrameBuffer? {
    while true {
      if let buffer = take() { return buffer }
      if isStopping() { return nil }
      // Polls, since the pool cannot be waited on. 1 ms is short beside a frame period.
      usleep(1000)
    }
  }
}
