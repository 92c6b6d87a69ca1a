/// The points that a search may try: a level for each axis, one axis for each swept parameter.
package struct SearchLattice: Sendable {
  package typealias Point = [Int]

  package struct Axis: Hashable, Sendable {
    package var levelCount: Int
    /// Whether neighbouring levels are alike, as for numbers; otherwise every level is a neighbour.
    package var isOrdered: Bool
    /// Whether the first level of an ordered axis is 0, which may take the effect from other axes.
    package var beginsAtZero: Bool

    package init(levelCount: Int, isOrdered: Bool, beginsAtZero: Bool = false) {
      (self.levelCount, self.isOrdered, self.beginsAtZero) = (levelCount, isOrdered, beginsAtZero)
    }
  }

  package let axes: [Axis]
  /// The current values, or on each axis the level nearest to them.
  package let origin: Point
  private let isAllowed: @Sendable (Point) -> Bool

  /// - Parameter isAllowed: whether a point fulfils the constraints.
  package init(_ axes: [Axis], origin: Point, isAllowed: @escaping @Sendable (Point) -> Bool = { _ in true }) {
    precondition(axes.count == origin.count && axes.allSatisfy { $0.levelCount > 0 })
    (self.axes, self.origin, self.isAllowed) = (axes, origin, isAllowed)
  }

  package func contains(_ point: Point) -> Bool { isAllowed(point) }

  /// Nil on overflow. Counts points that are not allowed too.
  package var pointCount: Int? {
    axes.reduce(1 as Int?) { count, axis in
      count.flatMap { count in
        let (product, overflow) = count.multipliedReportingOverflow(by: axis.levelCount)
        return overflow ? nil : product
      }
    }
  }

  /// Every point, the last axis fastest.
  package var allPoints: some Sequence<Point> {
    let (axes, count) = (axes, pointCount ?? 0)
    return (0..<count).lazy.map { number in
      var rest = number
      var point = axes.map { _ in 0 }
      for place in axes.indices.reversed() {
        point[place] = rest % axes[place].levelCount
        rest /= axes[place].levelCount
      }
      return point
    }
  }

  /// Points are looked through up to this many; a constraint may leave few of them.
  package static let countLimit = 100_000

  /// All that are allowed; nil for more than a number of them, and where there are too many to look at.
  func allowedPoints(upTo most: Int) -> [Point]? {
    guard let count = pointCount, count <= Self.countLimit else { return nil }
    var found: [Point] = []
    for point in allPoints where contains(point) {
      guard found.count < most else { return nil }
      found.append(point)
    }
    return found
  }

  /// How far a point is from the current values: first the number of axes on which it differs, then
  /// the sum of its steps, in 65536ths of an axis.
  func distance(_ point: Point) -> Distance {
    var distance = Distance(axisCount: 0, steps: 0)
    for (place, axis) in axes.enumerated() where point[place] != origin[place] {
      distance.axisCount += 1
      let steps = abs(point[place] - origin[place])
      distance.steps += axis.isOrdered ? steps * 65_536 / max(1, axis.levelCount - 1) : 65_536
    }
    return distance
  }

  struct Distance: Hashable, Comparable {
    var axisCount: Int
    var steps: Int
    static func < (a: Distance, b: Distance) -> Bool { (a.axisCount, a.steps) < (b.axisCount, b.steps) }
  }

  /// Steps of a stage of refinement: a sixteenth of an ordered axis at first, half of it in each
  /// later stage, at least one level.
  func steps(stage: Int) -> [Int] {
    axes.map { axis in max(1, (axis.levelCount / 16) >> min(stage, 62)) }
  }

  struct Move: Hashable {
    var axis: Int
    var level: Int
  }

  /// One step up and down on an ordered axis; every other level of an unordered one.
  func moves(from point: Point, axis place: Int, steps: [Int]) -> [Move] {
    let (axis, level) = (axes[place], point[place])
    let levels =
      axis.isOrdered
      ? [max(0, level - steps[place]), min(axis.levelCount - 1, level + steps[place])]
      : Array(0..<axis.levelCount)
    return levels.filter { $0 != level }.map { Move(axis: place, level: $0) }
  }

  /// Whether another level of an axis may give other axes an effect.
  func mayWake(_ point: Point, axis: Int) -> Bool {
    !axes[axis].isOrdered || (axes[axis].beginsAtZero && point[axis] == 0)
  }

  /// Up to five levels of an axis, from one end to the other.
  func spread(axis place: Int) -> [Move] {
    let last = axes[place].levelCount - 1
    let count = min(last, 4)
    return (0...count).map { Move(axis: place, level: $0 * last / max(1, count)) }
  }
}

extension SearchLattice.Point {
  func moved(_ moves: SearchLattice.Move...) -> SearchLattice.Point {
    var point = self
    for move in moves { point[move.axis] = move.level }
    return point
  }
}
