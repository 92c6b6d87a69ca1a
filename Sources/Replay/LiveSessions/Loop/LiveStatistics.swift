import FrameModel
import FrameSync

/// Statistics of a live run, to be shown about once per second (B.10).
package struct LiveStatistics: Sendable {
  package private(set) var shown = 0
  /// Frames that the pipeline skipped: without a mask, or before the first depth.
  package internal(set) var skipped = 0
  /// Frames that could not be processed, mostly because they were damaged.
  package internal(set) var failed = 0
  /// Frames for which no output was working.
  package internal(set) var leftOut = 0
  package internal(set) var depthDelivered = 0
  /// Frames shown per second, over the last full window; 0 during the first.
  package private(set) var framesPerSecond = 0.0
  private var latencies = DurationHistogram()
  private var recent = DurationHistogram()
  private var recentSpread: ClockFacts.Spread?
  private var windowStart: Int64?
  private var windowCount = 0
  private static let windowNanoseconds: Int64 = 1_000_000_000

  /// Latency of all shown frames, from arrival at this host until every output had the frame.
  package var latency: ClockFacts.Spread? { latencies.spread }
  /// Latency of the frames of the last full second.
  package var recentLatency: ClockFacts.Spread? { recentSpread ?? recent.spread }

  /// - Parameter arrival: the colour frame's; nil without host times.
  mutating func noteShown(arrival: MonotonicTime?, now: MonotonicTime) {
    shown += 1
    windowCount += 1
    guard let arrival else { return }
    latencies.add(nanoseconds: now.nanoseconds - arrival.nanoseconds)
    recent.add(nanoseconds: now.nanoseconds - arrival.nanoseconds)
  }

  mutating func tick(now: MonotonicTime) {
    guard let start = windowStart else {
      windowStart = now.nanoseconds
      return
    }
    let elapsed = now.nanoseconds - start
    guard elapsed >= Self.windowNanoseconds else { return }
    framesPerSecond = Double(windowCount) * 1e9 / Double(elapsed)
    recentSpread = recent.spread
    recent = DurationHistogram()
    (windowStart, windowCount) = (now.nanoseconds, 0)
  }
}
