import FrameModel

/// Maps a device's clock to the host's, for all streams that the device stamps with it.
///
/// Delays are never negative. So the line below all differences between arrival and timestamp is
/// the clock offset plus the smallest delay, which no method can observe.
///
/// Drivers also deliver timestamps that are zero, long past or in the future:
/// - A timestamp far below the line, or before an earlier one of its stream, is rejected. Its frame
///   gets its arrival time.
/// - Five consecutive rejected timestamps that agree restart the mapping: the clock was set.
/// - A timestamp just one usual interval after the stream's last is accepted. The frames before it
///   were late, as may happen from the start on a busy machine.
package struct ClockMapper: Sendable {
  /// Capture time on the host's clock, never later than arrival.
  package struct Reading: Hashable, Sendable {
    package var time: MonotonicTime
    /// The device's timestamp was rejected.
    package var isWrong: Bool
    /// Delay beyond the smallest one observed.
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
  /// Largest spread, delays included, of offsets that agree.
  private static let agreementNanoseconds: Int64 = 200_000_000
  private static let lowCount = 3
  private static let lowAgreementNanoseconds: Int64 = 5_000_000
  /// A timestamp farther below the line is not a smaller delay: the clock was set forward.
  private static let largestDelayNanoseconds = 100_000_000.0
  private static let lowMemoryNanoseconds: Int64 = 30_000_000_000
  /// A duplicate arrives at most this much later; a tick that repeats for longer is stuck.
  private static let repetitionNanoseconds = 1_000_000_000.0
  private static let longestWaitNanoseconds = 10_000_000_000.0
  /// A host timestamp may be read shortly after its frame was handed over, and be at most 60 s old.
  private static let hostLeewayNanoseconds: Int64 = 1_000_000
  private static let hostOldestNanoseconds: Int64 = 60_000_000_000

  private let clock: TickClock
  private let isHostClock: Bool
  private var envelope: DelayEnvelope
  /// Latest accepted timestamp of each stream; `rhythms` holds the usual interval between them.
  private var latest: [Int64?]
  private var rhythms: [TickRhythm]
  /// Consecutive rejected timestamps.
  private var suspects: [Suspect] = []
  /// Recent timestamps below the line; accepted frames may lie between them.
  private var lows: [Suspect] = []
  /// The line when it first settled; drift is measured from here.
  private var anchor: (arrival: Int64, offset: Double)?
  private var begin: Int64?

  /// - Parameter isHostClock: the ticks are the host's monotonic clock, used where plausible.
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

  /// The device's time in nanoseconds, rounded towards zero.
  package static func nanoseconds(ticks: Int64, clock: TickClock) -> Int64 {
    let (whole, rest) = ticks.quotientAndRemainder(dividingBy: clock.hertz)
    // `rest` < 10¹², so its product with 10⁹ may need more than 64 bits.
    let product = rest.magnitude.multipliedFullWidth(by: 1_000_000_000)
    let fraction = Int64(UInt64(clock.hertz).dividingFullWidth(product).quotient)
    return whole &* 1_000_000_000 &+ (rest < 0 ? -fraction : fraction)
  }

  /// Forgets the mapping after the device was reopened, since its clock may have restarted.
  package mutating func restart() {
    self = ClockMapper(clock: clock, isHostClock: isHostClock, laneCount: latest.count)
  }

  /// - Parameter lane: index of its stream among those that share the clock.
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
    // Drivers stamp a frame's start, so the delay counts from the line and not from the timestamp.
    return Reading(
      time: min(MonotonicTime(nanoseconds: device), arrival), isWrong: false,
      waitedNanoseconds: reading.waitedNanoseconds)
  }

  // MARK: Mapping with the line

  private mutating func fitted(_ device: Int64, _ arrival: MonotonicTime, _ lane: Int) -> Reading {
    let sample = Suspect(
      lane: lane, device: device, arrival: arrival.nanoseconds, offset: arrival.nanoseconds &- device)
    let step = latest[lane].flatMap { rhythms[lane].step(device &- $0) }
    if let height = envelope.height(arrival: sample.arrival, offset: sample.offset) {
      let isLow = envelope.line.map { height < -$0.reachNanoseconds(at: sample.arrival) } ?? false
      let isBack = latest[lane].map { device < $0 } ?? false
      if device == latest[lane], height > Self.repetitionNanoseconds { return Reading(time: arrival, isWrong: true) }
      // A stream's first timestamp so far above the line is wrong: no frame waits that long.
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

  /// Whether a timestamp below the line is right, with a smaller delay than any before. Exactly one
  /// interval after the last, it is. After several, the delay must also be usual, since a timestamp
  /// in the future may be a whole number of intervals off.
  private func isRight(_ step: TickRhythm.Step, height: Double) -> Bool {
    guard step.isWhole, let line = envelope.line else { return false }
    return step.isOne || -height < min(Self.largestDelayNanoseconds, 12 * line.spread)
  }

  /// Discards delays far above a timestamp known to be right: those frames were late.
  private mutating func forgetLate(height: Double) {
    guard -height > Double(Self.lowAgreementNanoseconds) else { return }
    envelope = Self.freshEnvelope(clock)
    lows = []
    (anchor, begin) = (nil, nil)
  }

  /// Whether enough earlier samples agree with a timestamp outside the expected range.
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
    // Such small delays are rare, so three that agree are accepted.
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

  /// Host minus device clock at the latest frame; nil before the first.
  package var offsetNanoseconds: Int64? {
    guard let line = envelope.line, let newest = envelope.slices.last else { return nil }
    return DelayEnvelope.integer(line.offset(at: newest.arrival))
  }

  /// Time until the line is trusted.
  private static let settlingNanoseconds: Int64 = 5_000_000_000
  /// After this long, the distance the line has moved estimates drift better than its slope.
  private static let longNanoseconds: Int64 = 30_000_000_000
  /// Largest standard deviation of the slope at which drift is reported from the slope alone.
  private static let largestSlopeDeviation = 50e-6
  /// Error of the line allowed at the anchor, when drift since then is compared with the slope.
  private static let anchorNanoseconds = 1_000_000.0
  /// Above this mean height, few frames are prompt and the slope's deviation does not hold.
  private static let largestSpread = 10_000_000.0

  private mutating func noteAnchor(_ arrival: Int64) {
    let begin = self.begin ?? arrival
    self.begin = begin
    guard anchor == nil, arrival &- begin >= Self.settlingNanoseconds, let line = envelope.line else { return }
    anchor = (arrival, line.offset(at: arrival))
  }

  /// How much faster the device's clock runs than the host's, in parts per 10⁹. Nil in the first
  /// seconds, and when frames arrive too late to tell.
  package var driftPartsPerBillion: Int64? {
    guard let anchor, let line = envelope.line, let newest = envelope.slices.last, line.spread <= Self.largestSpread
    else { return nil }
    let elapsed = newest.arrival &- anchor.arrival
    let way = (line.offset(at: newest.arrival) - anchor.offset) / Double(max(1, elapsed))
    let doubt = 4 * line.slopeDeviation + Self.anchorNanoseconds / Double(max(1, elapsed))
    let isWayRight = elapsed >= Self.longNanoseconds && (way - line.slope).magnitude <= doubt
    guard isWayRight || line.slopeDeviation <= Self.largestSlopeDeviation else { return nil }
    let rise = isWayRight ? way : line.slope
    // host = device + offset, so the device's clock runs at 1 − rise of the host's.
    return DelayEnvelope.integer(-max(-DelayEnvelope.largestSlope, min(DelayEnvelope.largestSlope, rise)) * 1e9)
  }
}
