import FrameModel
import Glibc

/// How long a device may be silent, and what happens when it is, or goes away.
package struct SupervisionOptions: Sendable {
  /// What follows when a device is gone or silent.
  package enum Policy: String, CaseIterable, Sendable {
    /// The others go on, and it is taken back when it returns.
    case wait
    /// It ends with an error.
    case stop
  }

  package var policy = Policy.wait
  /// A stream that brings no frame for so long has stalled. Nil: two seconds. Never less than what its frame rate asks for:
  /// two periods, ten where this is nil.
  package var timeoutNanoseconds: Int64?
  /// A stream's first frame may take so long, where the timeout is not longer: many a camera is slow to start.
  package var firstFrameNanoseconds: Int64 = 5_000_000_000
  /// Between a loss and the first attempt to open the device again. From the second on it is twice as long.
  package var retryNanoseconds: Int64 = 500_000_000
  /// A driver that does not return from closing its device is left behind after so long. A thread inside the kernel cannot
  /// be ended, only be waited for no longer.
  package var patienceNanoseconds: Int64 = 2_000_000_000
  /// The host's clock; tests set their own.
  package var now: @Sendable () -> MonotonicTime = { MonotonicTime.now() }

  package init() {}

  /// How often a supervisor looks, in real time: short beside the shortest timeout, long beside what a look costs.
  static let lookMicroseconds: UInt32 = 10_000

  func timeoutNanoseconds(_ rate: FrameRate, isFirstFrame: Bool) -> Int64 {
    // A driver may claim a frame in thirty years, ten of which are more than the clock counts.
    let period = min(rate.periodNanoseconds, Int64.max / 10)
    let timeout = max(timeoutNanoseconds ?? 2_000_000_000, (timeoutNanoseconds == nil ? 10 : 2) * period)
    return isFirstFrame ? max(timeout, firstFrameNanoseconds) : timeout
  }

  /// Waits in real time, whatever `now` says: what is waited for is another thread.
  /// - Returns: whether it came about in time.
  static func wait(nanoseconds limit: Int64, until condition: () -> Bool) -> Bool {
    let deadline = MonotonicTime.now().nanoseconds + limit
    while !condition() {
      if MonotonicTime.now().nanoseconds >= deadline { return condition() }
      usleep(1000)
    }
    return true
  }
}
