import Dispatch
import Glibc

/// Handles a signal from the moment `start` returns; until then the signal has its old effect.
enum SignalSource {
  /// - Parameter queue: runs `body`; must not be the caller's own, which waits.
  static func start(
    _ number: Int32, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    let isHeard = DispatchSemaphore(value: 0)
    source.setEventHandler(handler: DispatchWorkItem(block: body))
    // Dispatch takes over the signal some time after `resume`. SIG_IGN until then would lose it.
    source.setRegistrationHandler(handler: DispatchWorkItem { isHeard.signal() })
    source.resume()
    isHeard.wait()
    return source
  }
}
