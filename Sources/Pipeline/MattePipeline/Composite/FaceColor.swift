import FrameModel
import Kernels
import Parameters

/// A colour made of the first face's angles (seed system D.20 and D.21): red of roll, blue of pitch, green of yaw. It is kept
/// until the next face.
struct FaceColor {
  /// Nil before the first face.
  private(set) var color: RGBColor?

  /// - Returns: whether the colour is another one now.
  mutating func update(_ faces: [FaceObservation]) -> Bool {
    guard let face = faces.first else { return false }
    let next = Self.color(roll: face.roll, pitch: face.pitch, yaw: face.yaw)
    defer { color = next }
    return next != color
  }

  /// Radians; an angle that is not known gives 0.
  static func color(roll: Double?, pitch: Double?, yaw: Double?) -> RGBColor {
    let (half, quarter) = (Double.pi, Double.pi / 2)
    return RGBColor(
      red: intensity(roll, reach: half), green: intensity(yaw, reach: quarter),
      blue: intensity(pitch, reach: quarter))
  }

  /// (v − m) / (M − m) with M = 0.8 · reach and m = −reach + 0.2 · M, clamped, and rounded to the nearest of 255 steps.
  private static func intensity(_ angle: Double?, reach: Double) -> UInt8 {
    guard let angle, !angle.isNaN else { return 0 }
    let most = 0.8 * reach
    let least = -reach + 0.2 * most
    let part = (angle - least) / (most - least)
    return UInt8((min(max(part, 0), 1) * 255).rounded(.toNearestOrAwayFromZero))
  }
}
