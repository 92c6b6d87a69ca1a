import FrameModel
import Support

/// Finds a head's roll from the line between its eyes.
struct EyeFinder {
  private let cascade: CascadeFile

  init(_ cascade: CascadeFile) { self.cascade = cascade }

  /// Radians, clockwise in the picture; nil without a plausible pair of eyes.
  func roll(in picture: GreyImage, face: FaceObservation.Box) throws(RetakeError) -> Double? {
    guard let left = try eye(in: picture, face, from: 0.08, to: 0.50),
      let right = try eye(in: picture, face, from: 0.50, to: 0.92)
    else { return nil }
    return Self.roll(left: left, right: right, faceWidth: face.width)
  }

  /// - Returns: nil for implausible eyes, and for a head that leans too far to be detected.
  static func roll(left: (x: Double, y: Double), right: (x: Double, y: Double), faceWidth: Double) -> Double? {
    let (across, down) = (right.x - left.x, right.y - left.y)
    let distance = (across * across + down * down).squareRoot()
    guard distance > 0.22 * faceWidth, distance < 0.65 * faceWidth, across > 0, abs(down) < 0.7 * across else {
      return nil
    }
    return PortableMath.atan2(down, across)
  }

  private func eye(
    in picture: GreyImage, _ face: FaceObservation.Box, from: Double, to: Double
  ) throws(RetakeError) -> (x: Double, y: Double)? {
    let region = FaceObservation.Box(
      x: face.x + from * face.width, y: face.y + 0.15 * face.height, width: (to - from) * face.width,
      height: 0.45 * face.height)
    let search = CascadeFile.Search(region: region, sides: (face.width / 6, face.width / 3), scale: 1.2)
    let found = try cascade.matches(in: picture, search, neighbors: 2)
    return found.first.map { ($0.box.centerX, $0.box.centerY) }
  }
}
