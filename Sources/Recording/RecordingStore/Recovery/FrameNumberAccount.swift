import FrameModel

/// Which numbers of each stream's frames are missing, so that every one has an event.
///
/// A recorder numbers what it writes without gaps, so a missing number is a frame that was written and can no longer be read.
/// A repair writes an event for it; that event then stands before the stream's next frame, or at the end, and is not made
/// again.
struct FrameNumberAccount {
  private struct Stream {
    /// The least number that the next frame can have.
    var nextNumber = 0
    /// Lost frames that events report, and frames that could not be read, since the stream's last frame.
    var reportedCount = 0
    var unreadableCount = 0
  }
  private var streams: [Stream]
  private var latest = PresentationTime(nanoseconds: 0)

  init(streamCount: Int) {
    streams = Array(repeating: Stream(), count: streamCount)
  }

  var nextNumbers: [Int] { streams.map { $0.nextNumber + $0.reportedCount } }

  /// Whether a frame with this number can come now.
  func isNext(stream: Int, number: Int) -> Bool { number >= streams[stream].nextNumber }

  /// A frame that is there.
  /// - Returns: an event for the numbers before it that are missing and that no event reports.
  mutating func add(stream: Int, number: Int, time: PresentationTime) -> FrameEvent? {
    let known = streams[stream]
    let missing = number - known.nextNumber - known.reportedCount
    streams[stream] = Stream(nextNumber: number + 1)
    latest = max(latest, time)
    guard missing > 0 else { return nil }
    return Self.loss(stream: stream, number: known.nextNumber, count: missing, at: time)
  }

  mutating func add(_ event: FrameEvent) {
    latest = max(latest, event.presentation)
    guard event.stage == .disk, event.reason == .dropped else { return }
    streams[event.stream].reportedCount = min(streams[event.stream].reportedCount + event.count, RecordingLimits.count)
  }

  /// Frames that stand in the file and cannot be read.
  mutating func addUnreadable(stream: Int, count: Int) {
    streams[stream].unreadableCount = min(streams[stream].unreadableCount + count, RecordingLimits.count)
  }

  /// A number that the stream's frames reached once.
  mutating func addKnown(stream: Int, end: Int) {
    streams[stream].unreadableCount = max(streams[stream].unreadableCount, end - streams[stream].nextNumber)
  }

  /// - Returns: events for unreadable frames that no later frame of their streams came after.
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
