/// Share of depth pixels that a structured-light sensor loses on people: where they are dark, and where
/// hair or cloth is so thin that the window of its pattern sees the room too. Owned by one thread.
///
/// Dark: 12 % where the mean level of 7 x 7 pixels is 8 or less, none from 38 on. Thin: up to 70 %, by
/// the share of half-covered pixels among 11 x 11. The outline of a solid body fills a fifth of them.
final class ReflectivityMap {
  private let width: Int
  private let height: Int
  private let strength: Float
  /// Level times alpha, alpha, and half-covered pixels.
  private let planes: [UnsafeMutablePointer<Int32>]
  private let lines: UnsafeMutablePointer<Int32>

  init(_ lens: Pinhole, strength: Double) {
    (width, height, self.strength) = (lens.width, lens.height, Float(strength))
    let count = lens.width * lens.height
    planes = (0..<3).map { _ in
      let plane = UnsafeMutablePointer<Int32>.allocate(capacity: count)
      plane.initialize(repeating: 0, count: count)
      return plane
    }
    lines = .allocate(capacity: max(lens.width, lens.height))
  }

  deinit {
    for plane in planes { plane.deallocate() }
    lines.deallocate()
  }

  func fill(_ loss: UnsafeMutablePointer<Float>, from layers: UnsafePointer<SIMD4<Float>>) {
    for i in 0..<width * height {
      let layer = layers[i]
      let level = 0.30 * layer.x + 0.59 * layer.y + 0.11 * layer.z
      planes[0][i] = (level * 16).nearestInteger
      planes[1][i] = (layer.w * 16).nearestInteger
      planes[2][i] = layer.w > 0.03 && layer.w < 0.97 ? 1 : 0
    }
    for (plane, radius) in zip(planes, [3, 3, 5]) { blur(plane, radius) }
    for i in 0..<width * height {
      let level = Float(planes[0][i]) / Float(max(planes[1][i], 1))
      let dark = ((38 - level) / 30).clamped(0, 1) * 0.12
      let thin = ((Float(planes[2][i]) / 121 - 0.25) / 0.4).clamped(0, 1) * 0.7
      loss[i] = planes[1][i] > 0 ? max(dark, thin) * strength : 0
    }
  }

  /// Sums of squares of side 2 · radius + 1; beyond its edges a plane is 0.
  private func blur(_ plane: UnsafeMutablePointer<Int32>, _ radius: Int) {
    for y in 0..<height { addWindows(plane + y * width, width, step: 1, radius) }
    for x in 0..<width { addWindows(plane + x, height, step: width, radius) }
  }

  private func addWindows(_ start: UnsafeMutablePointer<Int32>, _ count: Int, step: Int, _ radius: Int) {
    for i in 0..<count { lines[i] = start[i * step] }
    var sum: Int32 = 0
    for i in 0..<min(radius, count) { sum &+= lines[i] }
    for i in 0..<count {
      if i + radius < count { sum &+= lines[i + radius] }
      if i - radius - 1 >= 0 { sum &-= lines[i - radius - 1] }
      start[i * step] = sum
    }
  }
}
