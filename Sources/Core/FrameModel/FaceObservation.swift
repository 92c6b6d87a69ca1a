package struct FaceObservation: Hashable, Sendable {
  /// A rectangle in pixels of the colour frame, origin at the top left. May exceed the frame.
  package struct Box: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double
    package init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
    package var centerX: Double { x + width / 2 }
    package var centerY: Double { y + height / 2 }

    /// Intersection over union, 0 to 1.
    package func overlap(with other: Box) -> Double {
      let across = min(x + width, other.x + other.width) - max(x, other.x)
      let down = min(y + height, other.y + other.height) - max(y, other.y)
      guard across > 0, down > 0 else { return 0 }
      let both = across * down
      return both / (width * height + other.width * other.height - both)
    }
  }

  package var box: Box
  /// 0 to 1.
  package var confidence: Double
  /// Radians; nil if the detector gives none. Roll grows as the head leans to the picture's right
  /// (clockwise as seen), yaw as it turns to the picture's right, pitch as it looks down.
  package var roll: Double?
  package var pitch: Double?
  package var yaw: Double?
  /// Name, version and parameters of the detector: "simulated", "lbp-cascade scale=1.2 minimum=80".
  package var detector: String
  /// 0 if the detector saw the face in this frame; otherwise how many frames ago it last did.
  package var framesSinceSeen: Int

  package init(
    box: Box, confidence: Double, roll: Double?, pitch: Double?, yaw: Double?, detector: String,
    framesSinceSeen: Int = 0
  ) {
    self.box = box
    self.confidence = confidence
    self.roll = roll
    self.pitch = pitch
    self.yaw = yaw
    self.detector = detector
    self.framesSinceSeen = framesSinceSeen
  }
}
