import Dispatch
import Foundation
import Glibc

/// Ctrl-C, SIGTERM and a closed terminal, turned into a wish to end that the work looks at. A second one ends the process at
/// once.
final class StopSignal: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `condition`.
  private let condition = NSCondition()
  private var isWished = false
  private var signalCount = 0
  private var sources: [any DispatchSourceSignal] = []

  init() {
    let queue = DispatchQueue(label: "retake.signals")
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // Started by 'nohup', it is to outlive its terminal.
      if number == SIGHUP && Self.isIgnored(number) { continue }
      sources.append(
        SignalSource.start(number, on: queue) { [weak self] in
          guard let self else { return }
          let count = condition.withLock {
            signalCount += 1
            return signalCount
          }
          if count > 1 { Glibc.exit(128 + number) }
          set()
        })
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    // SIG_IGN is the address 1, which is no function to compare with.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  var isSet: Bool { condition.withLock { isWished } }

  /// It was a signal, not the work itself.
  var isSignalled: Bool { condition.withLock { signalCount > 0 } }

  /// Ends the work as a signal would.
  func set() {
    condition.withLock {
      isWished = true
      condition.broadcast()
    }
  }

  /// Lets so much time pass, whatever happens to the wall clock meanwhile: a wait until a date would not end when the clock
  /// is set back.
  func wait(seconds: Double) { usleep(UInt32(seconds * 1e6)) }
}
