import FrameModel
import Glibc

/// The time that passes while a replay is shown; a test's passes when it says so.
package protocol PlayClock {
  func now() -> MonotonicTime
  func sleep(nanoseconds: Int64)
}

package struct HostPlayClock: PlayClock {
  package init() {}
  package func now() -> MonotonicTime { MonotonicTime.now() }
  /// - Parameter nanoseconds: less than a second.
  package func sleep(nanoseconds: Int64) { usleep(UInt32(max(1, nanoseconds / 1000))) }
}

/// Lets the pictures of a replay come when they are due: each as long after the one before as the recording says, at the speed that
/// is set. What comes too late is shown at once, and counted; nothing is left out.
///
/// It changes when pictures are made, never what is in them: neither cursor nor pipeline knows of it.
package final class ReplayPacer {
  package struct Lateness: Hashable, Sendable {
    /// Pictures that came when they had been due for more than `toleranceNanoseconds`.
    package var count = 0
    package var largestNanoseconds: Int64 = 0
  }

  package private(set) var lateness = Lateness()
  private let controls: PlayControls
  private let clock: any PlayClock
  private let periodNanoseconds: Int64
  private let isReversed: Bool
  private var previous: PresentationTime?
  /// When the last picture was due, on the clock.
  private var lastDue: Int64 = 0

  /// A gap in a recording may be of hours, and says nothing that is worth the wait.
  package static let longestStepNanoseconds: Int64 = 1_000_000_000
  /// What is later than that does not catch up: after a reader's pause the replay goes on at its speed.
  package static let catchUpNanoseconds: Int64 = 1_000_000_000
  /// What nobody sees.
  package static let toleranceNanoseconds: Int64 = 5_000_000
  /// How often it looks whether something was changed.
  private static let lookNanoseconds: Int64 = 10_000_000

  /// - Parameters:
  ///   - periodNanoseconds: of the stream; what lies between the end of one pass and the beginning of the next.
  ///   - isReversed: whether times go back.
  package init(_ controls: PlayControls, clock: any PlayClock, periodNanoseconds: Int64, isReversed: Bool) {
    self.controls = controls
    self.clock = clock
    self.periodNanoseconds = periodNanoseconds
    self.isReversed = isReversed
  }

  /// What lies between the pictures of a rate when one of so many is played; never longer than what is waited for, whatever
  /// rate a recording claims.
  package static func periodNanoseconds(of rate: FrameRate, every: Int) -> Int64 {
    Int64(min(1e9 / rate.framesPerSecond * Double(every), Double(longestStepNanoseconds)))
  }

  /// Waits until a picture is due. The first one is at once, also where play begins paused: that is the picture to pause on.
  /// - Returns: false when it is not to be shown any more.
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
      // In a pause time stands still.
      if state.isPaused { lastDue += later - now }
      now = later
      isFirstLook = false
    }
  }

  /// What lies between two pictures; times that go the wrong way begin a new pass.
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
