import FrameModel

/// Tracks the frame numbers of each stream, so that every missing one gets a drop event.
///
/// A recorder numbers frames without gaps, so a missing number is a frame that can no longer be
/// read. A repair writes the event before the stream's next frame, or at the end. A later repair
/// finds that event and adds no other.
struct FrameNumberAccount {
  private struct Stream {
    /// The lowest possible number of the next frame.
    var nextNumber = 0
    /// Since the stream's last frame: frames that events report as lost, and unreadable frames.
    var reportedCount = 0
    var unreadableCount = 0
    /// Whether chunk files of a ring were removed before the stream's next frame.
    var mayJump = false
  }
  private var streams: [Stream]
  private var latest = PresentationTime(nanoseconds: 0)

  init(streamCount: Int) {
    streams = Array(repeating: Stream(), count: streamCount)
  }

  /// Empty where removed chunk files leave them unknown.
  var nextNumbers: [Int] {
    streams.contains { $0.mayJump } ? [] : streams.map { $0.nextNumber + $0.reportedCount }
  }

  /// Notes that chunk files of a ring were removed here: the frames in them are not lost.
  mutating func allowJump() { for stream in streams.indices { streams[stream].mayJump = true } }

  func isNext(stream: Int, number: Int) -> Bool { number >= streams[stream].nextNumber }

  /// - Returns: an event for missing numbers before the frame that no event reports, or that a ring removed.
  mutating func add(stream: Int, number: Int, time: PresentationTime) -> FrameEvent? {
    let known = streams[stream]
    let missing = number - known.nextNumber - (known.mayJump ? 0 : known.reportedCount)
    streams[stream] = Stream(nextNumber: number + 1)
    latest = max(latest, time)
    guard missing > 0 else { return nil }
    guard !known.mayJump else {
      return FrameEvent(
        stream: stream, stage: .preroll, reason: .notKept, frameNumber: number, count: missing, presentation: time)
    }
    return Self.loss(stream: stream, number: known.nextNumber, count: missing, at: time)
  }

  /// An event without the frames that it reports as unreadable and that came before it, since a chunk file that was missing
  /// when the recording was repaired is back; nil if all are there.
  func unrefuted(_ event: FrameEvent) -> FrameEvent? {
    let foundCount = streams[event.stream].nextNumber - event.frameNumber
    guard Self.isLoss(event), foundCount > 0 else { return event }
    var rest = event
    (rest.frameNumber, rest.count) = (streams[event.stream].nextNumber, event.count - foundCount)
    return rest.count > 0 ? rest : nil
  }

  private static func isLoss(_ event: FrameEvent) -> Bool { event.stage == .disk && event.reason == .dropped }

  mutating func add(_ event: FrameEvent) {
    latest = max(latest, event.presentation)
    guard Self.isLoss(event) else { return }
    streams[event.stream].reportedCount = min(streams[event.stream].reportedCount + event.count, RecordingLimits.count)
  }

  mutating func addUnreadable(stream: Int, count: Int) {
    streams[stream].unreadableCount = min(streams[stream].unreadableCount + count, RecordingLimits.count)
  }

  /// Notes that the stream's frame numbers once reached `end` (exclusive).
  mutating func addKnown(stream: Int, end: Int) {
    streams[stream].unreadableCount = max(streams[stream].unreadableCount, end - streams[stream].nextNumber)
  }

  /// - Returns: events for unreadable frames after the last readable one of their streams.
  mutating func finish() -> [FrameEvent] {
    streams.indices.compactMap { stream in
      let known = streams[stream]
      let missing = known.unreadableCount - known.reportedCount
      guard missing > 0 else { return nil }
      streams[stream].reportedCount += missing
      return Self.loss(stream: stream, number: known.nextNumber, count: missing, at: latest)
    }
  }

  private static func loss(stream: Int, number: Int, count: Int, at time: PresentationTime) -> FrameEvent {
    FrameEvent(stream: stream, stage: .disk, reason: .dropped, frameNumber: number, count: count, presentation: time)
  }
}
