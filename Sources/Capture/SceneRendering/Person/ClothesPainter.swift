/// Paints the knitted sweater: the torso with the neck in its collar, and the sleeves.
struct ClothesPainter {
  let look: SceneLook
  let noise: ValueNoise
  let texel: Float

  /// Origin in the pit of the neck; u to the image's right, v down, metres.
  func torso() -> ReliefMap {
    ReliefMap(
      ReliefMap.Bounds(minU: -0.27, maxU: 0.27, minV: -0.16, maxV: 0.62), texel: texel, paint: torsoSample)
  }

  private func torsoSample(_ u: Float, _ v: Float) -> ReliefMap.Sample {
    let side = u.magnitude
    let body = torsoHeight(side, v)
    let outline = torsoDistance(side, v)
    let neckDistance = 0.054 + 0.010 * v.smoothstep(-0.06, 0.02) - side
    let neckHeight = 0.060 * max(0, 1 - (side / 0.060) * (side / 0.060)).squareRoot()

    let collar = v + 0.004 + (side / 0.066) * (side / 0.066) * 0.040
    let cloth = Shape.coverage(collar, texel) * Shape.coverage(outline, texel)
    let neck = Shape.coverage(neckDistance, texel) * (v < 0.05 ? 1 : 0)

    let ribbing = collar.smoothstep(0, 0.002) * (1 - collar.smoothstep(0.020, 0.023))
    var color = knit(u, v) * (1 - 0.20 * ribbing)
    if ribbing > 0 {
      let ribs = noise(u * 420, 2.5)
      color *= 1 + 0.16 * (ribs - 0.5) * ribbing
    }
    color *= 1 - 0.35 * (1 - collar.smoothstep(0.0, 0.010)) * cloth
    color *= 1 - 0.16 * Shape.spot(side - 0.150, v - 0.200, 0.060, 0.130)  // below the arms
    let height = cloth > 0 ? body + 0.004 * ribbing : neckHeight
    let coverage = cloth + (1 - cloth) * neck
    return ReliefMap.Sample(
      color: neckColor(side, v).mixed(with: color, cloth), coverage: coverage,
      height: max(height, neckHeight * (1 - cloth)))
  }

  private func neckColor(_ side: Float, _ v: Float) -> Vector3 {
    var light: Float = 0.94
    light *= 1 - 0.50 * (1 - v.smoothstep(-0.085, -0.030))  // the chin's shadow
    light *= 1 - 0.22 * side.smoothstep(0.020, 0.054)
    light *= 1 - 0.12 * Shape.spot(side - 0.012, v + 0.010, 0.010, 0.026)  // hollow between the tendons
    light *= 1 + 0.05 * Shape.spot(side - 0.024, v + 0.020, 0.010, 0.050)
    return look.skin * light * Vector3(1.0, 0.95, 0.92)
  }

  /// Signed distance from the outline of neckline, shoulders and sides, > 0 inside, roughly metres.
  private func torsoDistance(_ side: Float, _ v: Float) -> Float {
    let slope = side < 0.045 ? -0.034 : -0.034 + (side - 0.045) * 0.46 + (side - 0.045) * (side - 0.045) * 0.2
    let t = ((side - 0.150) / 0.065).clamped(0, 1)
    let top = slope + 0.075 * (1 - (1 - t * t).squareRoot())
    let waist = 0.205 - 0.030 * v.smoothstep(0.06, 0.42) + 0.010 * v.smoothstep(0.42, 0.62)
    return min((v - top) * 0.85, waist + 0.01 - side)
  }

  private func torsoHeight(_ side: Float, _ v: Float) -> Float {
    let waist = 0.215 - 0.030 * v.smoothstep(0.06, 0.42)
    let a = side / waist
    let round = max(0, 1 - a * a * a).squareRoot()
    let depth = 0.060 + 0.055 * v.smoothstep(-0.03, 0.16)
    var h = depth * round
    h += 0.010 * Shape.spot(side - 0.075, v - 0.130, 0.090, 0.090)  // chest
    let fold = noise(side * 24 + v * 7, v * 5 + 3) - 0.5
    h += 0.009 * fold * v.smoothstep(0.05, 0.2)
    h += 0.006 * (noise(side * 10 - v * 22 + 40, v * 16 + 11) - 0.5) * v.smoothstep(0.18, 0.34)
    return h
  }

  private func knit(_ u: Float, _ v: Float) -> Vector3 {
    var color = look.cloth
    for (from, to) in [(Float(0.145), Float(0.170)), (0.182, 0.190), (0.125, 0.133)] {
      let band = Shape.coverage(v - from, texel) * Shape.coverage(to - v, texel)
      color = color.mixed(with: look.stripe, band * 0.92)
    }
    let stitch = noise(u * 300, v * 240)
    return color * (0.93 + 0.14 * stitch)
  }

  /// Origin in the shoulder's joint, v towards the elbow.
  func upperArm() -> ReliefMap { sleeve(length: Self.upperArmLength, from: 0.056, to: 0.046, cuff: false) }

  /// Origin in the elbow, v towards the wrist.
  func forearm() -> ReliefMap { sleeve(length: Self.forearmLength, from: 0.047, to: 0.030, cuff: true) }

  static let upperArmLength: Float = 0.27
  static let forearmLength: Float = 0.235

  private func sleeve(length: Float, from start: Float, to end: Float, cuff: Bool) -> ReliefMap {
    let margin = max(start, end) + 0.014
    return ReliefMap(
      ReliefMap.Bounds(minU: -margin, maxU: margin, minV: -margin, maxV: length + margin), texel: texel
    ) { u, v in
      let place = Shape.segment(u, v, from: SIMD2(0, 0), to: SIMD2(0, length))
      let ripple = (noise(v * 42 + 17, u * 9 + 5) - 0.5) * 0.005
      let radius = start.mixed(with: end, place.along) + ripple * (place.along.smoothstep(0, 0.3))
      let inside = max(0, 1 - (place.distance / radius) * (place.distance / radius))
      var color = look.cloth * (0.92 + 0.14 * noise(u * 300 + 13, v * 240))
      var height = radius * inside.squareRoot()
      let nearElbow = cuff ? 1 - place.along : place.along
      height += 0.007 * (noise(u * 16 + v * 26 + 3, v * 30 + 8) - 0.5) * (0.3 + nearElbow) * inside
      if cuff {
        let ribs = Shape.coverage(v - (length - 0.028), texel)
        color *= 1 - ribs * (0.22 + 0.12 * (noise(u * 420, 7.5) - 0.5))
        height += 0.002 * ribs * inside.squareRoot()
      }
      let end = cuff ? length + 0.004 - v : 1
      var coverage = Shape.coverage(min(radius - place.distance, end), texel)
      if !cuff {
        // At the shoulder the sleeve runs into the body, which is at u > 0.
        coverage *= 1 - (u / radius + 0.45).smoothstep(0, 0.9) * (1 - v.smoothstep(-0.02, 0.10))
      }
      return ReliefMap.Sample(color: color, coverage: coverage, height: height)
    }
  }
}
