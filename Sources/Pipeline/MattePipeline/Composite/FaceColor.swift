import FrameModel
import Parameters

/// A colour from the first face's angles, which stays until the next face (D.20, D.21).
package struct FaceColor {
  /// Nil before the first face.
  package private(set) var color: RGBColor?

  /// - Returns: whether the colour changed.
  mutating func update(_ faces: [FaceObservation]) -> Bool {
    guard let face = faces.first else { return false }
    let next = Self.color(roll: face.roll, pitch: face.pitch, yaw: face.yaw)
    defer { color = next }
    return next != color
  }

  /// Radians; an unknown angle gives 0.
  package static func color(roll: Double?, pitch: Double?, yaw: Double?) -> RGBColor {
    let (half, quarter) = (Double.pi, Double.pi / 2)
    return RGBColor(
      red: intensity(roll, reach: half), green: intensity(yaw, reach: quarter),
      blue: intensity(pitch, reach: quarter))
  }

  /// (v − m) / (M − m) with M = 0.8 · reach and m = −reach + 0.2 · M, clamped, as 0 ... 255.
  private static func intensity(_ angle: Double?, reach: Double) -> UInt8 {
    guard let angle, !angle.isNaN else { return 0 }
    let most = 0.8 * reach
    let least = -reach + 0.2 * most
    let part = (angle - least) / (most - least)
    return UInt8((min(max(part, 0), 1) * 255).rounded(.toNearestOrAwayFromZero))
  }
}
