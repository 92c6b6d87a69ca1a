import FrameModel
import Glibc

package struct SupervisionOptions: Sendable {
  package enum Policy: String, CaseIterable, Sendable {
    /// Other devices continue; this one is reopened when it returns.
    case wait
    /// Delivery ends with an error.
    case stop
  }

  package var policy = Policy.wait
  /// Longest silence of a stream; nil for 2 s. At least two frame periods, or ten if nil.
  package var timeoutNanoseconds: Int64?
  /// Timeout for a stream's first frame, if longer: many cameras start slowly.
  package var firstFrameNanoseconds: Int64 = 5_000_000_000
  /// From a loss to the first attempt to reopen the device. Doubled from the second on.
  package var retryNanoseconds: Int64 = 500_000_000
  /// Longest wait for a driver to close its device. A thread stuck in the kernel is abandoned.
  package var patienceNanoseconds: Int64 = 2_000_000_000
  /// The host's clock; tests inject their own.
  package var now: @Sendable () -> MonotonicTime = { MonotonicTime.now() }

  package init() {}

  /// Polling interval in real time: short beside any timeout, long beside the cost of a check.
  package static let lookMicroseconds: UInt32 = 10_000

  package func timeoutNanoseconds(_ rate: FrameRate, isFirstFrame: Bool) -> Int64 {
    // A driver may claim a period of thirty years, ten of which overflow the clock.
    let period = min(rate.periodNanoseconds, Int64.max / 10)
    let timeout = max(timeoutNanoseconds ?? 2_000_000_000, (timeoutNanoseconds == nil ? 10 : 2) * period)
    return isFirstFrame ? max(timeout, firstFrameNanoseconds) : timeout
  }

  /// Polls in real time whatever `now` returns, since it waits for another thread.
  /// - Returns: whether the condition held in time.
  static func wait(nanoseconds limit: Int64, until condition: () -> Bool) -> Bool {
    let deadline = MonotonicTime.now().nanoseconds + limit
    while !condition() {
      if MonotonicTime.now().nanoseconds >= deadline { return condition() }
      usleep(1000)
    }
    return true
  }
}
