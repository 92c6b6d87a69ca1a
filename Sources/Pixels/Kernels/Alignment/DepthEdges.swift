/// Finds where near surfaces end before farther ones, to a fraction of a pixel.
///
/// Beside a near surface, structured-light sensors see shadows: holes on one side. An edge is
/// therefore placed by the near surface alone; what is farther only has to follow within the length
/// of a shadow.
package struct DepthEdges {
  package struct Edge: Hashable, Sendable {
    /// In 1/256 depth pixel; (0, 0) is the centre of the first pixel.
    package var x: Int
    package var y: Int
    /// From near to far; an index of `EdgeDirection.vectors`.
    package var direction: Int
  }

  private let width: Int
  private let height: Int
  /// Offsets within a disc of radius 4.5 pixels.
  private static let disc: [(x: Int, y: Int)] = (-4...4).flatMap { y in
    (-4...4).compactMap { x in x * x + y * y <= 20 ? (x, y) : nil }
  }
  private static let margin = 5
  /// A shadow's greatest length, pixels.
  private static let longestShadow = 24
  /// Pixels to examine in a frame; of more, evenly spread ones are examined.
  private static let candidateLimit = 40_000

  package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// Finds edges, from top to bottom.
  /// - Parameter depth: width x height millimetres, 0 = hole.
  package func find(_ depth: UnsafePointer<UInt16>) -> [Edge] {
    let candidates = candidates(depth)
    let step = max(1, (candidates.count + Self.candidateLimit - 1) / Self.candidateLimit)
    return stride(from: 0, to: candidates.count, by: step).compactMap { edge(depth, candidates[$0]) }
  }

  /// Whether a value is clearly behind a surface.
  private func isFar(_ value: UInt16, from near: UInt16) -> Bool { Int(value) * 100 > Int(near) * 108 }

  /// Measured pixels beside a hole or something farther.
  private func candidates(_ depth: UnsafePointer<UInt16>) -> [Int] {
    guard width > 2 * Self.margin, height > 2 * Self.margin else { return [] }
    var found: [Int] = []
    for y in Self.margin..<height - Self.margin {
      for place in y * width + Self.margin..<(y + 1) * width - Self.margin where depth[place] != 0 {
        let near = depth[place]
        func ends(_ neighbor: UInt16) -> Bool { neighbor == 0 || isFar(neighbor, from: near) }
        if ends(depth[place - 1]) || ends(depth[place + 1]) || ends(depth[place - width]) || ends(depth[place + width])
        {
          found.append(place)
        }
      }
    }
    return found
  }

  private func edge(_ depth: UnsafePointer<UInt16>, _ place: Int) -> Edge? {
    let near = Int(depth[place])
    var (count, sumX, sumY) = (0, 0, 0)
    for offset in Self.disc {
      let value = Int(depth[place + offset.y * width + offset.x])
      guard value * 100 < near * 104, value * 100 > near * 90 else { continue }
      count += 1
      sumX += offset.x
      sumY += offset.y
    }
    // Half a disc of radius r has the first moment 2/3 r³. At corners it is less.
    guard sumX * sumX + sumY * sumY >= Self.leastMoment * Self.leastMoment else { return nil }
    let direction = EdgeDirection.nearest(x: -sumX, y: -sumY)
    let vector = EdgeDirection.vectors[direction]
    // A straight edge at distance d from the disc's centre adds 2 r d to half its area.
    let distance = (2 * count - Self.disc.count) * 256 / 18
    guard distance.magnitude < 256 else { return nil }
    let (x, y) = (place % width, place / width)
    guard isBeforeFar(depth, x, y, vector, UInt16(near)) else { return nil }
    return Edge(
      x: x * 256 + vector.x * distance / EdgeDirection.unit, y: y * 256 + vector.y * distance / EdgeDirection.unit,
      direction: direction)
  }

  private static let leastMoment = 52

  /// Whether the first measured pixel beyond the edge is farther.
  private func isBeforeFar(
    _ depth: UnsafePointer<UInt16>, _ x: Int, _ y: Int, _ vector: (x: Int, y: Int), _ near: UInt16
  ) -> Bool {
    for step in 2...Self.longestShadow {
      let column = x + (vector.x * step + 128) >> 8
      let row = y + (vector.y * step + 128) >> 8
      guard (0..<width).contains(column), (0..<height).contains(row) else { return false }
      let value = depth[row * width + column]
      if value != 0 { return isFar(value, from: near) }
    }
    return false
  }
}
