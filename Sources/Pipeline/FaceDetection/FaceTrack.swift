import FrameModel

/// One face from frame to frame, in pixels of the picture that is searched. Causal: it knows what came before, never after.
struct FaceTrack {
  private(set) var box: FaceObservation.Box
  private(set) var confidence: Double
  private(set) var roll = Angle()
  /// The detector's own, where it sees eyes as it sees faces.
  private(set) var seenRoll: Double?
  private(set) var yaw = Angle()
  private(set) var pitch = Angle()
  /// Frames since it was seen, those among them that nobody looked at too, and looks that saw it.
  private(set) var missed = 0
  private(set) var hits = 1
  /// Whether one look is enough to believe in it.
  private let isTrusted: Bool

  /// Frames that a face may be missed in before it is gone: a third of a second of a camera of 30 fps.
  static let mostMissed = 10

  init(_ face: DetectedFace, isTrusted: Bool) {
    box = face.box
    confidence = face.confidence
    seenRoll = face.roll
    self.isTrusted = isTrusted
  }

  /// A false alarm rarely comes twice at the same place.
  var isConfirmed: Bool { isTrusted || hits >= 2 }
  var isGone: Bool { missed > Self.mostMissed || !isConfirmed && missed > 0 }

  mutating func see(_ face: DetectedFace) {
    // Steady where it stands still, and no lag where it moves: the weight of the new box grows with the way it moved.
    let moved =
      max(abs(face.box.centerX - box.centerX), abs(face.box.centerY - box.centerY), abs(face.box.width - box.width))
      / box.width
    let weight = missed > 0 ? 1 : min(1, 0.35 + 5 * moved)
    let sizeWeight = missed > 0 ? 1 : min(1, 0.25 + 2 * moved)
    let center = (
      x: box.centerX + weight * (face.box.centerX - box.centerX),
      y: box.centerY + weight * (face.box.centerY - box.centerY)
    )
    let width = box.width + sizeWeight * (face.box.width - box.width)
    let height = box.height + sizeWeight * (face.box.height - box.height)
    box = FaceObservation.Box(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
    confidence = face.confidence
    seenRoll = face.roll
    missed = 0
    hits += 1
  }

  /// Not seen this time: the box stays, and is believed a little less.
  /// - Parameter frameCount: since the last look, this one among them.
  mutating func miss(frameCount: Int = 1) {
    missed += frameCount
    confidence *= 0.8
  }

  mutating func turn(roll: Double?, yaw: Double?, pitch: Double?) {
    self.roll.update(roll)
    self.yaw.update(yaw)
    self.pitch.update(pitch)
  }

  /// An angle that is smoothed over about two looks, and forgotten after five without.
  struct Angle {
    private(set) var value: Double?
    private var age = 0

    mutating func update(_ new: Double?) {
      if let new {
        value = value.map { $0 + 0.5 * (new - $0) } ?? new
        age = 0
      } else {
        age += 1
        if age > 5 { value = nil }
      }
    }
  }
}
