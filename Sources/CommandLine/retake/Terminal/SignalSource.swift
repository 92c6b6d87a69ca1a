import Dispatch
import Glibc

/// A signal that is heard from the moment on that this returns, and until then does what it did before.
enum SignalSource {
  /// - Parameter queue: where `body` runs; not the caller's own.
  static func start(
    _ number: Int32, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    let isHeard = DispatchSemaphore(value: 0)
    source.setEventHandler(handler: DispatchWorkItem(block: body))
    // Dispatch takes the signal over on a thread of its own, some time after `resume`. Ignored until then, it would be lost.
    source.setRegistrationHandler(handler: DispatchWorkItem { isHeard.signal() })
    source.resume()
    isHeard.wait()
    return source
  }
}
