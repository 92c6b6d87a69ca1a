import FrameModel

/// A face from frame to frame, in pixels of the searched picture. Depends on earlier frames only.
struct FaceTrack {
  private(set) var box: FaceObservation.Box
  private(set) var confidence: Double
  private(set) var roll = Angle()
  /// The detector's own, if it finds eyes together with faces.
  private(set) var seenRoll: Double?
  private(set) var yaw = Angle()
  private(set) var pitch = Angle()
  /// Frames since the last hit, searched or not; and the number of hits.
  private(set) var missed = 0
  private(set) var hits = 1
  /// Whether one hit is enough.
  private let isTrusted: Bool

  /// A third of a second at 30 fps.
  static let mostMissed = 10

  init(_ face: DetectedFace, isTrusted: Bool) {
    box = face.box
    confidence = face.confidence
    seenRoll = face.roll
    self.isTrusted = isTrusted
  }

  /// A false positive rarely occurs twice at the same place.
  var isConfirmed: Bool { isTrusted || hits >= 2 }
  var isGone: Bool { missed > Self.mostMissed || !isConfirmed && missed > 0 }

  mutating func see(_ face: DetectedFace) {
    // The weight of the new box grows with its distance: steady at rest, no lag in motion.
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

  /// - Parameter frameCount: frames since the last search, including this one.
  mutating func miss(frameCount: Int = 1) {
    missed += frameCount
    confidence *= 0.8
  }

  mutating func turn(roll: Double?, yaw: Double?, pitch: Double?) {
    self.roll.update(roll)
    self.yaw.update(yaw)
    self.pitch.update(pitch)
  }

  /// An angle, smoothed over about two searches, and dropped after more than five without a value.
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
