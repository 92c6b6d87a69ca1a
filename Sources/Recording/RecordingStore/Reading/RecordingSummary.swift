import FrameModel

/// What `retake info` shows of a recording: counts and times, from the index alone.
package struct RecordingSummary: Hashable, Sendable {
  package struct Stream: Hashable, Sendable {
    package var description: StreamDescription
    package var frameCount: Int
    package var damagedCount: Int
    package var firstPresentation: PresentationTime?
    package var lastPresentation: PresentationTime?
    /// Bytes of its frames before and after encoding.
    package var rawByteCount: Int
    package var storedByteCount: Int
    package var clock: ClockFacts

    /// As recorded: frames over the time from the first to the last.
    package var measuredFramesPerSecond: Double? {
      guard let first = firstPresentation, let last = lastPresentation, frameCount > 1, last > first else {
        return nil
      }
      return Double(frameCount - 1) / (Double(last.nanoseconds - first.nanoseconds) / 1e9)
    }
  }

  /// How many frames a stage lost or found wanting, and why.
  package struct Loss: Hashable, Sendable {
    package var stream: Int
    package var stage: String
    package var reason: String
    package var count: Int
  }

  /// What a face detector, or the device itself, did.
  package struct Faces: Hashable, Sendable {
    package var stream: Int
    /// Name, version and parameters.
    package var detector: String
    /// Frames that it looked at, and in how many of them it saw a face.
    package var lookedCount: Int
    package var faceFrameCount: Int
    /// Frames that it did not come to look at.
    package var skippedCount: Int
  }

  package var streams: [Stream]
  package var chunkFileCount: Int
  package var storedByteCount: Int
  package var frameSetCount: Int
  /// By stream and detector; those whose every frame another looked at afterwards are left out.
  package var faces: [Faces]
  package var losses: [Loss]

  /// Frames with a face.
  package var faceFrameCount: Int { faces.reduce(0) { $0 + $1.faceFrameCount } }

  /// From the first frame to the end of the last one's period.
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
