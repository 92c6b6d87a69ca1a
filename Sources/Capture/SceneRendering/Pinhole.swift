/// A lens. Pixel (column, row) looks along
/// ((column + ½ − centerX) / focalX, (row + ½ − centerY) / focalY, 1).
package struct Pinhole: Hashable, Sendable {
  let width: Int
  let height: Int
  package let focalX: Float
  package let focalY: Float
  package var centerX: Float { Float(width) / 2 }
  package var centerY: Float { Float(height) / 2 }

  /// The ray through a position in pixels; add ½ for a pixel's centre. Its z is 1.
  @inline(__always) func ray(_ x: Float, _ y: Float) -> Vector3 {
    Vector3((x - centerX) / focalX, (y - centerY) / focalY, 1)
  }

  @inline(__always) func project(_ point: Vector3) -> SIMD2<Float> {
    let z = max(point.z, 0.05)
    return SIMD2(centerX + focalX * point.x / z, centerY + focalY * point.y / z)
  }
}

extension Pinhole {
  /// A Kinect's view: focal length 525 pixels at 640x480. Other aspect ratios see more, never less.
  init(width: Int, height: Int) {
    let scale = min(Float(width) / 640, Float(height) / 480)
    self.init(width: width, height: height, focalX: 525 * scale, focalY: 525 * scale)
  }

  /// The same view at another resolution, so that both images are registered.
  init(_ other: Pinhole, width: Int, height: Int) {
    self.init(
      width: width, height: height, focalX: other.focalX * Float(width) / Float(other.width),
      focalY: other.focalY * Float(height) / Float(other.height))
  }
}
