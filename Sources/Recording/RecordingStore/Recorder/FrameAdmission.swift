import FrameModel
import FrameSync

/// Places captured frames on the recording's time line and accounts for each stream's losses.
package struct FrameAdmission {
  /// A frame's number, times and flags, with the events that precede it.
  package struct Admitted {
    package var number: Int
    package var timestamps: FrameTimestamps
    package var flags: FrameFlags
    package var events: [FrameEvent]
  }

  /// CLOCK_MONOTONIC at presentation time 0, set by the first frame or loss.
  package private(set) var origin: MonotonicTime?
  private var ledgers: [StreamLedger]
  private var clocks: StreamClocks
  /// By stream, reported losses since its last frame.
  private var accountedLosses: [Int]

  package init(streams: [StreamDescription]) {
    ledgers = streams.enumerated().map { StreamLedger(stream: $0.offset, rate: $0.element.rate) }
    clocks = StreamClocks(streams: streams)
    accountedLosses = streams.map { _ in 0 }
  }

  /// - Parameters:
  ///   - droppedBefore: frames of this stream that the queue dropped since its last frame.
  ///   - end: frames at or after this time are not admitted; nil for no end.
  /// - Returns: nil for a frame at or after the end.
  package mutating func admit(_ frame: CapturedFrame, stream: Int, droppedBefore: Int, end: Int64?) -> Admitted? {
    // Only recorded frames may update the clock mapping, so that it can be rebuilt from the
    // recording.
    let known = end == nil ? nil : clocks
    let (reading, tick) = clocks.read(
      stream: stream, deviceTick: frame.deviceTick, arrival: frame.arrival, flags: frame.flags)
    let time = presentation(of: frame.taken ?? reading.time)
    if let end, let known, time.nanoseconds >= end {
      clocks = known
      return nil
    }
    let skipped = accountedLosses[stream] + droppedBefore
    accountedLosses[stream] = 0
    let entry = ledgers[stream].admit(
      sequence: frame.deviceSequence, tick: tick, flags: frame.flags, accountedLosses: skipped, time: time,
      arrival: presentation(of: frame.arrival), isTimeWrong: reading.isWrong,
      waitedNanoseconds: reading.waitedNanoseconds)
    var events = entry.events
    if droppedBefore > 0 {
      events.insert(
        FrameEvent(
          stream: stream, stage: .queue, reason: .dropped, frameNumber: entry.number, count: droppedBefore,
          presentation: entry.presentation), at: 0)
    }
    return Admitted(
      number: entry.number,
      timestamps: FrameTimestamps(
        deviceTick: frame.deviceTick, unwrappedTick: tick, arrival: frame.arrival,
        presentation: entry.presentation), flags: entry.flags, events: events)
  }

  package mutating func admit(_ loss: CaptureLoss, stream: Int) -> FrameEvent {
    // Lost packets are not lost frames; their frames are reported separately.
    if loss.reason != .lostPackets { accountedLosses[stream] += loss.count }
    return FrameEvent(
      stream: stream, stage: .device, reason: loss.reason, frameNumber: ledgers[stream].frameNumber,
      count: loss.count, presentation: presentation(of: loss.arrival))
  }

  /// Returns the remaining events of every stream. Call after the last frame.
  package mutating func finish() -> [FrameEvent] { ledgers.indices.flatMap { ledgers[$0].finish() } }

  package func nextNumber(stream: Int) -> Int { ledgers[stream].frameNumber }

  /// Converts a host time; the first call sets the origin.
  private mutating func presentation(of host: MonotonicTime) -> PresentationTime {
    let origin = self.origin ?? host
    self.origin = origin
    return PresentationTime(nanoseconds: host.nanoseconds - origin.nanoseconds)
  }
}
