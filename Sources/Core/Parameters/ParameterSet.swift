import Support

/// Values for a list of declared parameters.
package struct ParameterSet: Hashable, Sendable {
  /// In declaration order, which is also the order of listings and digests.
  package var declarations: [ParameterDeclaration] { table.declarations }
  private let table: ParameterTable
  private var values: [ParameterValue]

  package init(_ declarations: [ParameterDeclaration]) {
    table = ParameterTable(declarations)
    values = declarations.map(\.defaultValue)
  }

  /// Applies "name=value".
  /// - Throws: `.usage` for an unknown name or invalid value, naming the nearest valid one.
  package mutating func set(_ assignment: String) throws(RetakeError) {
    let halves = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else {
      throw RetakeError(
        .usage, "'\(assignment.shortened)' is not a parameter assignment.",
        hint: "write name=value, for example matte.blur=5")
    }
    try set(String(halves[0]), to: String(halves[1]))
  }

  package mutating func set(_ name: String, to text: String) throws(RetakeError) {
    guard let position = table.position(of: name) else {
      try checkNoGroup(name)
      throw RetakeError(
        .usage, "There is no parameter '\(name.shortened)'.",
        hint: "\(Spelling.guess(name, in: declarations.map(\.name)))'retake parameters' lists them all")
    }
    values[position] = try declarations[position].value(parsing: text)
  }

  /// - Throws: `.usage`, listing the group's parameters, if `name` is a group.
  func checkNoGroup(_ name: String) throws(RetakeError) {
    let names = declarations.map(\.name).filter { $0.hasPrefix(name + ".") }
    guard let first = names.first else { return }
    throw RetakeError(
      .usage, "\(name) is a group of parameters, not a single one: \(names.joined(separator: ", ")).",
      hint: "name one of them, for example \(first)")
  }

  package subscript<Value>(_ parameter: Parameter<Value>) -> Value {
    guard let position = table.position(of: parameter.declaration.name), let value = Value(values[position])
    else { preconditionFailure("\(parameter.declaration.name) is not in this set") }
    return value
  }

  package func value(named name: String) -> ParameterValue? {
    table.position(of: name).map { values[$0] }
  }

  package var entries: [(name: String, value: String)] {
    zip(declarations, values).map { ($0.name, $1.description) }
  }

  package mutating func reset<Value>(_ parameter: Parameter<Value>) {
    guard let position = table.position(of: parameter.declaration.name) else { return }
    values[position] = parameter.declaration.defaultValue
  }

  /// One "name=value" per line: the input of parameter digests.
  package var canonicalText: String { text(values.indices) }

  /// The part of `canonicalText` that belongs to one group, such as "matte".
  package func text(ofGroup group: String) -> String {
    text(table.positions(ofGroup: group))
  }

  private func text(_ positions: some Sequence<Int>) -> String {
    var text = ""
    for position in positions {
      text += table.declarations[position].name
      text += "="
      text += values[position].description
      text += "\n"
    }
    return text
  }

  package static func == (a: ParameterSet, b: ParameterSet) -> Bool {
    (a.table === b.table || a.declarations == b.declarations) && a.values == b.values
  }

  /// Hashes only values: sets that are compared share their declarations.
  package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
