import Scores

/// A reference for `MovementFinder` that applies the definition pixel by pixel.
struct PlainMovement {
  /// Pixels that moved, without their surroundings.
  private(set) var moved = PlainPixels(count: 0)
  private(set) var stillCount = 0
  private var still: [Bool] = []
  let width: Int
  let height: Int

  /// - Parameters:
  ///   - picture, before: packed RGB.
  ///   - truths: of both frames, and their pixels to judge; nil without.
  ///   - depth: of both frames; `place` is where a pixel of the picture lies in it.
  init(
    _ picture: [UInt8], after before: [UInt8], width: Int, height: Int,
    truths: (now: [UInt8], before: [UInt8], judged: [[UInt8]])? = nil,
    depth: (now: [UInt16], before: [UInt16], grid: DepthGrid)? = nil
  ) {
    (self.width, self.height) = (width, height)
    moved = PlainPixels(count: width * height)
    func difference(_ x: Int, _ y: Int, _ channel: Int) -> Int {
      let i = 3 * (min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)) + channel
      return Int(picture[i]) - Int(before[i])
    }
    let changes = (0..<width * height).map { i in
      (0..<3).reduce(0) { sum, channel in
        var all = 0
        for y in -1...1 { for x in -1...1 { all += difference(i % width + x, i / width + y, channel) } }
        return sum + abs(all)
      }
    }
    let levels = changes.indices.map { Int(picture[3 * $0 + 1]) / 32 }
    let median = Self.median(changes)
    let limits = (0..<8).map { level in
      let own = changes.indices.filter { levels[$0] == level }.map { changes[$0] }
      let middle = 256 * own.count < changes.count ? median : Self.median(own)
      return min(max(7 * min(middle, 2 * median), 54), 324)
    }
    let depthMoved = depth.map { Self.moved($0.now, $0.before, $0.grid) }
    for i in changes.indices {
      var hasMoved = changes[i] > limits[levels[i]]
      if let truths {
        hasMoved = hasMoved || abs(Int(truths.now[i]) - Int(truths.before[i])) > 8
      } else if let depthMoved, let grid = depth?.grid {
        hasMoved = hasMoved || depthMoved[Int(grid.rows[i / width]) * grid.width + Int(grid.columns[i % width])]
      }
      if hasMoved { moved.insert(i) }
    }
    let radius = max(1, (8 * width + 320) / 640)
    let near = PlainContour(pixels: changes.indices.filter(moved.contains), width: width, height: height)
      .neighborhood(radius: radius)
    still = changes.indices.map { i in
      !near.contains(i) && (truths?.judged.allSatisfy { $0[i] != 0 } ?? true)
    }
    stillCount = still.count { $0 }
  }

  func isStill(_ pixel: Int) -> Bool { still[pixel] }

  /// The lower median; values above 63 count as 63.
  private static func median(_ values: [Int]) -> Int {
    values.isEmpty ? 0 : min(63, values.sorted()[(values.count - 1) / 2])
  }

  private static func moved(_ now: [UInt16], _ before: [UInt16], _ grid: DepthGrid) -> [Bool] {
    let jumps = now.indices.map { i in
      let (a, b) = (Double(now[i]), Double(before[i]))
      let z = max(a, b) / 1000
      let limit = 3 * 2.0.squareRoot() * (1.2 + 1.9 * (z - 0.4) * (z - 0.4)) + 3.07 * z * z
      return a > 0 && b > 0 && abs(a - b) > limit.rounded(.up)
    }
    return now.indices.map { i in
      var count = 0
      for y in max(0, i / grid.width - 2)...min(grid.height - 1, i / grid.width + 2) {
        for x in max(0, i % grid.width - 2)...min(grid.width - 1, i % grid.width + 2) where jumps[y * grid.width + x] {
          count += 1
        }
      }
      return count > 12
    }
  }
}
