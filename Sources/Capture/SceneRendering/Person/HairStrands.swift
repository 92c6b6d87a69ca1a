import Support

/// Single hairs and small locks beyond the hair's outline, which make the edge hard to matte.
struct HairStrands {
  let seed: UInt64
  let color: Vector3

  /// - Parameter inProfile: for a head that looks to u > 0, whose face has no hair.
  func draw(on canvas: inout ReliefMap.Canvas, inProfile: Bool = false) {
    var generator = SeededGenerator(seed: SeededGenerator.hash(seed, 0x4841_4952))
    for _ in 0..<420 {
      // From ear to ear over the crown: 0 is straight up.
      let angle = Double(generator.nextFloat() * 2 - 1) * 1.95
      let outward = SIMD2(Float(PortableMath.sin(angle)), -Float(PortableMath.cos(angle)))
      var place = SIMD2(outward.x * 0.087, -0.020 + outward.y * 0.120)
      if inProfile {
        guard angle < 0.35 else { continue }
        place = SIMD2(-0.014 + outward.x * 0.098, place.y)
      }
      let length = 0.008 + 0.022 * generator.nextFloat() * generator.nextFloat()
      let lean = (generator.nextFloat() - 0.5) * 1.6
      let direction = SIMD2(outward.x - outward.y * lean, outward.y + outward.x * lean)
      let bend = (generator.nextFloat() - 0.4) * 60
      let radius = 0.000_5 + 0.000_7 * generator.nextFloat()
      let opacity = 0.5 + 0.5 * generator.nextFloat()
      let tone = 0.7 + 0.7 * generator.nextFloat()
      canvas.drawStrand(
        from: place, direction, length: length, bend: bend, fall: 25, radius: radius, opacity: opacity,
        color: color * tone, height: 0.004)
    }
  }
}

extension ReliefMap.Canvas {
  /// Draws one hair, which gets thinner and fainter to its end. Lengths are metres.
  /// - Parameters:
  ///   - bend: radians per metre, by which its curl turns it sideways.
  ///   - fall: how much gravity turns it down per metre.
  mutating func drawStrand(
    from root: SIMD2<Float>, _ start: SIMD2<Float>, length: Float, bend: Float, fall: Float, radius: Float,
    opacity: Float, color: Vector3, height: Float
  ) {
    var (place, direction) = (root, start)
    let step = max(0.000_4, texel * 0.4)
    let count = max(2, Int(length / step))
    for i in 0..<count {
      let along = Float(i) / Float(count)
      // Dots overlap about threefold, so each contributes part of the strand's opacity.
      stamp(
        place.x, place.y, radius: radius * (1.3 - 0.6 * along), opacity: opacity * (1 - 0.6 * along) * 0.7,
        color: color, height: height)
      let size = (direction.x * direction.x + direction.y * direction.y).squareRoot()
      direction /= max(size, 0.1)
      place += direction * step
      direction += SIMD2(-direction.y * bend, direction.x * bend + fall) * step
    }
  }
}
