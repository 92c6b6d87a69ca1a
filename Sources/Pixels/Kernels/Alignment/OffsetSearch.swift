/// Searches the offset at which profiles of all directions have their peaks.
///
/// An offset (x, y) moves the peak of direction n to n · (x, y) + growth.
struct OffsetSearch {
  /// Offsets are in 1/16 depth pixel.
  static let unit = 16

  struct Offset {
    var x: Int
    var y: Int
    var growth: Int
  }

  /// By direction and place, smoothed over about two pixels.
  private let profiles: [Int]
  private static let length = EdgeProfiles.length

  init(_ profiles: EdgeProfiles, groups: [Int]) {
    var sums = [Int](repeating: 0, count: EdgeDirection.count * Self.length)
    for group in groups {
      for place in sums.indices { sums[place] += profiles.sums[group * sums.count + place] }
    }
    self.profiles = Self.smoothed(Self.smoothed(sums))
  }

  /// A box of 7 samples along each profile, not divided; edges are repeated.
  private static func smoothed(_ sums: [Int]) -> [Int] {
    sums.indices.map { place in
      let (first, here) = (place / length * length, place % length)
      return (-3...3).reduce(0) { $0 + sums[first + min(max(here + $1, 0), length - 1)] }
    }
  }

  func score(_ offset: Offset) -> Int {
    // 1024 to a sample: a vector's length times `unit`, over 4 samples in a pixel.
    let fraction = EdgeDirection.unit * Self.unit / EdgeProfiles.steps
    let middle = EdgeProfiles.reach * EdgeProfiles.steps
    var sum = 0
    for (direction, vector) in EdgeDirection.vectors.enumerated() {
      let along = vector.x * offset.x + vector.y * offset.y + offset.growth * EdgeDirection.unit
      let place = min(max(along + middle * fraction, 0), (Self.length - 1) * fraction - 1)
      let first = direction * Self.length + place / fraction
      sum += profiles[first] * (fraction - place % fraction) + profiles[first + 1] * (place % fraction)
    }
    return sum
  }

  /// The best offset within `OffsetEstimate.range`, by ever finer grids; of equal ones, the first.
  func best() -> Offset {
    let range = OffsetEstimate.range
    var best = best(around: Offset(x: 0, y: 0, growth: 0), step: Self.unit, count: range, growthCount: 2)
    for step in [Self.unit / 4, Self.unit / 16] { best = self.best(around: best, step: step, count: 4, growthCount: 4) }
    return best
  }

  private func best(around middle: Offset, step: Int, count: Int, growthCount: Int) -> Offset {
    var (found, highest) = (middle, Int.min)
    for growth in -growthCount...growthCount {
      for y in -count...count {
        for x in -count...count {
          let offset = Offset(
            x: middle.x + x * step, y: middle.y + y * step, growth: middle.growth + growth * step)
          let score = score(offset)
          if score > highest { (found, highest) = (offset, score) }
        }
      }
    }
    return found
  }

  /// The highest score more than 3 pixels away, with the same growth.
  func bestAway(from best: Offset) -> Int {
    let (range, unit) = (OffsetEstimate.range, Self.unit)
    var highest = Int.min
    for y in -range...range {
      for x in -range...range {
        let (awayX, awayY) = (x * unit - best.x, y * unit - best.y)
        guard awayX * awayX + awayY * awayY > 9 * unit * unit else { continue }
        highest = max(highest, score(Offset(x: x * unit, y: y * unit, growth: best.growth)))
      }
    }
    return highest
  }
}
