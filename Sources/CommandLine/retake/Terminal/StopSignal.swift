import Dispatch
import FrameModel
import Glibc
import Support
import Synchronization

/// Sets a flag at Ctrl-C, SIGTERM and SIGHUP. A second signal, at least half
/// a second later, ends the process at once.
final class StopSignal {
  let flag = StopFlag()
  /// Shortest time to a second signal: `timeout` signals the process and at once its group.
  private static let repeatNanoseconds: Int64 = 500_000_000
  private var sources: [any DispatchSourceSignal] = []

  init() {
    let queue = DispatchQueue(label: "retake.signals")
    let firstSignal = SharedTime()
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // Under 'nohup' it should outlive its terminal.
      if number == SIGHUP && Self.isIgnored(number) { continue }
      sources.append(
        SignalSource.start(number, on: queue) { [flag, firstSignal] in
          let now = MonotonicTime.now()
          let first = firstSignal.withLock { first in
            first = first ?? now
            return first ?? now
          }
          if now.nanoseconds - first.nanoseconds >= Self.repeatNanoseconds { Glibc.exit(128 + number) }
          flag.interrupt()
        })
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    // SIG_IGN is the address 1, which cannot be compared as a function.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  var isSet: Bool { flag.isSet }
}

/// Ends the process at Ctrl-C and SIGTERM with a word, where nothing is left half done.
final class EndingSignal {
  private var sources: [any DispatchSourceSignal] = []

  /// - Parameter sentence: what the end means for the work.
  init(_ sentence: String) {
    let queue = DispatchQueue(label: "retake.signals")
    sources = [SIGINT, SIGTERM].map { number in
      SignalSource.start(number, on: queue) {
        Terminal.endLine()
        Terminal.say("Stopped before the end: \(sentence)")
        Glibc.exit(ExitStatus.failed.rawValue)
      }
    }
  }
}

/// When the first signal came.
private final class SharedTime: Sendable {
  private let time = Mutex<MonotonicTime?>(nil)

  func withLock(_ body: (inout MonotonicTime?) -> MonotonicTime) -> MonotonicTime { time.withLock { body(&$0) } }
}
