import Glibc
import Support
import Synchronization

/// A device's own thread for delivery. It may block, unlike threads of the cooperative pool.
final class DeliveryThread: Sendable {
  private let thread: pthread_t
  /// Shared with the thread, which therefore need not retain the `DeliveryThread`.
  private let stopFlag: StopFlag
  private let isJoined = Mutex(false)

  private final class Start: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// - Parameter body: must return soon after the closure passed to it returns true.
  init(_ body: @escaping @Sendable (_ isStopping: @escaping @Sendable () -> Bool) -> Void)
    throws(RetakeError)
  {
    let stopFlag = StopFlag()
    let start = Unmanaged.passRetained(Start { body { stopFlag.isSet } })
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { @Sendable argument in
        guard let argument else { return nil }
        Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, start.toOpaque())
    guard status == 0 else {
      start.release()
      throw RetakeError(.device, "A thread could not be started: \(String(cString: strerror(status))).")
    }
    self.thread = thread
    self.stopFlag = stopFlag
  }

  deinit {
    isJoined.withLock { if !$0 { pthread_detach(thread) } }
  }

  /// Signals the body to return and waits for it. Idempotent, and allowed on any thread. On the
  /// thread itself it only signals, since a thread cannot join itself.
  func stop() {
    stopFlag.set()
    guard pthread_equal(thread, pthread_self()) == 0 else { return }
    isJoined.withLock { isJoined in
      if !isJoined { pthread_join(thread, nil) }
      isJoined = true
    }
  }
}
