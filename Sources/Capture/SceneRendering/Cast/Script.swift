import Support

/// The path of one person through a scene, repeated for ever.
struct Script: Sendable {
  struct Key: Sendable {
    var time: Double
    var x: Float
    var z: Float
    var heading: Double

    init(_ time: Double, _ x: Float, _ z: Float, _ heading: Double) {
      (self.time, self.x, self.z, self.heading) = (time, x, z, heading)
    }
  }

  var keys: [Key]
  /// Seconds from one start to the next.
  var period: Double
  var isSeated = false
  var looseHair = false
  var looseCloth = false
  var blackCloth = false

  /// Height of the pit of the neck of a person who stands, or sits at a desk.
  private static let standing = SceneRoom.floorY - 1.44
  private static let seated: Float = 0.070

  /// - Parameter mirrored: swaps left and right.
  /// - Returns: nil while the person is away.
  func stance(at time: Double, mirrored: Bool) -> Stance? {
    guard time >= 0, let first = keys.first, let last = keys.last else { return nil }
    let now = time - (time / period).rounded(.down) * period
    guard now >= first.time, now < last.time else { return nil }
    var gait = 0.0
    for (a, b) in zip(keys, keys.dropFirst()) {
      let share = ((now - a.time) / (b.time - a.time)).clamped(0, 1)
      let (dx, dz) = (b.x - a.x, b.z - a.z)
      let distance = Double((dx * dx + dz * dz).squareRoot())
      gait += share * distance / 1.3
      guard now < b.time else { continue }
      let smooth = share * share * (3 - 2 * share)
      let speed = Float(distance / (b.time - a.time))
      let sign: Float = mirrored ? -1 : 1
      let sway = Float(PortableMath.sin(now * 1.7))
      return Stance(
        x: sign * (a.x + dx * Float(share)) + (isSeated ? 0.018 * sway : 0), z: a.z + dz * Float(share),
        neckY: isSeated ? Self.seated : Self.standing,
        heading: Double(sign) * (a.heading + (b.heading - a.heading) * smooth),
        gait: gait, stride: isSeated ? 0 : min(1, speed / 0.9), isSeated: isSeated, time: now,
        drift: sign * dx / Float(b.time - a.time))
    }
    return nil
  }
}

extension Double {
  func clamped(_ low: Double, _ high: Double) -> Double { Swift.min(Swift.max(self, low), high) }
}
