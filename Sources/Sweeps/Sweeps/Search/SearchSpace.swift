import Parameters
import Support

/// The swept parameters of a search with the levels to try of each.
package struct SearchSpace: Sendable {
  package struct Axis: Hashable, Sendable {
    package let declaration: ParameterDeclaration
    /// Values as text. Numbers rise.
    package let levels: [String]
    package let isOrdered: Bool
    /// Whether the levels are chosen from a range.
    package let isRange: Bool

    package var name: String { declaration.name }
  }

  package let base: ParameterSet
  package let axes: [Axis]
  package let lattice: SearchLattice
  /// Those of points, which every rung asks for again.
  private let settings = Memo<SearchLattice.Point, ParameterSet>(limit: 4096)
  /// Texts of the constraints.
  let constraintWords: [String]
  /// Settings that a share of a budget refers to: those of the grid, or with a range `rangeCount`.
  package let settingCount: Int

  /// Levels of a range; fewer for whole numbers that have fewer.
  package static let rangeLevelCount = 65
  /// Ranges have no grid; a share of the budget is of this many settings.
  package static let rangeCount = 1000

  /// - Throws: `.usage` without swept parameters, for one given twice, for a draw, and if no setting
  ///   fulfils the constraints.
  package init(_ definition: SweepDefinition, _ base: ParameterSet) throws(RetakeError) {
    guard !definition.terms.isEmpty else {
      throw RetakeError(
        .usage, "There is nothing to search: no parameter is swept.",
        hint: "give a parameter's values, as with --range mask.offset=0.1..0.5")
    }
    switch definition.choice {
    case nil, .grid: break
    case .random, .latinHypercube:
      throw RetakeError(
        .usage, "A search chooses its settings itself, so they cannot be drawn too.",
        hint: "leave out --random and --latin, and the keys random and latin in a file; --budget limits the work")
    }
    self.base = base
    let dimensions = definition.searched
    for (place, dimension) in dimensions.enumerated()
    where dimensions[..<place].contains(where: { $0.declaration.name == dimension.declaration.name }) {
      throw RetakeError(
        .usage, "\(dimension.declaration.name) is given twice.", hint: "put all its values into one --list")
    }
    axes = try dimensions.map { dimension throws(RetakeError) in try dimension.searchAxis(base) }
    constraintWords = definition.constraints.map(\.description)
    let (constraints, names) = (definition.constraints, axes.map(\.name))
    let levels = axes.map(\.levels)
    let lattice = SearchLattice(
      axes.map {
        SearchLattice.Axis(
          levelCount: $0.levels.count, isOrdered: $0.isOrdered, beginsAtZero: $0.levels.first.flatMap(Double.init) == 0)
      },
      origin: axes.map { $0.nearest(to: base) }
    ) { point in
      guard !constraints.isEmpty else { return true }
      var setting = base
      for (place, level) in point.enumerated() {
        // Cannot fail: levels are valid values.
        try? setting.set(names[place], to: levels[place][level])
      }
      return constraints.allSatisfy { $0.holds(setting) }
    }
    self.lattice = lattice
    let gridCount = lattice.pointCount ?? .max
    if axes.contains(where: \.isRange) {
      settingCount = min(Self.rangeCount, gridCount)
    } else {
      guard gridCount <= SweepSpace.settingLimit else {
        throw RetakeError(
          .usage, "That would be more than \(SweepSpace.settingLimit) settings.",
          hint: "use larger steps, or ranges with --range")
      }
      settingCount =
        constraints.isEmpty || gridCount > SearchLattice.countLimit
        ? gridCount : lattice.allPoints.count(where: lattice.contains)
    }
    let isPossible =
      gridCount > SearchLattice.countLimit || constraints.isEmpty || lattice.allPoints.contains(where: lattice.contains)
    guard isPossible else {
      throw RetakeError(
        .usage, "No setting fulfils \(constraints.map(\.description).joined(separator: " and ")).",
        hint: "relax one of the constraints, or try other values")
    }
  }

  package func setting(_ point: SearchLattice.Point) throws(RetakeError) -> ParameterSet {
    try settings.value(point) { () throws(RetakeError) in
      var setting = base
      for (axis, level) in zip(axes, point) { try setting.set(axis.name, to: axis.levels[level]) }
      return setting
    }
  }

  /// The point nearest to a setting.
  package func point(nearest setting: ParameterSet) -> SearchLattice.Point { axes.map { $0.nearest(to: setting) } }

  /// Every value that a parameter has in any setting.
  package func values(_ name: String) -> [ParameterValue] {
    if let axis = axes.first(where: { $0.name == name }) {
      return axis.levels.compactMap { try? axis.declaration.value(parsing: $0) }
    }
    return base.value(named: name).map { [$0] } ?? []
  }
}

