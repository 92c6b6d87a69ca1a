import FrameModel

/// Numbers one stream's frames, and reports frames that the device skipped, duplicated, delivered
/// late or damaged, or numbered or stamped wrongly.
package struct StreamLedger: Sendable {
  private static let sequenceRange: UInt64 = 1 << 32
  /// A backward jump is a wrap if it skips no more than this.
  private static let wrapReach: UInt64 = 1 << 20
  private static let longestRow = 256
  /// A gap is plausible up to `gapFactor` times the nominal rate plus `gapAllowance` frames.
  private static let gapFactor: Int64 = 4
  private static let gapAllowance: Int64 = 1000

  private let stream: Int
  private let periodNanoseconds: Int64
  private var nextNumber = 0
  private var lastSequence: UInt64?
  private var lastTick: Int64?
  private var lastPresentation: PresentationTime?
  private var lastArrival: PresentationTime?
  private var wrongStamps: EventRun

  package init(stream: Int, rate: FrameRate) {
    self.stream = stream
    periodNanoseconds = rate.periodNanoseconds
    wrongStamps = EventRun(stream: stream, stage: .device, reason: .wrongTimestamp)
  }

  /// Number that the next frame will get.
  package var frameNumber: Int { nextNumber }

  /// Numbers a frame and reports what was wrong with it or missing before it.
  /// - Parameters:
  ///   - accountedLosses: frames since the last one that are already reported as lost.
  ///   - time: capture time on the recording's time line; so is `arrival`.
  ///   - isTimeWrong: the device's timestamp was rejected. A run of such frames is one event.
  ///   - waitedNanoseconds: delay beyond the smallest one.
  package mutating func admit(
    sequence: UInt64?, tick: Int64?, flags: FrameFlags, accountedLosses: Int, time: PresentationTime,
    arrival: PresentationTime, isTimeWrong: Bool, waitedNanoseconds: Int64
  ) -> (number: Int, flags: FrameFlags, presentation: PresentationTime, events: [FrameEvent]) {
    let number = nextNumber
    nextNumber += 1
    var flags = flags
    var events: [FrameEvent] = []
    func note(_ reason: FrameEvent.Reason, count: Int = 1, at time: PresentationTime) {
      events.append(
        FrameEvent(
          stream: stream, stage: .device, reason: reason, frameNumber: number, count: count,
          presentation: time))
    }

    if flags.contains(.restarted) { (lastSequence, lastTick) = (nil, nil) }
    let repeatsSequence = sequence != nil && sequence == lastSequence
    let repeatsTick = sequence == nil && tick != nil && tick == lastTick
    if repeatsSequence || repeatsTick { flags.insert(.duplicate) }
    // A stream's times must increase. The mapping may step back, and duplicates repeat a time.
    var presentation = time
    if let last = lastPresentation, presentation <= last {
      presentation = PresentationTime(nanoseconds: last.nanoseconds + 1)
    }
    if let sequence, let last = lastSequence, sequence != last {
      switch step(from: last, to: sequence, arrival: arrival) {
      case .forward(let count, let hasWrapped):
        if hasWrapped { note(.wrapped, at: presentation) }
        let missing = count - accountedLosses
        if missing > 0 { note(.dropped, count: missing, at: time) }
      case .wrong: note(.wrongSequence, at: presentation)
      }
    }
    if !isTimeWrong, waitedNanoseconds > periodNanoseconds { flags.insert(.late) }
    if flags.contains(.damaged) { note(.damaged, at: presentation) }
    if flags.contains(.duplicate) { note(.duplicate, at: presentation) }
    if flags.contains(.late) { note(.late, at: presentation) }
    if isTimeWrong {
      wrongStamps.note(frameNumber: number, at: presentation)
      // Long runs are reported early, so that a crash does not lose them.
      if wrongStamps.count == Self.longestRow, let event = wrongStamps.close() { events.append(event) }
    } else if let event = wrongStamps.close() {
      events.insert(event, at: 0)
    }
    lastSequence = sequence ?? lastSequence
    lastTick = tick ?? lastTick
    lastPresentation = presentation
    lastArrival = arrival
    return (number, flags, presentation, events)
  }

  /// Returns the open events. Call after the last frame.
  package mutating func finish() -> [FrameEvent] { wrongStamps.close().map { [$0] } ?? [] }

  private enum Step {
    case forward(skipped: Int, hasWrapped: Bool)
    /// Backwards, or farther ahead than elapsed time explains: says nothing about lost frames.
    case wrong
  }

  private func step(from last: UInt64, to sequence: UInt64, arrival: PresentationTime) -> Step {
    if sequence > last {
      let skipped = sequence - last - 1
      let elapsed = max(0, arrival.nanoseconds - (lastArrival ?? arrival).nanoseconds)
      let most = elapsed / max(1, periodNanoseconds) * Self.gapFactor + Self.gapAllowance
      guard skipped <= UInt64(most) else { return .wrong }
      return .forward(skipped: Int(skipped), hasWrapped: false)
    }
    guard last < Self.sequenceRange else { return .wrong }
    let distance = Self.sequenceRange - last + sequence
    guard distance <= Self.wrapReach else { return .wrong }
    return .forward(skipped: Int(distance) - 1, hasWrapped: true)
  }
}
