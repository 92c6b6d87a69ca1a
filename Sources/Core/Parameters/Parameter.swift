/// A declared parameter and the Swift type of its value.
package struct Parameter<Value: ParameterConvertible>: Sendable {
  package let declaration: ParameterDeclaration
  private init(_ declaration: ParameterDeclaration) { self.declaration = declaration }
}

extension Parameter<Int> {
  package init(_ name: String, unit: String = "", _ range: ClosedRange<Int>, default value: Int, help: String) {
    self.init(
      ParameterDeclaration(
        name: name, unit: unit, domain: .integer(range), defaultValue: .integer(value), help: help))
  }
}

extension Parameter<Double> {
  package init(
    _ name: String, unit: String = "", _ range: ClosedRange<Double>, default value: Double, help: String
  ) {
    self.init(
      ParameterDeclaration(
        name: name, unit: unit, domain: .real(range), defaultValue: .real(value), help: help))
  }
}

extension Parameter<Bool> {
  package init(_ name: String, default value: Bool, help: String) {
    self.init(ParameterDeclaration(name: name, unit: "", domain: .flag, defaultValue: .flag(value), help: help))
  }
}

extension Parameter<RGBColor> {
  package init(_ name: String, default value: RGBColor, help: String) {
    self.init(ParameterDeclaration(name: name, unit: "", domain: .color, defaultValue: .color(value), help: help))
  }
}

extension Parameter<Fraction> {
  package init(_ name: String, default value: Fraction, help: String) {
    self.init(
      ParameterDeclaration(
        name: name, unit: "", domain: .fraction, defaultValue: .fraction(value), help: help))
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
    self.init(
      ParameterDeclaration(
        name: name, unit: "", domain: .choice(choices), defaultValue: .text(choices[0]), help: help))
  }
}

extension Parameter<String> {
  package static func path(_ name: String, help: String) -> Parameter {
    Parameter(
      ParameterDeclaration(name: name, unit: "", domain: .path, defaultValue: .text(""), help: help))
  }
}

/// A struct whose stored properties are parameters, in the order of listings.
package protocol ParameterGroup: Sendable {}

extension ParameterGroup {
  /// Found by reflection, so that a parameter is registered by its declaration.
  package var declarations: [ParameterDeclaration] {
    Mirror(reflecting: self).children.compactMap { ($0.value as? any DeclaredParameter)?.declaration }
  }
}

private protocol DeclaredParameter {
  var declaration: ParameterDeclaration { get }
}

extension Parameter: DeclaredParameter {}
