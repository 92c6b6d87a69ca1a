import Parameters
import Support

/// The settings that a sweep tries.
package struct SweepSpace: Sendable {
  package enum Choice: Hashable, Sendable {
    /// Every combination of the listed values.
    case grid
    /// `count` settings, each drawn independently.
    case random(count: Int)
    /// `count` settings with each parameter spread evenly (McKay, Beckman and Conover 1979).
    case latinHypercube(count: Int)
  }

  package let base: ParameterSet
  package let dimensions: [SweepDimension]
  package let constraints: [SweepConstraint]
  package let choice: Choice
  package let seed: UInt64

  package static let settingLimit = 1_000_000
  /// Drawing ends after this many draws in a row without a new setting.
  private static let vainDrawLimit = 10_000

  /// - Throws: `.usage` for a repeated parameter, a grid over a range, too many settings or none.
  package init(
    base: ParameterSet, _ dimensions: [SweepDimension], constraints: [SweepConstraint] = [], choice: Choice = .grid,
    seed: UInt64 = 0
  ) throws(RetakeError) {
    (self.base, self.dimensions, self.constraints) = (base, dimensions, constraints)
    (self.choice, self.seed) = (choice, seed)
    for (i, dimension) in dimensions.enumerated() {
      let name = dimension.declaration.name
      guard !dimensions[..<i].contains(where: { $0.declaration.name == name }) else {
        throw RetakeError(.usage, "\(name) is given twice.", hint: "put all its values into one --list")
      }
      if case (.grid, .range) = (choice, dimension.values) {
        throw RetakeError(
          .usage, "A range of \(name) has too many values to try them all.",
          hint: "give it a step with --scan, or draw settings with --random 100")
      }
    }
    let count =
      switch choice {
      case .grid: gridCount ?? .max
      case .random(let count), .latinHypercube(let count): count
      }
    guard count >= 1 else {
      throw RetakeError(.usage, "A sweep tries 1 setting or more, not \(count).", hint: "as with --random 100")
    }
    guard count <= Self.settingLimit else {
      throw RetakeError(
        .usage, "That would be more than \(Self.settingLimit) settings.",
        hint: "use larger steps, or draw some settings with --random 1000")
    }
  }

  /// Nil if a range makes it infinite, and on overflow.
  private var gridCount: Int? {
    var count = 1
    for dimension in dimensions {
      guard case .list(let values) = dimension.values else { return nil }
      let (product, overflow) = count.multipliedReportingOverflow(by: values.count)
      if overflow { return nil }
      count = product
    }
    return count
  }

  /// Distinct settings in an order that is the same everywhere: in a grid the last dimension
  /// changes fastest.
  /// - Throws: `.usage` if no setting meets the constraints.
  package func settings() throws(RetakeError) -> [ParameterSet] {
    var found: [ParameterSet] = []
    var seen: Set<ParameterSet> = []
    func add(_ setting: ParameterSet) {
      guard constraints.allSatisfy({ $0.holds(setting) }), seen.insert(setting).inserted else { return }
      found.append(setting)
    }
    switch choice {
    case .grid: try forEachOfGrid(add)
    case .random(let count):
      // Stop when all combinations are found, or when draws give nothing new.
      let all = gridCount.map { min($0, count) } ?? count
      var random = SeededGenerator(seed: seed)
      var vain = 0
      while found.count < all && vain < Self.vainDrawLimit {
        let before = found.count
        add(try setting(dimensions.map { $0.value(at: random.nextUnit()) }))
        vain = found.count == before ? vain + 1 : 0
      }
    case .latinHypercube(let count):
      var random = SeededGenerator(seed: seed)
      let columns = dimensions.map { dimension in
        Self.permutation(count, &random).map { place in
          dimension.value(at: (Double(place) + random.nextUnit()) / Double(count))
        }
      }
      for i in 0..<count { add(try setting(columns.map { $0[i] })) }
    }
    guard !found.isEmpty else {
      throw RetakeError(
        .usage, "No setting fulfils \(constraints.map(\.description).joined(separator: " and ")).",
        hint: "relax one of the constraints, or try other values")
    }
    return found
  }

  private func forEachOfGrid(_ body: (ParameterSet) -> Void) throws(RetakeError) {
    let lists = dimensions.map { dimension in
      if case .list(let values) = dimension.values { values } else { [String]() }
    }
    guard lists.allSatisfy({ !$0.isEmpty }) else { return }
    var places = lists.map { _ in 0 }
    while true {
      body(try setting(zip(lists, places).map { $0[$1] }))
      var dimension = lists.count - 1
      while dimension >= 0 {
        places[dimension] += 1
        if places[dimension] < lists[dimension].count { break }
        places[dimension] = 0
        dimension -= 1
      }
      if dimension < 0 { return }
    }
  }

  private func setting(_ values: [String]) throws(RetakeError) -> ParameterSet {
    var setting = base
    for (dimension, value) in zip(dimensions, values) { try setting.set(dimension.declaration.name, to: value) }
    return setting
  }

  private static func permutation(_ count: Int, _ random: inout SeededGenerator) -> [Int] {
    var places = Array(0..<count)
    for i in stride(from: count - 1, to: 0, by: -1) { places.swapAt(i, random.next(below: i + 1)) }
    return places
  }
}

extension SweepDimension {
  /// The value at a share of the way through the values, 0 ≤ share < 1. Values of a range have four
  /// significant digits, for people to read.
  func value(at share: Double) -> String {
    switch values {
    case .list(let values): return values[min(values.count - 1, Int(share * Double(values.count)))]
    case .range(let range, let isLogarithmic):
      var value = range.lowerBound + share * (range.upperBound - range.lowerBound)
      if isLogarithmic {
        value = range.lowerBound * PortableMath.pow(range.upperBound / range.lowerBound, share)
      }
      if case .integer = declaration.domain {
        // Half a step more on either side makes both ends as likely as the integers between.
        if !isLogarithmic {
          value = range.lowerBound - 0.5 + share * (range.upperBound - range.lowerBound + 1)
        }
        return "\(min(Int(range.upperBound), max(Int(range.lowerBound), Int(value.rounded()))))"
      }
      let rounded = Self.rounded(value, digits: 4)
      return ParameterValue.real(min(range.upperBound, max(range.lowerBound, rounded))).description
    }
  }

  private static func rounded(_ value: Double, digits: Int) -> Double {
    guard value != 0 else { return 0 }
    var scale = 1.0
    var limit = 1.0
    for _ in 1..<digits { limit *= 10 }
    while abs(value) * scale < limit && scale < 1e15 { scale *= 10 }
    return (value * scale).rounded() / scale
  }
}
