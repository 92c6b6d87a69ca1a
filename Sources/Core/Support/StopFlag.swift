import Synchronization

/// Asks work on several threads to end. Can be set on any thread, and never unset.
package final class StopFlag: Sendable {
  private let state = Mutex((isSet: false, isInterrupted: false))

  package init() {}

  package var isSet: Bool { state.withLock { $0.isSet } }

  /// Whether it was set from outside, as by Ctrl-C, and not by the work itself.
  package var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  package func set() { state.withLock { $0.isSet = true } }

  package func interrupt() { state.withLock { $0 = (true, true) } }
}
