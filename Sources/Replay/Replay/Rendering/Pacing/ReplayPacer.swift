import FrameModel
import Glibc

/// The clock of a paced replay, replaceable in tests.
package protocol PlayClock {
  func now() -> MonotonicTime
  func sleep(nanoseconds: Int64)
}

package struct HostPlayClock: PlayClock {
  package func now() -> MonotonicTime { MonotonicTime.now() }
  /// - Parameter nanoseconds: less than a second.
  package func sleep(nanoseconds: Int64) { usleep(UInt32(max(1, nanoseconds / 1000))) }
}

/// Delays a replay's pictures until they are due: intervals are the recording's, divided by the
/// speed. A late picture is shown at once and counted; none is dropped. Content is not affected.
package final class ReplayPacer {
  package struct Lateness: Hashable, Sendable {
    package var count = 0
    package var largestNanoseconds: Int64 = 0
  }

  package private(set) var lateness = Lateness()
  private let controls: PlayControls
  private let clock: any PlayClock
  private let periodNanoseconds: Int64
  private let isReversed: Bool
  private var previous: PresentationTime?
  /// When the last picture was due, on `clock`.
  private var lastDue: Int64 = 0

  /// Limits the wait for gaps in a recording, which may be hours long.
  package static let longestStepNanoseconds: Int64 = 1_000_000_000
  /// A picture later than this resets the schedule: after its reader paused, a replay does not
  /// rush.
  package static let catchUpNanoseconds: Int64 = 1_000_000_000
  /// Lateness that is not visible.
  package static let toleranceNanoseconds: Int64 = 5_000_000
  /// Interval at which the controls are checked.
  private static let lookNanoseconds: Int64 = 10_000_000

  /// - Parameter periodNanoseconds: the interval between two passes.
  package init(_ controls: PlayControls, clock: any PlayClock, periodNanoseconds: Int64, isReversed: Bool) {
    self.controls = controls
    self.clock = clock
    self.periodNanoseconds = periodNanoseconds
    self.isReversed = isReversed
  }

  /// The interval between pictures when one of `every` frames is played, limited as others are.
  package static func periodNanoseconds(of rate: FrameRate, every: Int) -> Int64 {
    Int64(min(1e9 / rate.framesPerSecond * Double(every), Double(longestStepNanoseconds)))
  }

  /// Waits until a picture is due. The first is due at once, even if play starts paused.
  /// - Returns: false when the replay has ended.
  package func wait(for presentation: PresentationTime) -> Bool {
    var now = clock.now().nanoseconds
    let step = previous.map { span(from: $0, to: presentation) }
    previous = presentation
    guard let step else {
      lastDue = now
      return !controls.state.isEnded
    }
    var isFirstLook = true
    while true {
      let state = controls.state
      var rest = Self.lookNanoseconds
      if state.isEnded { return false }
      if state.isPaused {
        if controls.takeStep() {
          lastDue = now
          return true
        }
      } else if let speed = state.speed {
        let due = lastDue + Int64(Double(step) / speed.factor)
        if now >= due {
          if isFirstLook { count(lateNanoseconds: now - due) }
          lastDue = now - due > Self.catchUpNanoseconds ? now : due
          return true
        }
        rest = min(rest, due - now)
      } else {
        lastDue = now
        return true
      }
      clock.sleep(nanoseconds: rest)
      let later = clock.now().nanoseconds
      // A pause does not count.
      if state.isPaused { lastDue += later - now }
      now = later
      isFirstLook = false
    }
  }

  /// The interval between two pictures. Timestamps in the wrong direction mean a new pass.
  private func span(from previous: PresentationTime, to next: PresentationTime) -> Int64 {
    let (a, b) = isReversed ? (next, previous) : (previous, next)
    let (length, isTooLong) = b.nanoseconds.subtractingReportingOverflow(a.nanoseconds)
    if a > b { return min(periodNanoseconds, Self.longestStepNanoseconds) }
    return isTooLong ? Self.longestStepNanoseconds : min(length, Self.longestStepNanoseconds)
  }

  private func count(lateNanoseconds late: Int64) {
    guard late > Self.toleranceNanoseconds else { return }
    lateness.count += 1
    lateness.largestNanoseconds = max(lateness.largestNanoseconds, late)
  }
}
