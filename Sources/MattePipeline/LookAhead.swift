import FrameModel

/// A frame set when its time has come, with what look-ahead knows of the time after it.
struct TimedFrames {
  var frames: FrameSet
  /// Faces of the video frame that the depth came with.
  var depthFaces: [FaceObservation]
  /// The depth frame after the one in force, where it is known.
  var nextDepth: Frame?
}

/// Holds video back for so many frames that depth which comes later can be used.
struct LookAhead {
  init(frameCount: Int) {}

  /// - Returns: nil while it waits.
  mutating func push(_ frames: FrameSet) -> TimedFrames? {
    TimedFrames(frames: frames, depthFaces: frames.faces, nextDepth: nil)
  }

  /// What still waits when no more comes, one at each call.
  mutating func drain() -> TimedFrames? { nil }
}
