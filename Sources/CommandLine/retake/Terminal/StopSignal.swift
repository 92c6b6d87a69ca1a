import Dispatch
import Foundation
import FrameModel
import Glibc

/// Ctrl-C, SIGTERM and a closed terminal, turned into a wish to end that the work looks at. A second one, half a second later or
/// more, ends the process at once.
final class StopSignal: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `condition`.
  private let condition = NSCondition()
  private var isWished = false
  private var firstSignal: MonotonicTime?
  /// `timeout` signals a process and then its group, which is the same process once more.
  private static let repeatNanoseconds: Int64 = 500_000_000
  private var sources: [any DispatchSourceSignal] = []

  init() {
    let queue = DispatchQueue(label: "retake.signals")
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // Started by 'nohup', it is to outlive its terminal.
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
    // SIG_IGN is the address 1, which is no function to compare with.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  var isSet: Bool { condition.withLock { isWished } }

  /// It was a signal, not the work itself.
  var isSignalled: Bool { condition.withLock { firstSignal != nil } }

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
