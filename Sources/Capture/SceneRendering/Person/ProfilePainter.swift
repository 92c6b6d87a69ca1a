/// Paints the head from its left, looking to u > 0: origin beside the eyes, v down, metres.
struct ProfilePainter {
  let look: SceneLook
  let noise: ValueNoise
  let texel: Float

  func map(seed: UInt64) -> ReliefMap {
    ReliefMap(
      ReliefMap.Bounds(minU: -0.150, maxU: 0.150, minV: -0.175, maxV: 0.145), texel: texel, paint: sample,
      retouch: { canvas in HairStrands(seed: seed ^ 2, color: look.hair).draw(on: &canvas, inProfile: true) })
  }

  /// Distance of the face's outline from the ear's line, metres.
  static func front(_ v: Float) -> Float {
    var u: Float = 0.083 - 0.55 * max(0, -v - 0.055) - 4.2 * max(0, -v - 0.055) * max(0, -v - 0.055)
    u -= 0.004 * Shape.spot(v, 0, 0.018, 1)  // the root of the nose
    u += 0.018 * (v.smoothstep(-0.005, 0.040) * (1 - v.smoothstep(0.040, 0.050)))
    u += 0.006 * Shape.spot(v - 0.071, 0, 0.008, 1) + 0.005 * Shape.spot(v - 0.083, 0, 0.008, 1)  // lips
    u += 0.004 * Shape.spot(v - 0.104, 0, 0.016, 1)  // chin
    return u - 0.5 * max(0, v - 0.108)
  }

  private func sample(_ u: Float, _ v: Float) -> ReliefMap.Sample {
    // The jaw runs from the ear down to the chin.
    let jaw = 0.062 + 0.62 * (u + 0.010).clamped(0, 0.09) - v
    let crown = HeadPainter.crown - 0.010
    let a = (u + 0.014) / 0.100
    let b = v < 0 ? v / crown : v / 0.125
    let skull = (1 - (a * a + b * b * b.magnitude.squareRoot())) * 0.045
    let face = min(min(Self.front(v) - u, jaw), v + 0.110)
    let outline = max(min(skull, 0.115 - v), u > -0.02 ? face : -1)
    let strand = noise(u * 60 + v * 210 + 20, v * 30 - u * 20)
    let lock = noise(u * 48 + 3, v * 40 + 12)
    let hairline = max(0.052 - 0.9 * (v + 0.070).clamped(0, 0.055), 0) - 0.012 * (v > -0.02 ? 1 : 0)
    let hairEnd = u < -0.055 ? Float(0.088) : 0.020
    let tail = Shape.coverage(hairEnd + (strand - 0.5) * 0.02 - v, 0.006)
    let hairBody = (1 - (a * a * 0.87 + b * b * b.magnitude.squareRoot() * 0.85)) * 0.045 + (strand - 0.5) * 0.006
    let hair = Shape.coverage(hairBody, max(0.003, texel * 1.6)) * Shape.coverage(hairline - u, 0.006) * tail
    var color = look.skin * (0.94 - 0.16 * (0.03 - u).clamped(0, 0.1) * 8)
    color *= 1 - 0.30 * Shape.spot(v - 0.108, u - 0.02, 0.020, 0.07)  // below the jaw
    color = color.mixed(with: look.skin * Vector3(0.80, 0.66, 0.64), Shape.spot(u + 0.012, v - 0.018, 0.014, 0.030))
    color = color.mixed(with: look.hair * 0.6, 0.9 * min(1, 2 * Shape.spot(u - 0.064, v, 0.010, 0.006)))  // eye
    color = color.mixed(with: look.hair, 0.8 * min(1, 2 * Shape.spot(u - 0.066, v + 0.022, 0.016, 0.006)))  // brow
    color = color.mixed(
      with: look.skin * Vector3(0.75, 0.48, 0.48), 0.7 * Shape.spot(u - 0.080, v - 0.077, 0.016, 0.008))
    color = color.mixed(with: look.hair * (0.5 + 0.75 * strand) * (0.8 + 0.45 * lock), hair)
    let bare = Shape.coverage(outline, texel)
    let coverage = bare + (1 - bare) * hair
    if coverage == 0 { color = v < 0.03 ? look.hair : look.skin * 0.7 }
    let height = 0.072 * (max(outline, hairBody) / 0.045).clamped(0, 1).squareRoot()
    return ReliefMap.Sample(color: color, coverage: coverage, height: height)
  }
}
