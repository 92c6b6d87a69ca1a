import Dispatch
import Foundation
import FrameModel
import Glibc

/// Turns Ctrl-C, SIGTERM and SIGHUP into a flag that the work polls. A second signal, at least half
/// a second later, ends the process at once.
final class StopSignal: @unchecked Sendable {
  // Unchecked: `condition` guards everything mutable.
  private let condition = NSCondition()
  private var isWished = false
  private var firstSignal: MonotonicTime?
  /// Shortest time to a second signal: `timeout` signals the process and at once its group.
  private static let repeatNanoseconds: Int64 = 500_000_000
  private var sources: [any DispatchSourceSignal] = []

  init() {
    let queue = DispatchQueue(label: "retake.signals")
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // Under 'nohup' it should outlive its terminal.
      if number == SIGHUP && Self.isIgnored(number) { continue }
      sources.append(
        SignalSource.start(number, on: queue) { [weak self] in
          guard let self else { return }
          let now = MonotonicTime.now()
          let first = condition.withLock {
            let first = firstSignal ?? now
            firstSignal = first
            return first
          }
          if now.nanoseconds - first.nanoseconds >= Self.repeatNanoseconds { Glibc.exit(128 + number) }
          set()
        })
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    // SIG_IGN is the address 1, which cannot be compared as a function.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  var isSet: Bool { condition.withLock { isWished } }

  /// Whether a signal, not the work itself, set the flag.
  var isSignalled: Bool { condition.withLock { firstSignal != nil } }

  func set() {
    condition.withLock {
      isWished = true
      condition.broadcast()
    }
  }

  /// Uses `usleep`, since a wait until a date would not end if the wall clock is set back.
  func wait(seconds: Double) { usleep(UInt32(seconds * 1e6)) }
}
