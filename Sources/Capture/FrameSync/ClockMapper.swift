import FrameModel

/// Maps a device's clock to the host's, for all streams that the device stamps with it.
///
/// A frame arrives some time after its tick: the bus and the scheduler add delay and never remove it. So the line below
/// the differences between arrival and tick is the offset between the clocks, but for the least delay, which no
/// method can see.
///
/// Drivers give stamps from the future, from long ago, and zero. A stamp that lies far below that line, or before an
/// earlier frame of its stream, is not believed, and its frame is taken to have been taken when it arrived; when five in
/// a row agree with each other, the device's clock was set, and the mapping begins again with them. But where a stamp
/// follows its stream's last by just the usual interval, it is right, and what came before it was late: on a busy machine
/// frames may be late for seconds, and none be prompt from the start.
package struct ClockMapper: Sendable {
  /// When a frame was taken, on the host's clock: never later than it arrived.
  package struct Reading: Hashable, Sendable {
    package var time: MonotonicTime
    /// The stamp was not believed.
    package var isWrong: Bool
    /// How long the frame was on its way, less the least that any takes.
    package var waitedNanoseconds: Int64
    package init(time: MonotonicTime, isWrong: Bool, waitedNanoseconds: Int64 = 0) {
      self.time = time
      self.isWrong = isWrong
      self.waitedNanoseconds = waitedNanoseconds
    }
  }

  private struct Suspect: Sendable {
    var lane: Int
    var device: Int64
    var arrival: Int64
    var offset: Int64
  }

  private static let agreementCount = 5
  /// Stamps that agree lie so close, delays included.
  private static let agreementNanoseconds: Int64 = 200_000_000
  private static let lowCount = 3
  private static let lowAgreementNanoseconds: Int64 = 5_000_000
  /// What lies farther below the line is no delay that had not been seen so far: the clock was set forward.
  private static let largestDelayNanoseconds = 100_000_000.0
  private static let lowMemoryNanoseconds: Int64 = 30_000_000_000
  /// A frame that comes again comes this much later at most; a tick that stays the same for longer is stuck.
  private static let repetitionNanoseconds = 1_000_000_000.0
  private static let longestWaitNanoseconds = 10_000_000_000.0
  /// A host's stamp may be read a little after its frame was handed over, and be a minute old at most.
  private static let hostLeewayNanoseconds: Int64 = 1_000_000
  private static let hostOldestNanoseconds: Int64 = 60_000_000_000

  private let clock: TickClock
  private let isHostClock: Bool
  private var envelope: DelayEnvelope
  /// Of each stream, the latest stamp that was believed.
  private var latest: [Int64?]
  /// Of each stream, the intervals between them.
  private var rhythms: [TickRhythm]
  /// Stamps in a row that were not.
  private var suspects: [Suspect] = []
  /// Those of late that lay below the line, with frames between that did not.
  private var lows: [Suspect] = []
  /// Where the line was when it could first be trusted.
  private var anchor: (arrival: Int64, offset: Double)?
  private var begin: Int64?

  /// - Parameters:
  ///   - isHostClock: the ticks are the host's monotonic clock; they are taken as they are where that can be.
  ///   - laneCount: streams that share the clock.
  package init(clock: TickClock, isHostClock: Bool = false, laneCount: Int = 1) {
    self.clock = clock
    self.isHostClock = isHostClock
    envelope = Self.freshEnvelope(clock)
    latest = Array(repeating: nil, count: laneCount)
    rhythms = Array(repeating: TickRhythm(), count: laneCount)
  }

  private static func freshEnvelope(_ clock: TickClock) -> DelayEnvelope {
    DelayEnvelope(stillnessNanoseconds: 5000 + 1e9 / Double(clock.hertz))
  }

  /// The device's time in nanoseconds, exact to rounding down.
  package static func nanoseconds(ticks: Int64, clock: TickClock) -> Int64 {
    let (whole, rest) = ticks.quotientAndRemainder(dividingBy: clock.hertz)
    // rest < 10¹² and the factor 10⁹: the product may need more than 64 bits.
    let product = rest.magnitude.multipliedFullWidth(by: 1_000_000_000)
    let fraction = Int64(UInt64(clock.hertz).dividingFullWidth(product).quotient)
    return whole &* 1_000_000_000 &+ (rest < 0 ? -fraction : fraction)
  }

  /// The device was opened again: its clock may have begun anew.
  package mutating func restart() {
    envelope = Self.freshEnvelope(clock)
    latest = Array(repeating: nil, count: latest.count)
    rhythms = Array(repeating: TickRhythm(), count: latest.count)
    suspects = []
    lows = []
    anchor = nil
    begin = nil
  }

  /// - Parameter lane: which of the streams that share the clock.
  package mutating func read(tick: Int64, arrival: MonotonicTime, lane: Int = 0) -> Reading {
    let device = Self.nanoseconds(ticks: tick, clock: clock)
    guard isHostClock else { return fitted(device, arrival, lane) }
    guard tick != 0 else { return Reading(time: arrival, isWrong: true) }
    let isBack = latest[lane].map { device < $0 } ?? false
    let reading = fitted(device, arrival, lane)
    let age = arrival.nanoseconds &- device
    let isPlausible = !isBack && age >= -Self.hostLeewayNanoseconds && age <= Self.hostOldestNanoseconds
    guard isPlausible else { return Reading(time: reading.time, isWrong: true) }
    latest[lane] = device
    // Drivers stamp a frame's beginning, and its way may take most of a period: the line tells what is usual.
    return Reading(
      time: min(MonotonicTime(nanoseconds: device), arrival), isWrong: false,
      waitedNanoseconds: reading.waitedNanoseconds)
  }

  // MARK: What the line says

  private mutating func fitted(_ device: Int64, _ arrival: MonotonicTime, _ lane: Int) -> Reading {
    let sample = Suspect(
      lane: lane, device: device, arrival: arrival.nanoseconds, offset: arrival.nanoseconds &- device)
    let step = latest[lane].flatMap { rhythms[lane].step(device &- $0) }
    if let height = envelope.height(arrival: sample.arrival, offset: sample.offset) {
      let isLow = envelope.line.map { height < -$0.reachNanoseconds(at: sample.arrival) } ?? false
      let isBack = latest[lane].map { device < $0 } ?? false
      if device == latest[lane], height > Self.repetitionNanoseconds { return Reading(time: arrival, isWrong: true) }
      // The first of its stream, and hours before its sibling's: it has not waited so long.
      if latest[lane] == nil, height > Self.longestWaitNanoseconds { return Reading(time: arrival, isWrong: true) }
      let isSmallerDelay = isLow && !isBack && height > -Self.largestDelayNanoseconds
      if isLow, !isBack, let step, isRight(step, height: height) {
        forgetLate(height: height)
      } else if isBack || isLow, !isBelieved(sample, isSmallerDelay: isSmallerDelay) {
        return Reading(time: arrival, isWrong: true)
      }
    }
    suspects = []
    if let last = latest[lane] { rhythms[lane].note(device &- last) }
    latest[lane] = device
    if let step, !step.isWhole {
      envelope.noteSetBack(arrival: sample.arrival, nanoseconds: step.shortfallNanoseconds)
    }
    envelope.add(arrival: sample.arrival, offset: sample.offset, isInStep: step?.isOne == true)
    noteAnchor(arrival.nanoseconds)
    let time = min(hostTime(of: device), arrival)
    return Reading(time: time, isWrong: false, waitedNanoseconds: arrival.nanoseconds &- time.nanoseconds)
  }

  /// Whether a stamp below the line is a smaller delay than any before. After exactly one interval it is, and after
  /// several where delays were such: a stamp from the future may be a whole number of intervals off.
  private func isRight(_ step: TickRhythm.Step, height: Double) -> Bool {
    guard step.isWhole, let line = envelope.line else { return false }
    return step.isOne || -height < min(Self.largestDelayNanoseconds, 12 * line.spread)
  }

  /// Discards delays far above a stamp known to be right: those frames arrived late, so they do not constrain the line.
  private mutating func forgetLate(height: Double) {
    guard -height > Double(Self.lowAgreementNanoseconds) else { return }
    envelope = Self.freshEnvelope(clock)
    lows = []
    (anchor, begin) = (nil, nil)
  }

  /// Whether there is enough that agrees with a stamp that lies where it should not.
  private mutating func isBelieved(_ sample: Suspect, isSmallerDelay: Bool) -> Bool {
    suspects.append(sample)
    if suspects.count > Self.agreementCount { suspects.removeFirst() }
    if areAgreed(suspects) {
      let agreed = suspects
      restart()
      for suspect in agreed.dropLast() {
        envelope.add(arrival: suspect.arrival, offset: suspect.offset)
        latest[suspect.lane] = suspect.device
      }
      return true
    }
    // Delays that are so small are rare: three of them are no accident.
    guard isSmallerDelay else { return false }
    lows.removeAll { sample.arrival &- $0.arrival > Self.lowMemoryNanoseconds }
    lows.append(sample)
    if lows.count > Self.agreementCount { lows.removeFirst() }
    let near = lows.filter { ($0.offset &- sample.offset).magnitude <= UInt64(Self.lowAgreementNanoseconds) }
    guard near.count >= Self.lowCount else { return false }
    for low in near { envelope.add(arrival: low.arrival, offset: low.offset) }
    lows = []
    (anchor, begin) = (nil, nil)
    return true
  }

  private func areAgreed(_ suspects: [Suspect]) -> Bool {
    guard suspects.count == Self.agreementCount else { return false }
    let offsets = suspects.map(\.offset)
    let range = offsets.max()!.subtractingReportingOverflow(offsets.min()!)
    guard !range.overflow, range.partialValue <= Self.agreementNanoseconds else { return false }
    return latest.indices.allSatisfy { lane in
      let stamps = suspects.filter { $0.lane == lane }.map(\.device)
      return zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 }
    }
  }

  /// host − device = offset + slope · (host − arrival), solved for the host's time.
  private func hostTime(of device: Int64) -> MonotonicTime {
    guard let line = envelope.line else { return MonotonicTime(nanoseconds: device) }
    let still = device &+ line.offset
    let distance = Double(still &- line.arrival)
    let turn = DelayEnvelope.integer(distance * line.slope / (1 - line.slope))
    return MonotonicTime(nanoseconds: still &+ turn)
  }

  // MARK: Facts

  /// Samples in memory.
  var heldCount: Int { envelope.slices.count + suspects.count + lows.count }

  /// Host minus device clock at the last frame, nanoseconds. Nil before the first.
  package var offsetNanoseconds: Int64? {
    guard let line = envelope.line, let newest = envelope.slices.last else { return nil }
    return DelayEnvelope.integer(line.offset(at: newest.arrival))
  }

  /// So long it takes until the line can be trusted.
  private static let settlingNanoseconds: Int64 = 5_000_000_000
  /// From here on, how far the line has come tells more than how it is inclined.
  private static let longNanoseconds: Int64 = 30_000_000_000
  /// Largest standard deviation of the slope at which drift is reported from the slope alone.
  private static let largestSlopeDeviation = 50e-6
  /// The line may have been this far off where its way began. What contradicts the slope by more is no drift: frames
  /// were late then.
  private static let anchorNanoseconds = 1_000_000.0
  /// Where not even one frame in a quarter of a second is prompt, delays are no longer those that the slope's deviation
  /// follows from.
  private static let largestSpread = 10_000_000.0

  private mutating func noteAnchor(_ arrival: Int64) {
    let begin = self.begin ?? arrival
    self.begin = begin
    guard anchor == nil, arrival &- begin >= Self.settlingNanoseconds, let line = envelope.line else { return }
    anchor = (arrival, line.offset(at: arrival))
  }

  /// How much faster than the host's the device's clock runs, parts per 10⁹. Nil in the first seconds, and where frames
  /// came too late to tell.
  package var driftPartsPerBillion: Int64? {
    guard let anchor, let line = envelope.line, let newest = envelope.slices.last, line.spread <= Self.largestSpread
    else { return nil }
    let elapsed = newest.arrival &- anchor.arrival
    let way = (line.offset(at: newest.arrival) - anchor.offset) / Double(max(1, elapsed))
    let doubt = 4 * line.slopeDeviation + Self.anchorNanoseconds / Double(max(1, elapsed))
    let isWayRight = elapsed >= Self.longNanoseconds && (way - line.slope).magnitude <= doubt
    guard isWayRight || line.slopeDeviation <= Self.largestSlopeDeviation else { return nil }
    let rise = isWayRight ? way : line.slope
    // host = device + offset, so the device's second takes 1/(1 − rise) of the host's.
    return DelayEnvelope.integer(-max(-DelayEnvelope.largestSlope, min(DelayEnvelope.largestSlope, rise)) * 1e9)
  }
}
