/// Colours of the face under even light: skin with ambient shadows, brows, eyes, lips. Cascade
/// detectors need eyes darker than cheeks and forehead, a light bridge of the nose, a dark mouth.
struct FaceColors {
  let look: SceneLook
  let noise: ValueNoise

  /// At (u, v) in the head's coordinates, metres.
  func color(_ u: Float, _ v: Float) -> Vector3 {
    var color = skin(u, v)
    color = paintMouth(on: color, u, v)
    color = paintBrow(on: color, u, v)
    color = paintEye(on: color, u, v)
    return color
  }

  private func skin(_ u: Float, _ v: Float) -> Vector3 {
    let side = u.magnitude
    var light: Float = 1
    light *= 1 - 0.29 * Shape.spot(side - 0.031, v + 0.003, 0.031, 0.022)  // eye socket
    light *= 1 - 0.26 * Shape.spot(side - 0.0150, v - 0.001, 0.010, 0.020)  // between eye and nose
    light *= 1 - 0.10 * Shape.spot(side - 0.030, v - 0.0155, 0.016, 0.005)  // below the lid
    light *= 1 + 0.09 * Shape.spot(u, v - 0.014, 0.0085, 0.040)  // ridge of the nose
    light *= 1 + 0.10 * Shape.spot(u + 0.002, v - 0.040, 0.007, 0.007)  // its tip
    light *= 1 - 0.16 * Shape.spot(side - 0.0185, v - 0.046, 0.006, 0.013)  // beside the wings
    light *= 1 - 0.30 * Shape.spot(u, v - 0.0555, 0.019, 0.0065)  // below the nose
    light *= 1 - 0.62 * Shape.spot(side - 0.0072, v - 0.0515, 0.0048, 0.0034)  // nostrils
    light *= 1 - 0.10 * Shape.spot(side - 0.024, v - 0.060, 0.006, 0.018)  // fold to the mouth
    light *= 1 - 0.20 * Shape.spot(u, v - 0.0900, 0.021, 0.0055)  // below the lip
    light *= 1 + 0.07 * Shape.spot(side - 0.041, v - 0.028, 0.026, 0.022)  // cheekbone
    light *= 1 + 0.06 * Shape.spot(u, v + 0.045, 0.045, 0.026)  // forehead
    light *= 1 - 0.22 * (-v).smoothstep(0.052, 0.076)  // below the hair
    light *= 1 - 0.16 * side.smoothstep(0.050, 0.078)  // towards the ears
    light *= 0.985 + 0.03 * noise(u * 420 + 5, v * 420 + 5)  // pores
    let blush =
      0.5 * Shape.spot(side - 0.043, v - 0.037, 0.028, 0.024) + 0.4 * Shape.spot(u, v - 0.041, 0.014, 0.014)
    let tint = Vector3(1.01, 0.93, 0.92)
    // Shadows in skin are redder than the lit skin.
    let warm = Vector3(1, 1, 1).mixed(with: Vector3(1.02, 0.94, 0.91), (1 - light).clamped(0, 0.5) * 2)
    return look.skin * light * warm * Vector3(1, 1, 1).mixed(with: tint, blush)
  }

  private func paintMouth(on under: Vector3, _ u: Float, _ v: Float) -> Vector3 {
    let side = u.magnitude
    let x = side / 0.0255
    guard x < 1.15 else { return under }
    let taper = max(0, 1 - x * x)
    let line = 0.0760 - 0.0026 * x * x - 0.0008 * (1 - (side / 0.006).clamped(0, 1))
    let bow = 0.0062 * taper + 0.0010 * Shape.spot(side - 0.006, 0, 0.006, 1)
    let upper = Shape.coverage(v - (line - bow), 0.0012) * Shape.coverage(line - v, 0.0006)
    let lower =
      Shape.coverage(line + 0.0092 * taper.squareRoot() * taper.squareRoot() - v, 0.0018)
      * Shape.coverage(v - line, 0.0006)
    let lip = look.skin * Vector3(0.86, 0.60, 0.60)
    var color = under.mixed(with: lip * 0.86, upper * 0.85)
    let gloss = 1 + 0.16 * Shape.spot(u + 0.004, v - 0.0805, 0.010, 0.0028)
    color = color.mixed(with: lip * 1.04 * gloss, lower * 0.80)
    let gap =
      Shape.coverage(0.0011 * taper + 0.0004 - (v - line).magnitude, 0.0008) * (1.12 - x).clamped(0, 1)
    return color.mixed(with: look.skin * Vector3(0.34, 0.20, 0.20), min(1, gap * 1.6) * 0.9)
  }

  private func paintBrow(on under: Vector3, _ u: Float, _ v: Float) -> Vector3 {
    let side = u.magnitude
    let x = (side - 0.034) / 0.0215
    guard x.magnitude < 1 else { return under }
    let middle = -0.0205 - 0.0038 * (1 - (x - 0.15) * (x - 0.15))
    let thickness = 0.0034 * (1 - 0.55 * max(0, x)) * max(0, 1 - x * x * x * x).squareRoot()
    let hairs = noise(side * 900 + v * 500, v * 240)
    let cover = ((thickness - (v - middle).magnitude) / 0.0016 + 0.5).clamped(0, 1) * (0.72 + 0.28 * hairs)
    return under.mixed(with: look.hair * 0.95, cover * 0.92)
  }

  private func paintEye(on under: Vector3, _ u: Float, _ v: Float) -> Vector3 {
    let side = u.magnitude
    let x = (side - 0.0320) / 0.0150
    guard x.magnitude < 1.5, v.magnitude < 0.016 else { return under }
    let taper = max(0, 1 - x * x)
    let tilt = -0.0006 * x  // outer corners a little higher
    let top = tilt - 0.0062 * taper
    let bottom = tilt + 0.0046 * taper
    let open = Shape.coverage(v - top, 0.0007) * Shape.coverage(bottom - v, 0.0007)
    var color = under
    let fold =
      Shape.coverage(0.0008 - (v - (top - 0.0036 + 0.001 * x * x)).magnitude, 0.0016) * taper.squareRoot()
    color = color * (1 - 0.35 * fold)
    if open > 0 {
      let dx = side - 0.0318
      let dy = v + 0.0006
      let radius = (dx * dx + dy * dy).squareRoot()
      var eye = Vector3(0.88, 0.86, 0.84) * (1 - 0.34 * (1 - (v - top) / 0.006).clamped(0, 1))
      eye = eye * (1 - 0.18 * x * x)
      let rim = radius.smoothstep(0.0035, 0.0062)
      eye = eye.mixed(with: look.iris * (1.25 - 0.85 * rim), Shape.coverage(0.0061 - radius, 0.0008))
      eye = eye.mixed(with: Vector3(0.03, 0.03, 0.03), Shape.coverage(0.0026 - radius, 0.0008))
      // The window's reflection lies on the same side of both eyes.
      let glint = Shape.spot(u - (u > 0 ? 0.0300 : -0.0340), v + 0.0026, 0.0017, 0.0017)
      eye = eye.mixed(with: Vector3(1, 1, 1), min(1, glint * 1.5))
      color = color.mixed(with: eye, open)
    }
    let lash =
      Shape.coverage(0.0011 - (v - top + 0.0004).magnitude, 0.0009) * (1.2 - x.magnitude).clamped(0, 1)
    let lowerLash =
      Shape.coverage(0.0004 - (v - bottom).magnitude, 0.0010) * (1.05 - x.magnitude).clamped(0, 1)
    color = color.mixed(with: look.hair * 0.35, min(1, lash * 1.3))
    return color * (1 - 0.35 * lowerLash)
  }
}
