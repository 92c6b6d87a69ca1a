/// Declared parameters, found by name and group. Settings of a sweep share one table.
final class ParameterTable: Sendable {
  let declarations: [ParameterDeclaration]
  private let positions: [String: Int]
  private let groups: [Substring: [Int]]

  init(_ declarations: [ParameterDeclaration]) {
    self.declarations = declarations
    let numbered = declarations.enumerated()
    positions = Dictionary(numbered.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    groups = Dictionary(grouping: declarations.indices) { declarations[$0].name.prefix { $0 != "." } }
  }

  func position(of name: String) -> Int? { positions[name] }

  /// Positions of a group's parameters, such as those of "matte".
  func positions(ofGroup group: String) -> [Int] { groups[group[...]] ?? [] }
}
