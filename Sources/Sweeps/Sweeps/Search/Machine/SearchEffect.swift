/// Whether a parameter changed any score, judged by settings that differ in nothing else.
package struct SearchEffect: Hashable, Sendable {
  /// Pairs with scores that are equal to the bit on every unit that both were scored on, and others.
  package var sameCount = 0
  package var differentCount = 0

  /// One pair may be a coincidence of the frames.
  package var isNone: Bool { sameCount >= 2 && differentCount == 0 }
}

extension SearchEffect {
  /// By axis.
  /// - Parameters:
  ///   - points: of settings that have scores, by index.
  ///   - setting: only pairs with this one; nil for all pairs.
  ///   - areSame: whether two settings have the same scores.
  static func all(
    _ points: [SearchLattice.Point], of setting: Int? = nil, areSame: (Int, Int) -> Bool
  ) -> [SearchEffect] {
    (points.first ?? []).indices.map { axis in
      var groups: [SearchLattice.Point: [Int]] = [:]
      for (number, point) in points.enumerated() {
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

extension SearchMachine {
  /// By axis, of all settings that were scored, and of each of some beside others.
  func effects(of settings: [Int]) -> (all: [SearchEffect], each: [[SearchEffect]]) {
    let none = problem.lattice.axes.map { _ in SearchEffect() }
    let scored = points.indices.filter { !scores[$0].isEmpty && !hasFailed($0) }
    guard !scored.isEmpty else { return (none, settings.map { _ in none }) }
    func effects(of place: Int?) -> [SearchEffect] {
      SearchEffect.all(scored.map { points[$0] }, of: place) { areSame(scored[$0], scored[$1]) }
    }
    return (effects(of: nil), settings.map { scored.firstIndex(of: $0).map { effects(of: $0) } ?? none })
  }
}
