/// Orders settings by what they are worth: within the limits first, then by the goal. With several
/// goals by Pareto fronts, and in a front the most isolated first, so that the whole front is kept
/// (Deb et al. 2002).
///
/// Of equal ones the nearest to the current values comes first, then the one touched first.
struct SearchRanking {
  struct Entry {
    var setting: Int
    var value: SearchValue
    var distance: SearchLattice.Distance
  }

  static func ranked(_ entries: [Entry]) -> [Int] {
    guard let first = entries.first else { return [] }
    let within = entries.filter(\.value.isWithinLimits)
    let outside = entries.filter { !$0.value.isWithinLimits }
    let best = first.value.goals.count == 1 ? within.sorted(by: isBefore) : byFronts(within)
    return (best + outside.sorted(by: isBefore)).map(\.setting)
  }

  private static func isBefore(_ a: Entry, _ b: Entry) -> Bool {
    if a.value.violation != b.value.violation { return a.value.violation < b.value.violation }
    for (x, y) in zip(a.value.goals, b.value.goals) where x != y { return (x ?? -.infinity) > (y ?? -.infinity) }
    return isNearer(a, b)
  }

  private static func isNearer(_ a: Entry, _ b: Entry) -> Bool {
    a.distance == b.distance ? a.setting < b.setting : a.distance < b.distance
  }

  private static func byFronts(_ entries: [Entry]) -> [Entry] {
    var left = entries
    var ordered: [Entry] = []
    while !left.isEmpty {
      let isInFront = left.map { entry in !left.contains { $0.value.dominates(entry.value) } }
      let front = zip(left, isInFront).filter(\.1).map(\.0)
      left = zip(left, isInFront).filter { !$0.1 }.map(\.0)
      ordered += byCrowding(front)
    }
    return ordered
  }

  /// By how far the neighbours on the front are apart, the ends first.
  private static func byCrowding(_ front: [Entry]) -> [Entry] {
    guard let first = front.first else { return [] }
    var gaps = [Double](repeating: 0, count: front.count)
    for goal in first.value.goals.indices {
      func value(_ place: Int) -> Double { front[place].value.goals[goal] ?? -1e300 }
      let order = front.indices.sorted { a, b in
        value(a) == value(b) ? isNearer(front[a], front[b]) : value(a) < value(b)
      }
      let span = value(order[order.count - 1]) - value(order[0])
      gaps[order[0]] = .infinity
      gaps[order[order.count - 1]] = .infinity
      guard span > 0, order.count > 2 else { continue }
      for k in 1..<order.count - 1 { gaps[order[k]] += (value(order[k + 1]) - value(order[k - 1])) / span }
    }
    return front.indices.sorted { a, b in
      gaps[a] == gaps[b] ? isNearer(front[a], front[b]) : gaps[a] > gaps[b]
    }.map { front[$0] }
  }
}
