/// A rectangle on the back wall; metres.
struct WallRectangle: Sendable {
  let low: SIMD2<Float>
  let high: SIMD2<Float>

  var size: SIMD2<Float> { high - low }

  func contains(_ point: Vector3) -> Bool {
    point.x > low.x && point.x < high.x && point.y > low.y && point.y < high.y
  }

  /// A point's position in the rectangle, from (0, 0) at the upper left to (1, 1).
  func place(of point: Vector3) -> SIMD2<Float> { (SIMD2(point.x, point.y) - low) / size }

  /// Distance from the nearest edge in metres, for a position inside.
  func edge(_ place: SIMD2<Float>) -> Float {
    min(min(place.x, 1 - place.x) * size.x, min(place.y, 1 - place.y) * size.y)
  }
}
