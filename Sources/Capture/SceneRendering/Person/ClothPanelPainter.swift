import Support

/// Paints a piece of loosely woven cloth, through which the room shows, with a fringed hem: a scarf's
/// end or a skirt. Origin in the middle of its upper edge, v down, metres.
struct ClothPanelPainter {
  let color: Vector3
  let noise: ValueNoise
  let texel: Float
  var upper: Float
  var lower: Float
  var length: Float
  /// Least opacity of the weave.
  var opacity: Float

  func map(seed: UInt64) -> ReliefMap {
    let half = max(upper, lower) + 0.05
    return ReliefMap(
      ReliefMap.Bounds(minU: -half, maxU: half, minV: -0.03, maxV: length + 0.12), texel: texel, paint: sample,
      retouch: { canvas in drawFringe(seed: seed, on: &canvas) })
  }

  private func half(_ v: Float) -> Float { upper.mixed(with: lower, (v / length).clamped(0, 1)) }

  private func sample(_ u: Float, _ v: Float) -> ReliefMap.Sample {
    let fold = noise(u * 26 + v * 3 + 9, v * 3 + 2)
    let side = half(v) + 0.016 * (noise(v * 20 + 3, 4.5 + u.magnitude * 4) - 0.5) - u.magnitude
    let hem = length + 0.030 * (noise(u * 30 + 7, 1.5) - 0.5) - v
    // The body behind closes the middle and the upper part.
    let sheer = (v / length).smoothstep(0.25, 0.7) * (1 - (side / 0.10).clamped(0, 1) * 0.5)
    let weave = opacity + (1 - opacity) * noise(u * 240, v * 240)
    let coverage =
      Shape.coverage(side, texel * 1.5) * Shape.coverage(hem, texel * 1.5) * Shape.coverage(v + 0.01, texel)
    return ReliefMap.Sample(
      color: color * (0.72 + 0.5 * fold), coverage: coverage * (1 as Float).mixed(with: weave, sheer),
      height: 0.030 + 0.030 * fold)
  }

  private func drawFringe(seed: UInt64, on canvas: inout ReliefMap.Canvas) {
    var generator = SeededGenerator(seed: SeededGenerator.hash(seed, 0x4652_494E))
    let count = Int(lower * 2 / 0.004)
    for thread in 0..<max(1, count) {
      var place = SIMD2(-lower + 0.004 * Float(thread), length - 0.015)
      var direction = SIMD2((generator.nextFloat() - 0.5) * 0.8, 1)
      let bend = (generator.nextFloat() - 0.5) * 40
      let tone = 0.8 + 0.4 * generator.nextFloat()
      let step = max(0.000_5, canvas.texel * 0.4)
      for _ in 0..<Int((0.03 + 0.06 * generator.nextFloat()) / step) {
        canvas.stamp(place.x, place.y, radius: 0.000_9, opacity: 0.5, color: color * tone, height: 0.03)
        let size = (direction.x * direction.x + direction.y * direction.y).squareRoot()
        direction /= max(size, 0.1)
        place += direction * step
        direction += SIMD2(-direction.y * bend, direction.x * bend + 10) * step
      }
    }
  }
}
