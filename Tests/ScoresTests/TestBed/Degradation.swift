import Support

/// A known way in which a matte goes wrong, with levels of growing strength.
enum Degradation: String, CaseIterable {
  case shifted, eroded, dilated, blurred, haloed
  case flickeringEdges = "flickering edges"
  case lagging, holes, specks
  case lostFrames = "lost frames"

  /// The unit of the levels.
  var unit: String {
    switch self {
    case .shifted, .eroded, .dilated, .blurred: "px"
    case .haloed, .flickeringEdges: "of 255"
    case .lagging, .lostFrames: "frames"
    case .holes, .specks: "count"
    }
  }

  /// Levels for a picture 320 pixels wide, whose boundary tolerance is 1 pixel.
  var levels: [Int] {
    switch self {
    case .shifted, .eroded, .dilated: [2, 3, 4]
    case .blurred: [2, 4, 8]
    case .haloed: [15, 40, 100]
    case .flickeringEdges: [20, 60, 120]
    case .lagging: [1, 2, 3]
    case .holes, .specks: [1, 4, 12]
    case .lostFrames: [1, 2, 4]
    }
  }

  /// Degrades the true mattes of a sequence.
  /// - Returns: a matte for each frame, nil where it is lost.
  func applied(to truths: [AlphaPlane], level: Int) -> [AlphaPlane?] {
    truths.indices.map { i in
      let truth = truths[i]
      var random = SeededGenerator(seed: UInt64(i))
      switch self {
      case .shifted: return truth.shifted(by: level)
      case .eroded: return truth.inverted.dilated(by: level).inverted
      case .dilated: return truth.dilated(by: level)
      case .blurred: return truth.blurred(by: level)
      // A veil of 12 pixels round the person.
      case .haloed:
        let veil = truth.dilated(by: 12)
        return truth.combined(veil) { max($0, UInt8(Int($1) * level / 255)) }
      case .flickeringEdges:
        let band = truth.dilated(by: 2).combined(truth.inverted.dilated(by: 2)) { min($0, $1) }
        return truth.combined(band) { alpha, edge in
          edge < 128 ? alpha : UInt8(min(255, max(0, Int(alpha) + random.next(below: 2 * level + 1) - level)))
        }
      case .lagging: return truths[max(0, i - level)]
      case .holes: return punched(truth, level, value: 0)
      case .specks: return punched(truth, level, value: 255)
      case .lostFrames: return (1...level).contains(i) ? nil : truth
      }
    }
  }

  /// Sets squares of 5 × 5 pixels to `value`, at the same places in each frame: inside the person, or away
  /// from it.
  private func punched(_ truth: AlphaPlane, _ count: Int, value: UInt8) -> AlphaPlane {
    let safe = value == 0 ? truth.inverted.dilated(by: 6).inverted : truth.dilated(by: 6).inverted
    var result = truth
    var (left, place) = (count, 0)
    while left > 0 {
      // A grid of 9 pixels: squares do not touch.
      let (x, y) = (place % (truth.width / 9) * 9, place / (truth.width / 9) * 9)
      precondition(y + 7 < truth.height, "no room for \(count) squares")
      place += 1
      let isSafe = (y..<y + 7).allSatisfy { row in (x..<x + 7).allSatisfy { safe[$0, row] == 255 } }
      guard isSafe else { continue }
      for row in y + 1..<y + 6 { for column in x + 1..<x + 6 { result[column, row] = value } }
      left -= 1
    }
    return result
  }
}

/// An 8-bit matte, and operations that degrade it.
struct AlphaPlane {
  let width: Int
  let height: Int
  private(set) var samples: [UInt8]

  init(width: Int, height: Int, _ samples: [UInt8]) {
    precondition(samples.count == width * height)
    (self.width, self.height, self.samples) = (width, height, samples)
  }

  subscript(_ x: Int, _ y: Int) -> UInt8 {
    get { samples[y * width + x] }
    set { samples[y * width + x] = newValue }
  }

  var inverted: AlphaPlane { AlphaPlane(width: width, height: height, samples.map { 255 - $0 }) }

  func combined(_ other: AlphaPlane, _ body: (UInt8, UInt8) -> UInt8) -> AlphaPlane {
    AlphaPlane(width: width, height: height, zip(samples, other.samples).map(body))
  }

  /// Shifts to the right, and half as far down; edges are repeated.
  func shifted(by distance: Int) -> AlphaPlane {
    mapped { self[max(0, $0 - distance), max(0, $1 - distance / 2)] }
  }

  /// The maximum over a square of 2 `radius` + 1 pixels.
  func dilated(by radius: Int) -> AlphaPlane {
    let rows = mapped { x, y in
      (max(0, x - radius)...min(width - 1, x + radius)).reduce(UInt8(0)) { max($0, self[$1, y]) }
    }
    return mapped { x, y in
      (max(0, y - radius)...min(height - 1, y + radius)).reduce(UInt8(0)) { max($0, rows[x, $1]) }
    }
  }

  /// Two box means of 2 `radius` + 1 pixels each way; edges repeat.
  func blurred(by radius: Int) -> AlphaPlane {
    func mean(_ plane: AlphaPlane, _ dx: Int, _ dy: Int) -> AlphaPlane {
      plane.mapped { x, y in
        let sum = (-radius...radius).reduce(radius) {
          $0 + Int(plane[min(max(0, x + $1 * dx), width - 1), min(max(0, y + $1 * dy), height - 1)])
        }
        return UInt8(sum / (2 * radius + 1))
      }
    }
    return mean(mean(mean(mean(self, 1, 0), 0, 1), 1, 0), 0, 1)
  }

  private func mapped(_ body: (Int, Int) -> UInt8) -> AlphaPlane {
    AlphaPlane(width: width, height: height, (0..<width * height).map { body($0 % width, $0 / width) })
  }
}
