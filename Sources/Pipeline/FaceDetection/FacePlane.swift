import Support

/// How a face is turned: the plane that fits the depth of its middle best.
///
/// A face's middle, from brow to upper lip and cheek to cheek, leans as the head does. On the
/// simulated person (an egg with brow, nose and cheeks) the normal follows yaw up to 15 and pitch
/// up to 8 degrees within 5 degrees. A region that reaches the temples or the chin is less
/// accurate. Beyond 40 degrees half of the face is hidden, and there is no result.
package enum FacePlane {
  /// Radius of the face's middle, as a share of the box's width and height.
  static let radius = 0.3
  /// Points farther than this from the median distance are a hand in front, or the wall behind.
  static let reachMeters = 0.12
  /// Points farther than this from the plane are the nose, or outliers.
  static let trimMeters = 0.02
  static let fewestPoints = 60
  static let largestAngle = 0.7

  /// - Parameters:
  ///   - lookedAt: depth pixels examined, measured or not.
  ///   - roll: 0 if unknown.
  /// - Returns: radians with the signs of `FaceObservation`; nil if too few points fit a plane.
  package static func angles(_ points: [DepthView.Point], lookedAt: Int, roll: Double) -> (yaw: Double, pitch: Double)?
  {
    guard points.count >= fewestPoints, points.count * 2 >= lookedAt, let median = medianDistance(points) else {
      return nil
    }
    let near = points.filter { abs($0.z - median) <= reachMeters }
    guard near.count >= fewestPoints, near.count * 2 >= points.count, var plane = fit(near) else { return nil }
    for _ in 0..<3 {
      let kept = near.filter { abs($0.z - plane.z(atX: $0.x, y: $0.y)) <= trimMeters }
      guard kept.count >= fewestPoints, kept.count * 5 >= near.count * 2, let better = fit(kept) else { return nil }
      plane = better
    }
    // The normal towards the camera, with the roll removed; its part along the axis is 1.
    let (cosine, sine) = (PortableMath.cos(roll), PortableMath.sin(roll))
    let across = plane.a * cosine + plane.b * sine
    let down = plane.b * cosine - plane.a * sine
    let yaw = PortableMath.atan2(across, 1)
    let pitch = PortableMath.atan2(down, (across * across + 1).squareRoot())
    guard abs(yaw) <= largestAngle, abs(pitch) <= largestAngle else { return nil }
    return (yaw, pitch)
  }

  static func medianDistance(_ points: [DepthView.Point]) -> Double? {
    guard !points.isEmpty else { return nil }
    let sorted = points.map(\.z).sorted()
    return sorted[(sorted.count - 1) / 2]
  }

  /// z = middle.z + a (x − middle.x) + b (y − middle.y)
  private struct Plane {
    var a: Double
    var b: Double
    var middle: DepthView.Point
    func z(atX x: Double, y: Double) -> Double { middle.z + a * (x - middle.x) + b * (y - middle.y) }
  }

  /// Least squares along z; nil for collinear points.
  private static func fit(_ points: [DepthView.Point]) -> Plane? {
    let count = Double(points.count)
    var middle = DepthView.Point(x: 0, y: 0, z: 0)
    for point in points {
      middle.x += point.x / count
      middle.y += point.y / count
      middle.z += point.z / count
    }
    var (xx, xy, yy, xz, yz) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for point in points {
      let (x, y, z) = (point.x - middle.x, point.y - middle.y, point.z - middle.z)
      xx += x * x
      xy += x * y
      yy += y * y
      xz += x * z
      yz += y * z
    }
    let determinant = xx * yy - xy * xy
    guard determinant > 1e-6 * xx * yy, determinant > 0 else { return nil }
    return Plane(a: (xz * yy - yz * xy) / determinant, b: (yz * xx - xz * xy) / determinant, middle: middle)
  }
}
