import FrameModel
import Replay
import Testing

/// When pictures of a replay come, on a clock that stands still unless somebody sleeps or works.
@Suite struct ReplayPacerTests {
  private final class Clock: PlayClock {
    var nanoseconds: Int64 = 5_000
    var sleepCount = 0
    /// Called in each sleep, as a key is pressed meanwhile.
    var whileSleeping: (Int) -> Void = { _ in }
    func now() -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }
    func sleep(nanoseconds span: Int64) {
      precondition(span > 0 && span < 1_000_000_000)
      nanoseconds += span
      sleepCount += 1
      whileSleeping(sleepCount)
    }
  }

  private static let milliseconds: Int64 = 1_000_000
  private static let period = 40 * milliseconds

  private let clock = Clock()

  private func pacer(_ controls: PlayControls, isReversed: Bool = false) -> ReplayPacer {
    ReplayPacer(controls, clock: clock, periodNanoseconds: Self.period, isReversed: isReversed)
  }

  private func speed(_ factor: Double) throws -> PlaySpeed { try #require(PlaySpeed(factor)) }

  /// - Parameter workNanoseconds: what each picture takes.
  /// - Returns: when each came, from the first on.
  private func times(
    _ pacer: ReplayPacer, of presentations: [Int64], workNanoseconds: (Int) -> Int64 = { _ in 0 }
  ) -> [Int64] {
    let start = clock.nanoseconds
    return presentations.enumerated().map { number, presentation in
      #expect(pacer.wait(for: PresentationTime(nanoseconds: presentation)))
      let came = clock.nanoseconds - start
      clock.nanoseconds += workNanoseconds(number)
      return came
    }
  }

  @Test(arguments: [0.1, 0.5, 1, 2, 10])
  func `a picture comes as long after the first as the recording says, at the speed`(factor: Double) throws {
    let pacer = pacer(PlayControls(speed: try speed(factor)))
    // A camera that drifts, and a recording that begins before 0.
    let presentations = (0..<50).map { (number: Int) -> Int64 in
      let drift = number % 3 * 1_000_000
      return Int64(number * 33_333_333 + drift - 7)
    }
    let came = times(pacer, of: presentations) { _ in 2 * Self.milliseconds }
    for (time, presentation) in zip(came, presentations) {
      let due = Double(presentation - presentations[0]) / factor
      #expect(abs(Double(time) - due) <= 50)
    }
    #expect(pacer.lateness.count == 0)
  }

  @Test func `as fast as possible nobody waits`() {
    let pacer = pacer(PlayControls())
    #expect(times(pacer, of: (0..<20).map { $0 * Self.period }) == [Int64](repeating: 0, count: 20))
    #expect(clock.sleepCount == 0)
    #expect(pacer.lateness.count == 0)
  }

  @Test func `what is late comes at once, is counted, and what follows is in time again`() {
    let pacer = pacer(PlayControls(speed: .realTime))
    // The third takes three periods: two come late, by two periods and by one.
    let came = times(pacer, of: (0..<8).map { $0 * Self.period }) { $0 == 2 ? 3 * Self.period : 0 }
    #expect(came.map { $0 / Self.period } == [0, 1, 2, 5, 5, 5, 6, 7])
    #expect(pacer.lateness.count == 2)
    #expect(pacer.lateness.largestNanoseconds == 2 * Self.period)
  }

  @Test func `after a long standstill it goes on at its speed instead of catching up`() {
    let pacer = pacer(PlayControls(speed: .realTime))
    let came = times(pacer, of: (0..<5).map { $0 * Self.period }) { $0 == 1 ? 100 * Self.period : 0 }
    #expect(came.map { $0 / Self.period } == [0, 1, 101, 102, 103])
    #expect(pacer.lateness.count == 1)
    #expect(pacer.lateness.largestNanoseconds == 99 * Self.period)
  }

  @Test func `a gap is waited for for a second at most, however long it claims to be`() {
    let pacer = pacer(PlayControls(speed: .realTime))
    let came = times(pacer, of: [.min, .min + 1, 0, 900 * Self.milliseconds, 3_600_000 * Self.milliseconds, .max])
    #expect(came.map { $0 / Self.milliseconds } == [0, 0, 1000, 1900, 2900, 3900])
  }

  @Test func `backwards takes as long, and from one pass to the next it is a frame's time`() {
    let forward = times(pacer(PlayControls(speed: .realTime)), of: [0, 2, 3, 0, 2, 3].map { $0 * Self.period })
    #expect(forward.map { $0 / Self.period } == [0, 2, 3, 4, 6, 7])
    let back = pacer(PlayControls(speed: .realTime), isReversed: true)
    #expect(
      times(back, of: [3, 2, 0, 3, 2, 0].map { $0 * Self.period }).map { $0 / Self.period } == [0, 1, 3, 4, 5, 7])
    #expect(back.lateness.count == 0)
  }

  @Test func `in a pause time stands still: what was left of the wait is waited for afterwards`() {
    let controls = PlayControls(speed: .realTime)
    let pacer = pacer(controls)
    // Sleeps are of 10 ms: paused in the second of the four before the second picture, for ten of them.
    clock.whileSleeping = { if $0 == 2 || $0 == 12 { controls.take(.pauseOrResume) } }
    let came = times(pacer, of: [0, 1, 2].map { $0 * Self.period })
    #expect(came.map { $0 / Self.milliseconds } == [0, 140, 180])
    #expect(pacer.lateness.count == 0)
  }

  @Test func `play that begins paused shows one picture, and one more for each step`() {
    let controls = PlayControls(isPaused: true)
    let pacer = pacer(controls)
    clock.whileSleeping = { if $0 % 5 == 0 { controls.take(.step) } }
    let came = times(pacer, of: [0, 1, 2, 3].map { $0 * Self.period })
    #expect(came.map { $0 / Self.milliseconds } == [0, 50, 100, 150])
    clock.whileSleeping = { _ in controls.take(.pauseOrResume) }
    #expect(pacer.wait(for: PresentationTime(nanoseconds: 4 * Self.period)))
    #expect(!controls.state.isPaused)
  }

  @Test func `a step pauses what plays, and does not run ahead of its key`() {
    let controls = PlayControls(speed: .realTime)
    controls.take(.step)
    #expect(controls.state.isPaused)
    #expect(!controls.takeStep())
    for _ in 0..<10 { controls.take(.step) }
    #expect(controls.takeStep() && controls.takeStep())
    #expect(!controls.takeStep())
  }

  @Test func `a new speed holds from the picture that is waited for`() {
    let controls = PlayControls(speed: .realTime)
    let pacer = pacer(controls)
    clock.whileSleeping = { if $0 == 1 { controls.take(.faster) } }
    let came = times(pacer, of: [0, 1, 2].map { $0 * Self.period })
    #expect(came.map { $0 / Self.milliseconds } == [0, 20, 40])
    #expect(controls.state.speed?.factor == 2)
  }

  @Test func `whatever rate a recording claims, what lies between two passes is a second at most`() throws {
    let slowest = try FrameRate(1, 1_000_000_000)
    #expect(ReplayPacer.periodNanoseconds(of: slowest, every: 1_000_000) == ReplayPacer.longestStepNanoseconds)
    #expect(ReplayPacer.periodNanoseconds(of: slowest, every: 10) == ReplayPacer.longestStepNanoseconds)
    #expect(try ReplayPacer.periodNanoseconds(of: FrameRate(25, 1), every: 3) == 3 * Self.period)
  }

  @Test func `whoever slowed it and sped it up again has watched it in time`() throws {
    let controls = PlayControls()
    controls.take(.faster)
    controls.take(.pauseOrResume)
    #expect(!controls.state.wasTimed)
    controls.take(.slower)
    controls.take(.faster)
    #expect(controls.state.speed == nil && controls.state.wasTimed)
    #expect(PlayControls(speed: try speed(2)).state.wasTimed)
  }

  @Test(arguments: [true, false])
  func `an end ends every wait`(isWished: Bool) {
    nonisolated(unsafe) var isSet = false
    let controls = PlayControls(isPaused: true, endsWhen: { isSet })
    let pacer = pacer(controls)
    #expect(pacer.wait(for: PresentationTime(nanoseconds: 0)))
    clock.whileSleeping = { number in
      guard number == 3 else { return }
      if isWished { isSet = true } else { controls.take(.end) }
    }
    #expect(!pacer.wait(for: PresentationTime(nanoseconds: Self.period)))
    #expect(clock.sleepCount == 3)
    #expect(!self.pacer(controls).wait(for: PresentationTime(nanoseconds: 0)))
  }

  @Test func `speeds lie between a tenth and ten, and keys go through them to no waiting at all and back`() throws {
    for factor in [0, 0.099, 10.1, -1, .infinity, .nan] { #expect(PlaySpeed(factor) == nil) }
    var speed: PlaySpeed? = try speed(0.1)
    var seen: [String] = []
    while let one = speed {
      seen.append(one.description)
      speed = PlaySpeed.faster(than: one)
    }
    #expect(seen == ["0.1×", "0.25×", "0.5×", "1×", "2×", "4×", "10×"])
    #expect(PlaySpeed.faster(than: nil) == nil)
    #expect(PlaySpeed.slower(than: nil)?.factor == 10)
    #expect(PlaySpeed.slower(than: try self.speed(3))?.factor == 2)
    #expect(PlaySpeed.slower(than: try self.speed(0.1))?.factor == 0.1)
  }
}
