import Support

/// The comic print's halftone screens: thresholds per pixel and colour, above which it is paper.
///
/// The dots of each ink have their own angle, so that they do not cover each other: 14° for cyan
/// (red), 76° for magenta (green), 0° for yellow (blue). Their tangents are rational, so the
/// screens repeat exactly. A threshold is ½ + (cos u + cos v)/4, where u and v grow by 2π from dot
/// to dot in the screen's two directions.
package struct ComicScreens: Sendable {
  /// Pixels after which all three screens repeat, in x and y.
  package let period: Int
  /// `period` rows of `period` + 16 pixels of four samples, the last one 0.
  package let samples: KernelTable<Int16>

  /// - Parameter height: of the picture; dots grow with it, from a spacing of 4 pixels.
  init(height: Int) {
    let unit = max(1, (height + 240) / 360)
    let period = 68 * unit
    let directions = [(4 * unit, unit), (unit, 4 * unit), (4 * unit, 0)]
    let turns = directions.map { a, b in
      let length = a * a + b * b
      return (0..<length).map { PortableMath.cos(2 * PortableMath.pi * Double($0) / Double(length)) }
    }
    func threshold(_ x: Int, _ y: Int, _ channel: Int) -> Int16 {
      guard channel < 3 else { return 0 }
      let (a, b) = directions[channel]
      let waves = turns[channel]
      let u = (a * x + b * y) % waves.count
      let v = ((a * y - b * x) % waves.count + waves.count) % waves.count
      let exact = 0.5 + (waves[u] + waves[v]) / 4
      return Int16((exact * Double(SoftPlane.one)).rounded(.toNearestOrEven))
    }
    self.period = period
    let rowLength = 4 * (period + 16)
    samples = KernelTable(
      (0..<period * rowLength).map { threshold($0 % rowLength / 4, $0 / rowLength, $0 % 4) })
  }
}
