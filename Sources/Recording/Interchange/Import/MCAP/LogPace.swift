import FrameModel

/// Compares when a topic's pictures were taken with when their messages were logged. A file that was played faster or
/// slower and recorded again, or written without a clock, has log times that say nothing of the cameras.
struct LogPace {
  private var count = 0
  private var first: (stamp: Int64, log: Int64)?
  private var last: (stamp: Int64, log: Int64)?
  /// The step between two messages in which log time and stamp differ most: a clock that was set, or a pause.
  private var largestJump: Int64 = 0
  private var isComplete = true

  /// Fewer messages may all have been late.
  private static let leastCount = 10
  private static let latenessNanoseconds: Int64 = 100_000_000
  /// One part in this many. Clocks differ by less.
  private static let tolerance: Int64 = 20

  /// - Parameter stamp: nanoseconds, as `logTime`; nil if the message has none.
  mutating func note(stamp: Int64?, logTime: Int64) {
    guard let stamp, stamp.isPlausibleTime else {
      isComplete = false
      return
    }
    count += 1
    if let last {
      let jump = (logTime - last.log) - (stamp - last.stamp)
      if jump.magnitude > largestJump.magnitude { largestJump = jump }
      isComplete = isComplete && stamp >= last.stamp
    }
    first = first ?? (stamp, logTime)
    last = (stamp, logTime)
  }

  /// Nil unless every message has a stamp that is no earlier than the one before.
  var stamps: ClosedRange<Int64>? {
    guard isComplete, let first, let last else { return nil }
    return first.stamp...last.stamp
  }

  /// Log times run at another pace than stamps: more than one jump explains, or lateness.
  var isOther: Bool {
    guard count >= Self.leastCount, let first, let last else { return false }
    let span = last.stamp - first.stamp
    let difference = (last.log - first.log) - span - largestJump
    return difference.magnitude > (span / Self.tolerance + Self.latenessNanoseconds).magnitude
  }
}

/// Whether messages are so far out of the order of their times that frames of one moment would not be found as pairs, as
/// where one topic follows the other in the file.
struct MessageOrder {
  private var latest: Int64 = .min
  private(set) var isOutOfStep = false
  private static let stepNanoseconds: Int64 = 1_000_000_000

  mutating func note(_ time: Int64) {
    guard time.isPlausibleTime else { return }
    if latest != .min, latest - time > Self.stepNanoseconds { isOutOfStep = true }
    latest = max(latest, time)
  }
}

/// The times that count as the pictures' arrivals.
struct ArrivalClock: Sendable {
  /// Whether topics have to be read side by side, since the file's order is not that of their times.
  var isOutOfStep = false
  /// The pictures' own times; otherwise those of the log.
  var isOfStamps = false
  var startNanoseconds: Int64 = 0

  func arrival(stamp: Int64?, logTime: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: (isOfStamps ? stamp ?? logTime : logTime) - startNanoseconds)
  }
}

extension ArrivalClock {
  /// Stamps, if the log runs at another pace and the stamps of all topics overlap. Nil otherwise.
  init?(ofStampsIn topics: [ImageTopic]) {
    let stamps = topics.compactMap(\.pace.stamps)
    guard topics.contains(where: \.pace.isOther), stamps.count == topics.count,
      let start = stamps.map(\.lowerBound).min(), let last = stamps.map(\.lowerBound).max(),
      let end = stamps.map(\.upperBound).min(), last <= end
    else { return nil }
    self.init(isOfStamps: true, startNanoseconds: start)
  }
}
