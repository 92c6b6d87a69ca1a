/// Paints an open palm: origin in the wrist, v towards the fingertips, the thumb at u > 0.
struct HandPainter {
  let look: SceneLook
  let noise: ValueNoise
  let texel: Float

  private struct Finger {
    let root: SIMD2<Float>
    let tip: SIMD2<Float>
    let radius: Float
  }

  private static let fingers = [
    Finger(root: SIMD2(0.029, 0.085), tip: SIMD2(0.043, 0.148), radius: 0.0087),
    Finger(root: SIMD2(0.010, 0.090), tip: SIMD2(0.014, 0.163), radius: 0.0090),
    Finger(root: SIMD2(-0.010, 0.088), tip: SIMD2(-0.014, 0.155), radius: 0.0085),
    Finger(root: SIMD2(-0.028, 0.080), tip: SIMD2(-0.041, 0.132), radius: 0.0076),
    Finger(root: SIMD2(0.026, 0.036), tip: SIMD2(0.066, 0.086), radius: 0.0105),
  ]

  func map() -> ReliefMap {
    ReliefMap(
      ReliefMap.Bounds(minU: -0.065, maxU: 0.092, minV: -0.055, maxV: 0.190), texel: texel, paint: sample)
  }

  private func sample(_ u: Float, _ v: Float) -> ReliefMap.Sample {
    let wrist = Shape.segment(u, v, from: SIMD2(0, -0.040), to: SIMD2(0, 0.030))
    var distance = 0.0235 + 0.005 * wrist.along - wrist.distance
    var height = round(wrist.distance, 0.026, 0.020)
    // The palm is a rounded block that widens towards the fingers.
    let halfWidth = 0.030 + 0.0085 * v.smoothstep(0.02, 0.07)
    let du = max(0, u.magnitude - halfWidth + 0.018)
    let dv = max(0, (v - 0.055).magnitude - 0.040 + 0.018)
    let palm = 0.018 - (du * du + dv * dv).squareRoot()
    distance = max(distance, palm)
    height = max(height, 0.017 * (palm / 0.018).clamped(0, 1).squareRoot())
    height -= 0.005 * Shape.spot(u + 0.004, v - 0.055, 0.022, 0.024)  // hollow of the palm
    height += 0.007 * Shape.spot(u - 0.022, v - 0.038, 0.020, 0.028)  // ball of the thumb

    var shade: Float = 1
    for finger in Self.fingers {
      let place = Shape.segment(u, v, from: finger.root, to: finger.tip)
      let radius = finger.radius * (1.06 - 0.22 * place.along)
      distance = max(distance, radius - place.distance)
      height = max(height, round(place.distance, radius, radius) + 0.004)
      // Creases of the joints, and a dark seam where fingers meet.
      for joint in [Float(0.08), 0.42, 0.72] where place.distance < radius {
        shade *= 1 - 0.14 * Shape.spot(place.along - joint, 0, 0.035, 1)
      }
      let seam = (radius - place.distance).magnitude
      shade *= 1 - 0.20 * (1 - (seam / 0.0022).clamped(0, 1)) * (palm > 0.004 ? 0 : 1)
    }
    for (from, to) in [
      (SIMD2<Float>(0.030, 0.062), SIMD2<Float>(-0.020, 0.072)),
      (SIMD2<Float>(0.028, 0.058), SIMD2<Float>(-0.010, 0.036)),
      (SIMD2<Float>(0.024, 0.060), SIMD2<Float>(0.004, 0.014)),
    ] {
      let line = Shape.segment(u, v, from: from, to: to)
      shade *= 1 - 0.20 * (1 - (line.distance / 0.0016).clamped(0, 1))
    }
    shade *= 0.97 + 0.05 * noise(u * 200 + 3, v * 200 + 3)
    let rosy = Vector3(1.02, 0.95, 0.94)
    return ReliefMap.Sample(
      color: look.skin * rosy * shade, coverage: Shape.coverage(distance, texel), height: max(0, height)
    )
  }

  private func round(_ distance: Float, _ radius: Float, _ depth: Float) -> Float {
    depth * max(0, 1 - (distance / radius) * (distance / radius)).squareRoot()
  }
}
