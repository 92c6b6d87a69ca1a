import FrameModel
import Glibc
import Support
import Synchronization

/// A thread of a device's own, from which it delivers. Blocking there holds up nobody else, which a thread of
/// the cooperative pool could not promise.
package final class DeliveryThread: Sendable {
  private let thread: pthread_t
  private let stopSwitch: StopSwitch
  private let isJoined = Mutex(false)

  /// Shared with the thread, which so need not hold the object that stops it.
  private final class StopSwitch: Sendable {
    let isOn = Atomic<Bool>(false)
  }

  /// Carries the body over to the new thread.
  private final class Start: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// - Parameter body: is to return soon after the closure that it is given says true.
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

  /// Tells the body to return, and waits until it has. May be called again, from any thread; the thread
  /// itself, which cannot wait for its own end, only gets told.
  package func stop() {
    stopSwitch.isOn.store(true, ordering: .releasing)
    guard pthread_equal(thread, pthread_self()) == 0 else { return }
    isJoined.withLock { isJoined in
      if !isJoined { pthread_join(thread, nil) }
      isJoined = true
    }
  }
}

extension FrameBufferPool {
  /// How a device that can wait takes a buffer.
  /// - Returns: nil once `isStopping` says so and no buffer is free.
  package func take(waitingUnless isStopping: () -> Bool) -> FrameBuffer? {
    while true {
      if let buffer = take() { return buffer }
      if isStopping() { return nil }
      // The pool has nothing to wait on; a millisecond is short beside a frame and long beside the check.
      usleep(1000)
    }
  }
}
