import Support

/// Mattes that are hard on what looks at pixels by words and vectors, and such as there are.
enum TestMattes: CaseIterable {
  case nothing, everything, nearlyHalf, noise, specks, checkerboard, stripes, spiral, person, soft

  /// - Returns: rows without gaps.
  func plane(width: Int, height: Int, seed: UInt64) -> PlainPlane {
    var random = SeededGenerator(seed: seed)
    func made(_ sample: (Int, Int) -> Int) -> PlainPlane {
      PlainPlane(
        (0..<width * height).map { UInt8(min(255, max(0, sample($0 % width, $0 / width)))) }, width: width,
        height: height)
    }
    func distance(_ x: Int, _ y: Int) -> Double {
      let (dx, dy) = (Double(2 * x - width), Double(2 * y - height))
      return (dx * dx + dy * dy).squareRoot()
    }
    let radius = Double(min(width, height)) * 0.6
    switch self {
    case .nothing: return made { _, _ in 0 }
    case .everything: return made { _, _ in 255 }
    case .nearlyHalf: return made { x, _ in 127 + x % 2 }
    case .noise: return made { _, _ in random.next(below: 256) }
    case .specks: return made { _, _ in random.next(below: 12) == 0 ? random.next(below: 256) : 0 }
    case .checkerboard: return made { x, y in (x + y) % 2 * 255 }
    case .stripes: return made { x, y in x % 3 == 0 ? 255 : y % 5 * 50 }
    // Arms that join late, and turn round one another.
    case .spiral:
      return made { x, y in
        let ring = min(min(x, y), min(width - 1 - x, height - 1 - y))
        return ring % 2 == 0 && !(x == ring && y == ring + 1) ? 255 - ring : ring * 3
      }
    case .person:
      return made { x, y in
        let noise = random.next(below: 40) == 0 ? random.next(below: 120) - 60 : 0
        return Int((radius - distance(x, y)) * 40) + 128 + noise
      }
    case .soft: return made { x, y in Int((radius - distance(x + 3, y + 1)) * 6) + 128 }
    }
  }

  static let sizes = [
    [1, 1], [1, 7], [7, 1], [4, 4], [65, 3], [3, 65], [64, 64], [127, 129], [130, 40], [257, 19],
  ]
}