extension SearchSpace.Axis {
  /// Index of the level nearest to a setting's value; of equally near ones the lower.
  fileprivate func nearest(to setting: ParameterSet) -> Int {
    guard let value = setting.value(named: name) else { return 0 }
    if let place = levels.firstIndex(of: value.description) { return place }
    guard let number = value.searchNumber else { return 0 }
    let distances = levels.map { text in
      ((try? declaration.value(parsing: text))?.searchNumber).map { ($0 - number).magnitude } ?? .infinity
    }
    return distances.indices.min { distances[$0] < distances[$1] } ?? 0
  }
}

extension ParameterValue {
  /// Nil if it is not a number.
  var searchNumber: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .fraction(let value): Double(value.numerator) / Double(value.denominator)
    default: nil
    }
  }
}

extension SweepDimension {
  fileprivate func searchAxis(_ base: ParameterSet) throws(RetakeError) -> SearchSpace.Axis {
    switch values {
    case .list(let texts):
      var numbered: [(text: String, number: Double)] = []
      for text in texts {
        if let number = try declaration.value(parsing: text).searchNumber { numbered.append((text, number)) }
      }
      let isNumber = numbered.count == texts.count
      let levels = isNumber ? numbered.sorted { $0.number < $1.number }.map(\.text) : texts
      // Not with rates: each of the few is another rhythm, and 2/5 may be worse than 1/3.
      let isOrdered = isNumber && declaration.isNumeric
      return SearchSpace.Axis(declaration: declaration, levels: levels, isOrdered: isOrdered, isRange: false)
    case .range(let range, _):
      var count = SearchSpace.rangeLevelCount
      if case .integer = declaration.domain {
        count = Int(min(Double(count), range.upperBound.rounded(.down) - range.lowerBound.rounded(.up) + 1))
      }
      var levels: [String] = []
      for step in 0..<max(1, count) {
        let text = level(Double(step) / Double(max(1, count - 1)))
        if levels.last != text { levels.append(text) }
      }
      // The current value is tried too, also where it is between two steps.
      if let current = base.value(named: declaration.name), let number = current.searchNumber, range.contains(number),
        !levels.contains(where: { Double($0) == number })
      {
        let place = levels.firstIndex { (Double($0) ?? .infinity) > number } ?? levels.endIndex
        levels.insert(current.description, at: place)
      }
      return SearchSpace.Axis(declaration: declaration, levels: levels, isOrdered: true, isRange: true)
    }
  }
}

extension SweepDimension {
  /// The value at a share of the way through a range, both ends included, with four significant digits.
  fileprivate func level(_ share: Double) -> String {
    guard case .range(let range, let isLogarithmic) = values else { return "" }
    guard case .integer = declaration.domain else {
      return share < 1 ? value(at: share) : ParameterValue.real(range.upperBound).description
    }
    let value =
      isLogarithmic
      ? range.lowerBound * PortableMath.pow(range.upperBound / range.lowerBound, share)
      : range.lowerBound + share * (range.upperBound - range.lowerBound)
    return "\(min(Int(range.upperBound), max(Int(range.lowerBound), Int(value.rounded()))))"
  }
}
