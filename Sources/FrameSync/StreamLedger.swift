import FrameModel

/// Keeps account of one stream: what the device skipped, sent twice, sent late or sent damaged.
package struct StreamLedger: Sendable {
  private let stream: Int
  private let periodNanoseconds: Int64
  private var nextNumber = 0
  private var lastSequence: UInt64?
  private var lastTick: Int64?
  private var lastPresentation: PresentationTime?

  package init(stream: Int, rate: FrameRate) {
    self.stream = stream
    periodNanoseconds = rate.periodNanoseconds
  }

  /// The number that the next frame of this stream gets.
  package var frameNumber: Int { nextNumber }

  /// Gives a frame its number and says what was wrong before and with it.
  /// - Parameters:
  ///   - accountedLosses: frames since the last one that are known to be lost on their way here; a gap in the sequence
  ///     beyond them was left by the device.
  ///   - time: when it was taken, and `arrival` when it came, on the recording's time line.
  package mutating func admit(
    sequence: UInt64?, tick: Int64?, flags: FrameFlags, accountedLosses: Int, time: PresentationTime,
    arrival: PresentationTime
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

    let repeatsSequence = sequence != nil && sequence == lastSequence
    let repeatsTick = sequence == nil && tick != nil && tick == lastTick
    if repeatsSequence || repeatsTick { flags.insert(.duplicate) }
    if let sequence, let last = lastSequence, sequence > last {
      let missing = Int(clamping: sequence - last - 1) - accountedLosses
      if missing > 0 { note(.dropped, count: missing, at: time) }
    }
    // Presentation times of a stream grow, so that they order its frames; the mapping may step back a little while it
    // learns, and a duplicate has its original's time.
    var presentation = time
    if let last = lastPresentation, presentation <= last {
      presentation = PresentationTime(nanoseconds: last.nanoseconds + 1)
    }
    if arrival.nanoseconds - time.nanoseconds > periodNanoseconds { flags.insert(.late) }
    if flags.contains(.damaged) { note(.damaged, at: presentation) }
    if flags.contains(.duplicate) { note(.duplicate, at: presentation) }
    if flags.contains(.late) { note(.late, at: presentation) }
    lastSequence = sequence ?? lastSequence
    lastTick = tick ?? lastTick
    lastPresentation = presentation
    return (number, flags, presentation, events)
  }
}
