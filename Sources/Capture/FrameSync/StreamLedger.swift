import FrameModel

/// Keeps account of one stream: what the device skipped, sent twice, sent late, sent damaged, or numbered and stamped
/// wrongly.
package struct StreamLedger: Sendable {
  /// Drivers count in 32 bits.
  private static let sequenceRange: UInt64 = 1 << 32
  /// A counter near the end of its range that comes to the beginning has wrapped, and lost no more than these.
  private static let wrapReach: UInt64 = 1 << 20
  private static let longestRow = 256
  /// A device may send this many times faster than it said, and so many frames more.
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

  /// The number that the next frame of this stream gets.
  package var frameNumber: Int { nextNumber }

  /// Gives a frame its number and says what was wrong before and with it.
  /// - Parameters:
  ///   - accountedLosses: frames since the last one that are known to be lost on their way here; a gap in the sequence
  ///     beyond them was left by the device.
  ///   - time: when it was taken, and `arrival` when it came, on the recording's time line.
  ///   - isTimeWrong: the device's stamp was not believed. Such frames in a row are one event, when the row ends or is
  ///     long.
  ///   - waitedNanoseconds: how much longer than the quickest frame's way its own was; nil for all of it.
  package mutating func admit(
    sequence: UInt64?, tick: Int64?, flags: FrameFlags, accountedLosses: Int, time: PresentationTime,
    arrival: PresentationTime, isTimeWrong: Bool = false, waitedNanoseconds: Int64? = nil
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
    // Presentation times of a stream grow, so that they order its frames; the mapping may step back a little while it
    // learns, and a duplicate has its original's time.
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
    let waited = waitedNanoseconds ?? arrival.nanoseconds - time.nanoseconds
    if !isTimeWrong, waited > periodNanoseconds { flags.insert(.late) }
    if flags.contains(.damaged) { note(.damaged, at: presentation) }
    if flags.contains(.duplicate) { note(.duplicate, at: presentation) }
    if flags.contains(.late) { note(.late, at: presentation) }
    if isTimeWrong {
      wrongStamps.note(frameNumber: number, at: presentation)
      // A camera may give wrong ones for ever; a crash is not to lose all that was told.
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

  /// No more frames: what is still open.
  package mutating func finish() -> [FrameEvent] { wrongStamps.close().map { [$0] } ?? [] }

  private enum Step {
    case forward(skipped: Int, hasWrapped: Bool)
    /// Back, or further on than the time explains: the number says nothing about frames.
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
