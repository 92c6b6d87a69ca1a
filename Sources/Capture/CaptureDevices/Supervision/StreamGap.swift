import FrameModel

/// A span in which a stream should have delivered frames and did not. Reported twice, so that an
/// interrupted recording has it too: at least one frame when it is noticed, the rest at its end.
struct StreamGap: Hashable, Sendable {
  let reason: FrameEvent.Reason
  /// Arrival of the last frame before the gap, or the start of the device.
  let start: MonotonicTime
  let periodNanoseconds: Int64
  private(set) var reportedCount = 0

  /// Frames missing so far and not yet reported; at least `least` in the first report.
  mutating func loss(stream: Int, now: MonotonicTime, least: Int = 1) -> CaptureLoss? {
    let due = (now.nanoseconds - start.nanoseconds) / periodNanoseconds
    return report(max(reportedCount == 0 ? least : 0, Int(due)), stream: stream, at: now)
  }

  /// Frames missing before the frame that ended the gap, and not yet reported.
  mutating func loss(stream: Int, endedBy arrival: MonotonicTime) -> CaptureLoss? {
    // Rounded, since a frame may come slightly before or after it is due.
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
