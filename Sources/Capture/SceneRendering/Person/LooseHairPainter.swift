import Support

/// Paints long loose hair that falls over the shoulders, with single strands that stand off. Origin
/// between the eyes, u to the side, v down, metres.
struct LooseHairPainter {
  let look: SceneLook
  let noise: ValueNoise
  let texel: Float

  /// - Parameter isOpen: leaves face and neck free, as seen from the front.
  func map(seed: UInt64, isOpen: Bool) -> ReliefMap {
    ReliefMap(
      ReliefMap.Bounds(minU: -0.27, maxU: 0.27, minV: -0.24, maxV: 0.42), texel: texel,
      paint: { u, v in sample(u, v, isOpen) },
      retouch: { canvas in drawStrands(seed: seed, on: &canvas) })
  }

  /// Half of the hair's width at a height, before locks make it uneven.
  private static func halfWidth(_ v: Float) -> Float {
    guard v > -0.145 else { return 0 }
    let t = (v + 0.145) / 0.135
    let dome = 0.112 * max(0, 1 - (1 - t.clamped(0, 1)) * (1 - t.clamped(0, 1))).squareRoot()
    return dome + 0.028 * v.smoothstep(0, 0.16) - 0.030 * v.smoothstep(0.18, 0.34)
  }

  private func sample(_ u: Float, _ v: Float, _ isOpen: Bool) -> ReliefMap.Sample {
    let strand = noise(u * 190 + 8 * noise(u * 9 + 31, v * 13), v * 9 + 7)
    let lock = noise(u * 34 + 2 * noise(u * 7, v * 11), v * 15 + 40)
    let curl = noise(u * 46 + 21, v * 44 + 9)
    let width = Self.halfWidth(v) + 0.024 * (curl - 0.5) + 0.020 * (lock - 0.5)
    let side = width - u.magnitude
    // Ends thin out, lock by lock.
    let end = 0.235 + 0.13 * lock + 0.05 * strand - v
    var coverage = (side / 0.016 + 0.35).clamped(0, 1) * (end / 0.055).clamped(0, 1)
    // Above the crown, uneven locks alone would make a spike.
    coverage *= v.smoothstep(-0.150, -0.125)
    // Between locks near the outline the room shows through.
    let thin = (1 - (side / 0.035).clamped(0, 1)) * (1 - (lock * 0.5 + strand * 0.5).smoothstep(0.35, 0.55))
    coverage *= 1 - 0.75 * thin
    if isOpen {
      coverage *= ((u.magnitude - 0.050 + 0.012 * (lock - 0.5)) / 0.006).clamped(0, 1).mixed(
        with: 1, 1 - v.smoothstep(0.05, 0.07))
    }
    let tone = (0.50 + 0.75 * strand) * (0.75 + 0.55 * lock)
    let round = max(0, 1 - (u / 0.15) * (u / 0.15)).squareRoot()
    return ReliefMap.Sample(
      color: look.hair * tone, coverage: coverage, height: 0.030 * round + 0.02 * lock + 0.004 * strand)
  }

  private func drawStrands(seed: UInt64, on canvas: inout ReliefMap.Canvas) {
    var generator = SeededGenerator(seed: SeededGenerator.hash(seed, 0x4C4F_4F53))
    for _ in 0..<900 {
      let isRight = generator.nextFloat() < 0.5
      let v = -0.130 + 0.40 * generator.nextFloat()
      let sign: Float = isRight ? 1 : -1
      let place = SIMD2(sign * (Self.halfWidth(v) - 0.012 * generator.nextFloat()), v)
      let length = 0.012 + 0.11 * generator.nextFloat() * generator.nextFloat()
      let direction = SIMD2(
        sign * (0.35 + 0.9 * generator.nextFloat()), v < -0.06 ? -0.7 : 0.7 - 0.9 * generator.nextFloat())
      let bend = (generator.nextFloat() - 0.5) * 70
      let radius = 0.000_35 + 0.000_6 * generator.nextFloat()
      let opacity = 0.45 + 0.5 * generator.nextFloat()
      let tone = 0.7 + 0.8 * generator.nextFloat()
      canvas.drawStrand(
        from: place, direction, length: length, bend: bend, fall: 14, radius: radius, opacity: opacity,
        color: look.hair * tone, height: 0.012)
    }
  }
}
