import FrameModel

/// A span in which a stream should have brought frames and did not.
///
/// How many is known only when it ends. So that a recording which does not live to see that end says so too, it is told in
/// two parts: when the gap is noticed, what is missing until then, one frame at least; at its end the rest.
struct StreamGap: Hashable, Sendable {
  let reason: FrameEvent.Reason
  /// Arrival of the last frame before it; where there was none, the start of the device.
  let start: MonotonicTime
  let periodNanoseconds: Int64
  private(set) var reportedCount = 0

  init(_ reason: FrameEvent.Reason, since start: MonotonicTime, periodNanoseconds: Int64) {
    self.reason = reason
    self.start = start
    self.periodNanoseconds = periodNanoseconds
  }

  /// What is missing until now and was not told so far.
  /// - Parameter least: frames that are missing at least.
  mutating func loss(stream: Int, now: MonotonicTime, least: Int = 1) -> CaptureLoss? {
    let due = (now.nanoseconds - start.nanoseconds) / periodNanoseconds
    return report(max(reportedCount == 0 ? least : 0, Int(due)), stream: stream, at: now)
  }

  /// What is missing before the frame that ended it, and was not told so far.
  mutating func loss(stream: Int, endedBy arrival: MonotonicTime) -> CaptureLoss? {
    // A frame may come a little before or after it is due.
    let periods = (arrival.nanoseconds - start.nanoseconds + periodNanoseconds / 2) / periodNanoseconds
    return report(Int(periods) - 1, stream: stream, at: arrival)
  }

  private mutating func report(_ total: Int, stream: Int, at time: MonotonicTime) -> CaptureLoss? {
    let count = total - reportedCount
    guard count > 0 else { return nil }
    reportedCount = total
    return CaptureLoss(streamIndex: stream, reason: reason, count: count, arrival: time)
  }
}
