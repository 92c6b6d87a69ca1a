/// Whether a parameter changed any score, judged by settings that differ in nothing else.
package struct SearchEffect: Hashable, Sendable {
  /// Pairs with scores that are equal to the bit on every unit that both were scored on, and others.
  package var sameCount = 0
  package var differentCount = 0

  /// One pair may be a coincidence of the frames.
  package var isNone: Bool { sameCount >= 2 && differentCount == 0 }
}

extension SearchMachine {
  /// By axis.
  /// - Parameter setting: only pairs with this one; nil for all pairs.
  func effects(of setting: Int? = nil) -> [SearchEffect] {
    problem.lattice.axes.indices.map { axis in
      var groups: [SearchLattice.Point: [Int]] = [:]
      for (number, point) in points.enumerated() where !scores[number].isEmpty && !hasFailed(number) {
        var key = point
        key[axis] = -1
        if let setting {
          var own = points[setting]
          own[axis] = -1
          if own != key { continue }
        }
        groups[key, default: []].append(number)
      }
      var effect = SearchEffect()
      for group in groups.values where group.count > 1 {
        // Beside the first, or the given one: all pairs would be too many, and add nothing.
        let first = setting.flatMap { group.contains($0) ? $0 : nil } ?? group[0]
        for other in group where other != first {
          if areSame(first, other) { effect.sameCount += 1 } else { effect.differentCount += 1 }
        }
      }
      return effect
    }
  }
}
