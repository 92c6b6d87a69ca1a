import FrameModel
import Glibc
import Support
import Synchronization

/// A device's own thread for delivery. It may block, unlike threads of the cooperative pool.
package final class DeliveryThread: Sendable {
  private let thread: pthread_t
  private let stopSwitch: StopSwitch
  private let isJoined = Mutex(false)

  /// Shared with the thread, which therefore need not retain the `DeliveryThread`.
  private final class StopSwitch: Sendable {
    let isOn = Atomic<Bool>(false)
  }

  private final class Start: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// - Parameter body: must return soon after the closure passed to it returns true.
  package init(_ body: @escaping @Sendable (_ isStopping: @escaping @Sendable () -> Bool) -> Void)
    throws(RetakeError)
  {
    let stopSwitch = StopSwitch()
    let start = Unmanaged.passRetained(
      Start { body { stopSwitch.isOn.load(ordering: .acquiring) } })
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
    self.stopSwitch = stopSwitch
  }

  deinit {
    isJoined.withLock { if !$0 { pthread_detach(thread) } }
  }

  /// Signals the body to return and waits for it. Idempotent, and allowed on any thread. On the
  /// thread itself it only signals, since a thread cannot join itself.
  package func stop() {
    stopSwitch.isOn.store(true, ordering: .releasing)
    guard pthread_equal(thread, pthread_self()) == 0 else { return }
    isJoined.withLock { isJoined in
      if !isJoined { pthread_join(thread, nil) }
      isJoined = true
    }
  }
}

/// The only delivery of a device that stands for a file or folder, on a thread of its own.
package final class SingleDelivery: Sendable {
  private let state = Mutex<(thread: DeliveryThread?, isOver: Bool)>((nil, false))

  package init() {}

  /// - Parameter body: as of `DeliveryThread`. It must not retain the device, since releasing the
  ///   device stops the thread.
  package func start(
    _ device: String, _ body: @escaping @Sendable (_ isStopping: @escaping @Sendable () -> Bool) -> Void
  ) throws(RetakeError) {
    try state.withLock { state throws(RetakeError) in
      guard !state.isOver else {
        throw RetakeError(.device, "The \(device) was started before.", hint: "open it again")
      }
      state = (try DeliveryThread(body), true)
    }
  }

  package func stop() {
    let thread = state.withLock { state in
      state.isOver = true
      return state.thread
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
