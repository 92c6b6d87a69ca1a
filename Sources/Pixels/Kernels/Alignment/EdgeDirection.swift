/// Directions of edges: 32 unit vectors, evenly spaced.
enum EdgeDirection {
  static let count = 32
  /// Vectors have this length.
  static let unit = 256

  /// Cosines of the first quarter.
  private static let cosines = [256, 251, 237, 213, 181, 142, 98, 50, 0]

  static let vectors: [(x: Int, y: Int)] = (0..<count).map { (cosine($0), cosine($0 + 3 * count / 4)) }

  private static func cosine(_ direction: Int) -> Int {
    let place = direction % count
    let mirrored = min(place, count - place)
    return mirrored <= count / 4 ? cosines[mirrored] : -cosines[count / 2 - mirrored]
  }

  /// The direction nearest to a vector; of equally near ones, the first.
  static func nearest(x: Int, y: Int) -> Int {
    var (best, found) = (Int.min, 0)
    for (direction, vector) in vectors.enumerated() {
      let product = vector.x * x + vector.y * y
      if product > best { (best, found) = (product, direction) }
    }
    return found
  }
}
