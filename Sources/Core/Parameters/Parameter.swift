/// A declared parameter and the Swift type of its value.
package struct Parameter<Value: ParameterConvertible>: Sendable {
  package let declaration: ParameterDeclaration
  private init(_ declaration: ParameterDeclaration) { self.declaration = declaration }
}

extension Parameter {
  package init(
    _ name: String, unit: String = "", as domain: ParameterDeclaration.Domain, default value: ParameterValue,
    help: String
  ) {
    self.init(ParameterDeclaration(name: name, unit: unit, domain: domain, defaultValue: value, help: help))
  }

  /// One that is nil unless it is given.
  package init<Wrapped: ParameterConvertible>(
    _ name: String, unit: String = "", ifGiven domain: ParameterDeclaration.Domain, help: String
  ) where Value == Wrapped? {
    self.init(name, unit: unit, as: domain, default: .none, help: help)
  }
}

extension Parameter<Int> {
  package init(_ name: String, unit: String = "", _ range: ClosedRange<Int>, default value: Int, help: String) {
    self.init(name, unit: unit, as: .integer(range), default: .integer(value), help: help)
  }
}

extension Parameter<Double> {
  package init(
    _ name: String, unit: String = "", _ range: ClosedRange<Double>, default value: Double, help: String
  ) {
    self.init(name, unit: unit, as: .real(range), default: .real(value), help: help)
  }
}

extension Parameter<Bool> {
  package init(_ name: String, default value: Bool, help: String) {
    self.init(name, as: .flag, default: .flag(value), help: help)
  }
}

extension Parameter<RGBColor> {
  package init(_ name: String, default value: RGBColor, help: String) {
    self.init(name, as: .color, default: .color(value), help: help)
  }
}

extension Parameter<Fraction> {
  package init(_ name: String, default value: Fraction, help: String) {
    self.init(name, as: .fraction, default: .fraction(value), help: help)
  }
}

extension Parameter where Value: ParameterChoice {
  /// The first case is the default.
  package init(_ name: String, help: String) {
    self.init(name, choices: Value.allCases.map(\.rawValue), help: help)
  }
}

extension Parameter {
  /// "none", the default, is nil.
  package init<Choice: ParameterChoice>(_ name: String, help: String) where Value == Choice? {
    self.init(name, choices: ["none"] + Choice.allCases.map(\.rawValue), help: help)
  }

  private init(_ name: String, choices: [String], help: String) {
    self.init(name, as: .choice(choices), default: .text(choices[0]), help: help)
  }
}

extension Parameter<String> {
  package static func path(_ name: String, help: String) -> Parameter {
    Parameter(name, as: .path, default: .text(""), help: help)
  }
}

/// A struct whose stored properties are parameters, or groups of them, in the order of listings.
package protocol ParameterGroup: Sendable {}

extension ParameterGroup {
  /// Found by reflection, so that a parameter is registered by its declaration.
  package var declarations: [ParameterDeclaration] {
    Mirror(reflecting: self).children.flatMap { child -> [ParameterDeclaration] in
      if let group = child.value as? any ParameterGroup { return group.declarations }
      return (child.value as? any DeclaredParameter).map { [$0.declaration] } ?? []
    }
  }
}

private protocol DeclaredParameter {
  var declaration: ParameterDeclaration { get }
}

extension Parameter: DeclaredParameter {}
