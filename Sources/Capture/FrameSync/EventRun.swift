import FrameModel

/// Merges consecutive similar events into one.
package struct EventRun: Sendable {
  private let stream: Int
  private let stage: FrameEvent.Stage
  private let reason: FrameEvent.Reason
  private var open: FrameEvent?

  package init(stream: Int, stage: FrameEvent.Stage, reason: FrameEvent.Reason) {
    self.stream = stream
    self.stage = stage
    self.reason = reason
  }

  package var count: Int { open?.count ?? 0 }

  /// Adds one frame; the first determines the event's frame number and time.
  package mutating func note(frameNumber: Int, at time: PresentationTime) {
    if open == nil {
      open = FrameEvent(
        stream: stream, stage: stage, reason: reason, frameNumber: frameNumber, count: 0, presentation: time)
    }
    open!.count += 1
  }

  package mutating func close() -> FrameEvent? {
    defer { open = nil }
    return open
  }
}
