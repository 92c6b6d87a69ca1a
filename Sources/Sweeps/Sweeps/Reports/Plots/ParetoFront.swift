import Scores

/// Settings that no other setting beats in one measure while it equals or beats them in the other.
package enum ParetoFront {
  package struct Point: Hashable {
    var setting: Int
    /// Lower is better.
    package var x: Double
    package var y: Double

    package init(setting: Int, x: Double, y: Double) {
      (self.setting, self.x, self.y) = (setting, x, y)
    }
  }

  /// - Returns: points by rising x; the first of equal points.
  package static func of(_ points: [Point], _ preference: ScoreKind.Preference) -> [Point] {
    let sign: Double = preference == .lower ? -1 : 1
    let sorted = points.sorted { a, b in
      if a.x != b.x { return a.x < b.x }
      return a.y == b.y ? a.setting < b.setting : sign * a.y > sign * b.y
    }
    var front: [Point] = []
    for point in sorted {
      if let last = front.last, sign * point.y <= sign * last.y { continue }
      front.append(point)
    }
    return front
  }
}
