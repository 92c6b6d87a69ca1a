/// Relief of the face over the egg-shaped skull: brow, eye sockets, nose, cheeks, lips and chin.
enum FaceRelief {
  /// Metres at (u, v) in the head's coordinates.
  static func height(_ u: Float, _ v: Float) -> Float {
    let side = u.magnitude
    var h: Float = 0
    h += 0.004 * Shape.spot(side - 0.026, v + 0.021, 0.032, 0.014)  // brow
    h -= 0.011 * Shape.spot(side - 0.032, v + 0.001, 0.024, 0.018)  // eye socket
    h += 0.006 * Shape.spot(side - 0.032, v, 0.018, 0.012)  // eyeball
    h += 0.006 * Shape.spot(side - 0.043, v - 0.034, 0.030, 0.028)  // cheek
    h -= 0.004 * Shape.spot(side - 0.046, v - 0.072, 0.020, 0.030)  // hollow below it
    h += nose(u, v)
    h += 0.004 * Shape.spot(u, v - 0.0715, 0.024, 0.006)  // upper lip
    h += 0.005 * Shape.spot(u, v - 0.0810, 0.021, 0.007)  // lower lip
    h -= 0.003 * Shape.spot(u, v - 0.0755, 0.024, 0.003)  // between them
    h -= 0.004 * Shape.spot(u, v - 0.0910, 0.026, 0.007)  // above the chin
    h += 0.008 * Shape.spot(u, v - 0.1030, 0.026, 0.018)  // chin
    return h
  }

  private static func nose(_ u: Float, _ v: Float) -> Float {
    let along = ((v + 0.012) / 0.058).clamped(0, 1)
    let underside = 1 - v.smoothstep(0.045, 0.055)
    let halfWidth = 0.0090 + 0.0085 * along
    let across = max(0, 1 - (u / halfWidth) * (u / halfWidth))
    let start = v.smoothstep(-0.022, -0.004)
    let ridge =
      (0.004 + 0.015 * along * along.squareRoot()) * across * across.squareRoot() * underside * start
    let tip = 0.007 * Shape.spot(u, v - 0.042, 0.013, 0.014) * underside
    let wing = 0.007 * Shape.spot(u.magnitude - 0.0135, v - 0.0455, 0.009, 0.009)
    return ridge + tip + wing
  }
}
