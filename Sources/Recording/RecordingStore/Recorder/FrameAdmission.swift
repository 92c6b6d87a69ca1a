import FrameModel
import FrameSync

/// Puts captured frames on the recording's time line and keeps the account of each stream.
package struct FrameAdmission {
  /// A frame with its number and times, and what was wrong before and with it.
  package struct Admitted {
    package var number: Int
    package var timestamps: FrameTimestamps
    package var flags: FrameFlags
    package var events: [FrameEvent]
  }

  /// CLOCK_MONOTONIC at presentation time 0: the first frame's time.
  package private(set) var origin: MonotonicTime?
  private var ledgers: [StreamLedger]
  private var clocks: StreamClocks
  /// Frames of each stream that were lost since its last one and are accounted for.
  private var accountedLosses: [Int]

  package init(streams: [StreamDescription]) {
    ledgers = streams.enumerated().map { StreamLedger(stream: $0.offset, rate: $0.element.rate) }
    clocks = StreamClocks(streams: streams)
    accountedLosses = streams.map { _ in 0 }
  }

  /// - Parameters:
  ///   - droppedBefore: frames of this stream that the queue had no room for since its last one.
  ///   - end: frames from this time on are not admitted; nil for no end.
  /// - Returns: nil for a frame after the end.
  package mutating func admit(_ frame: CapturedFrame, stream: Int, droppedBefore: Int, end: Int64?) -> Admitted? {
    // Only recorded frames teach the mapping, so that it follows from the recording.
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

  /// Frames that the device lost before there was anything to deliver.
  package mutating func admit(_ loss: CaptureLoss, stream: Int) -> FrameEvent {
    // Packets are no frames: what becomes of theirs is told besides.
    if loss.reason != .lostPackets { accountedLosses[stream] += loss.count }
    return FrameEvent(
      stream: stream, stage: .device, reason: loss.reason, frameNumber: ledgers[stream].frameNumber,
      count: loss.count, presentation: presentation(of: loss.arrival))
  }

  /// No more frames: what was still open of each stream's account.
  package mutating func finish() -> [FrameEvent] { ledgers.indices.flatMap { ledgers[$0].finish() } }

  /// The number that the stream's next frame gets.
  package func nextNumber(stream: Int) -> Int { ledgers[stream].frameNumber }

  /// What comes first sets the origin.
  private mutating func presentation(of host: MonotonicTime) -> PresentationTime {
    let origin = self.origin ?? host
    self.origin = origin
    return PresentationTime(nanoseconds: host.nanoseconds - origin.nanoseconds)
  }
}
