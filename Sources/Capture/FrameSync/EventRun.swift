import FrameModel

/// Merges consecutive similar events into one.
struct EventRun: Sendable {
  private let stream: Int
  private let stage: FrameEvent.Stage
  private let reason: FrameEvent.Reason
  private var open: FrameEvent?

  init(stream: Int, stage: FrameEvent.Stage, reason: FrameEvent.Reason) {
    self.stream = stream
    self.stage = stage
    self.reason = reason
  }

  var count: Int { open?.count ?? 0 }

  /// Adds one frame; the first determines the event's frame number and time.
  mutating func note(frameNumber: Int, at time: PresentationTime) {
    if open == nil {
      open = FrameEvent(
        stream: stream, stage: stage, reason: reason, frameNumber: frameNumber, count: 0, presentation: time)
    }
    open!.count += 1
  }

  mutating func close() -> FrameEvent? {
    defer { open = nil }
    return open
  }
}
