import Parameters
import Support

/// A swept parameter and the values to try.
package struct SweepDimension: Hashable, Sendable {
  package enum Values: Hashable, Sendable {
    /// In this order, without duplicates.
    case list([String])
    /// Any value between the ends, for drawn settings.
    case range(ClosedRange<Double>, isLogarithmic: Bool)
  }

  package let declaration: ParameterDeclaration
  package let values: Values

  package static let valueLimit = 10_000

  static func list(
    _ texts: [String], of declaration: ParameterDeclaration
  ) throws(RetakeError) -> SweepDimension {
    var values: [String] = []
    for text in texts {
      let value = try declaration.value(parsing: text.trimmed).description
      // Formatting makes 2/4 and 1/2 equal, so neither is tried twice.
      if !values.contains(value) { values.append(value) }
      try checkCount(values.count, declaration)
    }
    return SweepDimension(declaration: declaration, values: .list(values))
  }

  /// - Parameter text: `LOW..HIGH:STEP`, or `LOW..HIGH:*FACTOR` for geometric steps.
  static func scan(
    _ text: String, of declaration: ParameterDeclaration
  ) throws(RetakeError) -> SweepDimension {
    let form = "write LOW..HIGH:STEP, as in \(declaration.name)=1..12:1, or 1..16:*2 to multiply in each step"
    guard declaration.isNumeric else {
      throw RetakeError(
        .usage, "\(declaration.name) is not a number and cannot be scanned: it takes \(declaration.rangeText).",
        hint: "list its values with --list \(declaration.name)=…")
    }
    let halves = text.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
    guard halves.count == 2, let ends = ends(halves[0]) else {
      throw RetakeError(
        .usage, "'\(text.shortened)' is not a range with a step, which scanning \(declaration.name) needs.",
        hint: form)
    }
    let isFactor = halves[1].hasPrefix("*")
    guard let step = DecimalNumber(isFactor ? String(halves[1].dropFirst()) : halves[1]), step.isPositive else {
      throw RetakeError(
        .usage, "'\(halves[1].shortened)' is not a valid step for scanning \(declaration.name).", hint: form)
    }
    if isFactor {
      guard let one = DecimalNumber("1"), step > one, ends.low.isPositive else {
        throw RetakeError(
          .usage, "Scanning \(declaration.name) by a factor needs a factor above 1 and a range above 0.", hint: form)
      }
    }
    guard ends.low <= ends.high else { throw emptyRange(text, declaration) }
    var values: [String] = []
    var value: DecimalNumber? = ends.low
    while let current = value, current <= ends.high {
      values.append(try declaration.value(parsing: current.description).description)
      try checkCount(values.count, declaration)
      let next = isFactor ? current * step : current + step
      // Rounding can make a factor close to 1 have no effect.
      value = next.flatMap { $0 > current ? $0 : nil }
    }
    return try list(values, of: declaration)
  }

  /// - Parameter text: `LOW..HIGH`, or `LOW..HIGH:log`, where each doubling is equally likely.
  static func range(
    _ text: String, of declaration: ParameterDeclaration
  ) throws(RetakeError) -> SweepDimension {
    guard declaration.isNumeric else {
      throw RetakeError(
        .usage, "\(declaration.name) is not a number with a range: it takes \(declaration.rangeText).",
        hint: "list its values with --list \(declaration.name)=…")
    }
    let halves = text.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
    let isLogarithmic = halves.count == 2 && halves[1] == "log"
    guard let ends = halves.first.flatMap(ends), halves.count == 1 || isLogarithmic else {
      throw RetakeError(
        .usage, "'\(text.shortened)' is not a range of \(declaration.name).",
        hint: "write LOW..HIGH, or LOW..HIGH:log for values evenly spread on a logarithmic scale")
    }
    guard ends.low < ends.high else { throw emptyRange(text, declaration) }
    guard !isLogarithmic || ends.low.isPositive else {
      throw RetakeError(
        .usage, "A logarithmic range of \(declaration.name) must begin above 0.", hint: "as in 0.5..32:log")
    }
    _ = try declaration.value(parsing: ends.low.description)
    _ = try declaration.value(parsing: ends.high.description)
    guard let low = Double(ends.low.description), let high = Double(ends.high.description) else {
      throw emptyRange(text, declaration)
    }
    return SweepDimension(declaration: declaration, values: .range(low...high, isLogarithmic: isLogarithmic))
  }

  private static func ends(_ text: String) -> (low: DecimalNumber, high: DecimalNumber)? {
    // 0...5 would be read as 0 to .5, where 0..5 may be meant.
    guard !text.contains("..."), let dots = text.range(of: "..") else { return nil }
    guard let low = DecimalNumber(String(text[..<dots.lowerBound]).trimmed),
      let high = DecimalNumber(String(text[dots.upperBound...]).trimmed)
    else { return nil }
    return (low, high)
  }

  private static func checkCount(_ count: Int, _ declaration: ParameterDeclaration) throws(RetakeError) {
    guard count <= valueLimit else {
      throw RetakeError(
        .usage, "\(declaration.name) would have more than \(valueLimit) values.", hint: "use a larger step")
    }
  }

  private static func emptyRange(_ text: String, _ declaration: ParameterDeclaration) -> RetakeError {
    RetakeError(
      .usage, "The range '\(text.shortened)' of \(declaration.name) is empty: it ends before it begins.",
      hint: "write the lower end first")
  }
}

extension ParameterDeclaration {
  var isNumeric: Bool {
    switch domain {
    case .integer, .real: true
    default: false
    }
  }
}

extension [ParameterDeclaration] {
  /// - Throws: `.usage` that names the nearest known name.
  func named(_ name: String) throws(RetakeError) -> ParameterDeclaration {
    if let declaration = first(where: { $0.name == name }) { return declaration }
    if name == "preset" {
      throw RetakeError(
        .usage, "A sweep has one preset, so none can be tried.",
        hint: "run a sweep for each with --preset; 'retake sweep table' shows the scores of its results")
    }
    // Throws an error that suggests the nearest name.
    var probe = ParameterSet(self)
    try probe.set(name, to: "")
    throw RetakeError(.usage, "There is no parameter '\(name.shortened)'.")
  }
}
