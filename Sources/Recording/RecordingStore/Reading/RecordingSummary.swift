import FrameModel

/// Counts and times of a recording, read from the index alone, as `retake info` shows them.
package struct RecordingSummary: Hashable, Sendable {
  package struct Stream: Hashable, Sendable {
    package var description: StreamDescription
    package var frameCount: Int
    package var damagedCount: Int
    package var firstPresentation: PresentationTime?
    package var lastPresentation: PresentationTime?
    /// Frame bytes before encoding; `storedByteCount` is after encoding.
    package var rawByteCount: Int
    package var storedByteCount: Int
    package var clock: ClockFacts

    package var measuredFramesPerSecond: Double? {
      guard let first = firstPresentation, let last = lastPresentation, frameCount > 1, last > first else {
        return nil
      }
      return Double(frameCount - 1) / (Double(last.nanoseconds - first.nanoseconds) / 1e9)
    }
  }

  package struct Loss: Hashable, Sendable {
    package var stream: Int
    package var stage: String
    package var reason: String
    package var count: Int

    package var isLoss: Bool { FrameEvent.Reason(rawValue: reason)?.isLoss == true }
  }

  /// Results of one face detector, which may be the device itself.
  package struct Faces: Hashable, Sendable {
    package var stream: Int
    package var detector: String
    /// Frames examined; `faceFrameCount` of them have a face.
    package var lookedCount: Int
    package var faceFrameCount: Int
    package var skippedCount: Int
  }

  package var streams: [Stream]
  package var chunkFileCount: Int
  package var storedByteCount: Int
  package var frameSetCount: Int
  /// By stream and detector. Detectors whose results have all been replaced are left out.
  package var faces: [Faces]
  package var losses: [Loss]

  package var faceFrameCount: Int { faces.reduce(0) { $0 + $1.faceFrameCount } }

  /// Frames, and interruptions of a camera, that the recording lacks.
  package var lostCount: Int {
    losses.reduce(0) { $0 + ($1.isLoss ? $1.count : 0) }
  }

  /// By stream, frames that were not near a mark or that a ring removed.
  package var notKeptCounts: [Int] {
    streams.indices.map { stream in
      losses.reduce(0) { $0 + ($1.stream == stream && $1.reason == FrameEvent.Reason.notKept.rawValue ? $1.count : 0) }
    }
  }

  /// From the first frame to the end of the last frame's period.
  package var durationSeconds: Double {
    var start: Double?
    var end: Double?
    for stream in streams {
      guard let first = stream.firstPresentation, let last = stream.lastPresentation else { continue }
      start = min(start ?? first.seconds, first.seconds)
      let streamEnd = last.seconds + 1 / stream.description.rate.framesPerSecond
      end = max(end ?? streamEnd, streamEnd)
    }
    return (end ?? 0) - (start ?? 0)
  }
}
