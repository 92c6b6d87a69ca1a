/// Paints the head from the front: origin between the eyes, u to the image's right, v down, metres.
///
/// Heights are above the plane through the ears. Proportions follow the usual drawing canon: eyes
/// half-way down the head, five eye widths across, nose a third and mouth two fifths below them.
struct HeadPainter {
  let look: SceneLook
  let noise: ValueNoise
  let texel: Float

  static let chin: Float = 0.116
  static let crown: Float = -0.114
  static let halfWidth: Float = 0.0780

  func map(seed: UInt64) -> ReliefMap {
    ReliefMap(
      ReliefMap.Bounds(minU: -0.135, maxU: 0.135, minV: -0.175, maxV: 0.145), texel: texel,
      paint: sample,
      retouch: { canvas in HairStrands(seed: seed, color: look.hair).draw(on: &canvas) })
  }

  /// The head from behind: hair down to the nape. The sign of u does not matter.
  func back(seed: UInt64) -> ReliefMap {
    ReliefMap(
      ReliefMap.Bounds(minU: -0.135, maxU: 0.135, minV: -0.175, maxV: 0.145), texel: texel,
      paint: { u, v in
        let skull = skullField(u, v)
        let ear = earField(u, v)
        let hair = hairField(u, v, over: skull.height, fromBehind: true)
        let bare = max(Shape.coverage(skull.distance, texel) * (v < 0.09 ? 1 : 0), ear.coverage)
        return ReliefMap.Sample(
          color: (look.skin * 0.72).mixed(with: hair.color, hair.coverage),
          coverage: bare + (1 - bare) * hair.coverage, height: max(skull.height, hair.height))
      },
      retouch: { canvas in HairStrands(seed: seed ^ 1, color: look.hair).draw(on: &canvas) })
  }

  private func sample(_ u: Float, _ v: Float) -> ReliefMap.Sample {
    let skull = skullField(u, v)
    let face = Shape.coverage(skull.distance, texel)
    let ear = earField(u, v)
    let hair = hairField(u, v, over: skull.height)

    let relief = FaceRelief.height(u, v)
    var color = FaceColors(look: look, noise: noise).color(u, v)
    var height = (skull.height + relief * skull.height.smoothstep(0, 0.05))
    var coverage = face
    if face < 1 {
      let earColor = look.skin * Vector3(0.86, 0.76, 0.74) * (0.8 + 0.25 * ear.inner)
      color = earColor.mixed(with: color, max(face, 1 - ear.coverage))
      coverage = face + (1 - face) * ear.coverage
      height = max(height, ear.coverage * 0.012)
    }
    color = color.mixed(with: hair.color, hair.coverage)
    height = height.mixed(with: max(height, hair.height), hair.coverage)
    coverage += (1 - coverage) * hair.coverage
    if coverage == 0 { color = v < 0.02 ? look.hair : look.skin * 0.7 }
    return ReliefMap.Sample(color: color, coverage: coverage, height: height)
  }

  /// The bare head: signed distance from its outline (> 0 inside, roughly metres) and height.
  private func skullField(_ u: Float, _ v: Float) -> (distance: Float, height: Float) {
    let q = Self.skull(u, v)
    let step: Float = 0.002
    let slopeU = (Self.skull(u + step, v) - q) / step
    let slopeV = (Self.skull(u, v + step) - q) / step
    let slope = max((slopeU * slopeU + slopeV * slopeV).squareRoot(), 2)
    let inside = max(0, 1 - q * q.squareRoot())
    return ((1 - q) / slope, 0.088 * inside.squareRoot())
  }

  /// 0 in the middle, 1 on the outline: an egg that narrows to the jaw.
  static func skull(_ u: Float, _ v: Float) -> Float {
    let t = v > 0 ? v / chin : v / crown
    let narrowing = v > 0 ? 1 - 0.26 * t * t : 1
    let a = u / (halfWidth * narrowing)
    return a * a + t * t * t.squareRoot()
  }

  private func earField(_ u: Float, _ v: Float) -> (coverage: Float, inner: Float) {
    let x = u.magnitude - 0.0765
    let y = v - 0.020
    let q = (x / 0.0125) * (x / 0.0125) + (y / 0.0290) * (y / 0.0290)
    return (Shape.coverage((1 - q) * 0.006, texel), Shape.spot(x - 0.003, y + 0.003, 0.008, 0.020))
  }

  private func hairField(_ u: Float, _ v: Float, over skull: Float, fromBehind: Bool = false) -> (
    coverage: Float, color: Vector3, height: Float
  ) {
    let strand = strands(u, v)
    let lock = noise(u * 55 + 3, v * 48 + 12)
    // The outline: an egg around the skull, frayed by the strands.
    let low: Float = v > -0.02 ? (v + 0.02) * 0.16 : 0
    let a = u / (0.0945 - low)
    let b = (v + 0.020) / 0.128
    let q = a * a + b * b * b.magnitude.squareRoot()
    let outer = (1 - q) * 0.042 + (strand - 0.5) * 0.007 + (lock - 0.5) * 0.007
    // The opening for the face: high forehead, narrow temples, sideburns that end at the ears.
    let t = (v - 0.030) / 0.098
    let across = u / 0.069
    let opening = across * across + t * t * t * t - 1
    let slopeU = across * 29
    let slopeV = t * t * t * 41
    let slope = max((slopeU * slopeU + slopeV * slopeV).squareRoot(), 8)
    // Distance from the hairline, roughly metres, > 0 in the hair.
    let side = opening / slope + 0.004 * noise(u * 60 + 9, 3.5) - (strand - 0.5) * 0.006
    let end = 0.018 + (strand - 0.5) * 0.02 - v
    var coverage = Shape.coverage(outer, max(0.0030, texel * 1.6))
    if fromBehind {
      coverage *= ((end + 0.062) / 0.010 + 0.5).clamped(0, 1)
    } else {
      coverage *= (side / 0.003 + 0.3).clamped(0, 1) * (end / 0.010 + 0.5).clamped(0, 1)
    }
    let sheen = Shape.spot(u + 0.025, v + 0.088, 0.075, 0.026)
    let tone = (0.50 + 0.75 * strand) * (0.80 + 0.45 * lock) + 0.9 * sheen * strand
    let inside = max(0, 1 - q * q.magnitude.squareRoot())
    // The hair rises gently from the hairline, so that a turned head shows no step.
    let crown = 0.100 * inside.squareRoot() + 0.003 * strand + 0.008 * lock
    let rise = fromBehind ? 1 : side.smoothstep(-0.003, 0.026)
    return (coverage, look.hair * tone, skull.mixed(with: crown, rise))
  }

  /// The pattern of combed hair, 0 to 1: fine across the strands, long along them.
  private func strands(_ u: Float, _ v: Float) -> Float {
    let x = u - 0.018
    let y = v + 0.155
    // Strands radiate from a point above the parting, so their direction identifies them.
    let direction = x / (y.magnitude + 0.02)
    let along = (x * x + y * y).squareRoot()
    let fine = noise(direction * 95 + 20, along * 14)
    let broad = noise(direction * 24 + 7, along * 9 + 31)
    return 0.6 * fine + 0.4 * broad
  }
}
