import FrameModel
import FrameSync

/// How a live run stands: what a person wants to know about once a second (B.10).
package struct LiveStatistics: Sendable {
  /// Frames that were shown.
  package private(set) var shown = 0
  /// Frames that the pipeline left out: without a mask, before the first depth.
  package internal(set) var skipped = 0
  /// Frames that were not whole.
  package internal(set) var failed = 0
  /// Frames that no output was left for.
  package internal(set) var leftOut = 0
  package internal(set) var depthDelivered = 0
  /// Frames shown in a second, of late; 0 before the first second is over.
  package private(set) var framesPerSecond = 0.0
  private var latencies = DurationHistogram()
  private var recent = DurationHistogram()
  private var recentSpread: ClockFacts.Spread?
  private var windowStart: Int64?
  private var windowCount = 0
  private static let windowNanoseconds: Int64 = 1_000_000_000

  package init() {}

  /// Of all frames shown: from a frame's arrival at this host until every output had it.
  package var latency: ClockFacts.Spread? { latencies.spread }
  /// Of those of the last full second.
  package var recentLatency: ClockFacts.Spread? { recentSpread ?? recent.spread }

  /// - Parameters:
  ///   - arrival: when its colour frame came; nil where that is no time of this host.
  ///   - now: when the last output had it.
  mutating func noteShown(arrival: MonotonicTime?, now: MonotonicTime) {
    shown += 1
    windowCount += 1
    guard let arrival else { return }
    latencies.add(nanoseconds: now.nanoseconds - arrival.nanoseconds)
    recent.add(nanoseconds: now.nanoseconds - arrival.nanoseconds)
  }

  /// Called now and then.
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
