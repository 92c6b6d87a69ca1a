/// Paints trousers and shoes.
struct LegPainter {
  let color: Vector3
  let noise: ValueNoise
  let texel: Float

  static let thighLength: Float = 0.43
  static let shinLength: Float = 0.42

  /// Origin in the hip's joint, v towards the knee.
  func thigh() -> ReliefMap { tube(length: Self.thighLength, from: 0.094, to: 0.066) }

  /// Origin in the knee, v towards the ankle.
  func shin() -> ReliefMap { tube(length: Self.shinLength, from: 0.065, to: 0.052) }

  /// Origin in the ankle, v towards the toes.
  func shoe() -> ReliefMap {
    ReliefMap(ReliefMap.Bounds(minU: -0.07, maxU: 0.07, minV: -0.07, maxV: 0.20), texel: texel) { u, v in
      let place = Shape.segment(u, v, from: SIMD2(0, 0), to: SIMD2(0, 0.14))
      let inside = max(0, 1 - (place.distance / 0.045) * (place.distance / 0.045))
      return ReliefMap.Sample(
        color: Vector3(0.13, 0.11, 0.10) * (0.9 + 0.3 * inside),
        coverage: Shape.coverage(0.045 - place.distance, texel),
        height: 0.045 * inside.squareRoot())
    }
  }

  private func tube(length: Float, from start: Float, to end: Float) -> ReliefMap {
    let margin = start + 0.016
    return ReliefMap(
      ReliefMap.Bounds(minU: -margin, maxU: margin, minV: -margin, maxV: length + margin), texel: texel
    ) { u, v in
      let place = Shape.segment(u, v, from: SIMD2(0, 0), to: SIMD2(0, length))
      let radius = start.mixed(with: end, place.along) + (noise(v * 34 + 17, u * 8 + 5) - 0.5) * 0.008
      let inside = max(0, 1 - (place.distance / radius) * (place.distance / radius))
      let fold = noise(u * 14 + v * 24 + 3, v * 22 + 8) - 0.5
      return ReliefMap.Sample(
        color: color * (0.90 + 0.14 * noise(u * 260 + 13, v * 200) + 0.14 * fold),
        coverage: Shape.coverage(radius - place.distance, texel),
        height: radius * inside.squareRoot() + 0.008 * fold * inside)
    }
  }
}
