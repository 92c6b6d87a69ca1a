/// The depth of an empty scene.
package final class BackgroundPlate {
  /// Lower median of the measurements; 0 if there were none.
  package let millimeters: PixelPlane<UInt16>
  /// How much nearer than the median a pixel came, ignoring the nearest measurements: sensors
  /// flicker at edges and on shiny surfaces.
  package let spread: PixelPlane<UInt16>

  package init(width: Int, height: Int) {
    millimeters = PixelPlane(width: width, height: height)
    spread = PixelPlane(width: width, height: height)
  }

  package enum Hole: String, CaseIterable, Sendable {
    /// Uses the farther of the measurements to the left and right. A camera with a projector beside
    /// it sees shadows beside near objects, and these belong to what is behind.
    case fill
    case person, background
  }

  /// 3 σ of a Kinect's noise at each millimetre.
  static let noise: [UInt16] = (0..<65_536).map { millimeters in
    let noise = 3 * DepthNoise.sigma(millimeters: Double(millimeters))
    return UInt16(min(65_535, noise.rounded(.toNearestOrAwayFromZero)))
  }

  /// Writes each pixel's farthest distance that counts as the person, or 0 for none. It is nearer
  /// than the plate by more than the margin (at least 0) plus the larger of noise and spread.
  /// - Parameters:
  ///   - mostSpread: spreads beyond it, in millimetres, count as this much.
  ///   - divisor: divides the margin and the doubt: limits of what may be the person.
  package func writeLimits(
    marginMillimeters: Int, mostSpread: Int = .max, divisor: Int = 1, holes: Hole, to limits: PixelPlane<UInt16>
  ) {
    let (distances, spreads, out) = (millimeters.samples, spread.samples, limits.samples)
    Self.noise.withUnsafeBufferPointer { noise in
      for i in 0..<millimeters.count {
        let distance = Int(distances[i])
        let doubt = max(Int(noise[distance]), min(Int(spreads[i]), mostSpread))
        out[i] = UInt16(max(0, distance - (marginMillimeters + doubt) / divisor - 1))
      }
    }
    switch holes {
    case .background: break
    case .person: for i in 0..<limits.count where distances[i] == 0 { out[i] = .max }
    case .fill: fill(limits)
    }
  }

  /// Fills each row's holes; an empty row gets the farther of the nearest rows above and below.
  private func fill(_ limits: PixelPlane<UInt16>) {
    let (width, height) = (limits.width, limits.height)
    var lastMeasured: Int?
    for y in 0..<height where fillRow(y, limits) {
      if lastMeasured == nil { copy(limits, from: y, to: 0..<y) }
      if let last = lastMeasured {
        for row in last + 1..<y {
          let (above, below, out) = (limits.row(last), limits.row(y), limits.row(row))
          for x in 0..<width { out[x] = max(above[x], below[x]) }
        }
      }
      lastMeasured = y
    }
    // If the scene was all holes, anything measured is new.
    guard let lastMeasured else { return limits.fill(.max) }
    copy(limits, from: lastMeasured, to: lastMeasured + 1..<height)
  }

  private func copy(_ limits: PixelPlane<UInt16>, from row: Int, to rows: Range<Int>) {
    for y in rows { limits.row(y).update(from: limits.row(row), count: limits.width) }
  }

  /// - Returns: false if nothing in the row was measured; it then stays unchanged.
  private func fillRow(_ y: Int, _ limits: PixelPlane<UInt16>) -> Bool {
    let (distances, out, width) = (millimeters.row(y), limits.row(y), limits.width)
    var x = 0
    while x < width {
      var end = x
      while end < width && distances[end] == 0 { end += 1 }
      if x == 0 && end == width { return false }
      if end > x {
        let farther = max(x > 0 ? out[x - 1] : 0, end < width ? out[end] : 0)
        for i in x..<end { out[i] = farther }
      }
      x = end + 1
    }
    return true
  }
}
