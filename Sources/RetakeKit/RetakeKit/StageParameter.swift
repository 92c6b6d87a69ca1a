internal import Parameters

/// A parameter of a stage that a program provides.
public struct StageParameter: Hashable, Sendable {
  let declaration: ParameterDeclaration

  private init<Value>(_ parameter: Parameter<Value>) { declaration = parameter.declaration }

  /// - Parameters:
  ///   - name: up to 40 lower-case letters, digits and hyphens: "threshold". Not "revision".
  ///   - unit: such as "m" or "px".
  ///   - help: one line.
  /// - Precondition: the default is in the range.
  public static func number(
    _ name: String, unit: String = "", in range: ClosedRange<Double>, default value: Double, help: String
  ) -> StageParameter {
    precondition(range.contains(value), "the default of \(name) is out of range")
    return StageParameter(Parameter<Double>(name, unit: unit, range, default: value, help: help))
  }

  /// As `number`, for whole numbers.
  public static func integer(
    _ name: String, unit: String = "", in range: ClosedRange<Int>, default value: Int, help: String
  ) -> StageParameter {
    precondition(range.contains(value), "the default of \(name) is out of range")
    return StageParameter(Parameter<Int>(name, unit: unit, range, default: value, help: help))
  }

  /// True or false.
  public static func flag(_ name: String, default value: Bool, help: String) -> StageParameter {
    StageParameter(Parameter<Bool>(name, default: value, help: help))
  }

  /// One of several words; the first is the default.
  /// - Precondition: there is at least one.
  public static func choice(_ name: String, _ choices: [String], help: String) -> StageParameter {
    precondition(!choices.isEmpty, "\(name) has no choices")
    return StageParameter(Parameter<String>(name, as: .choice(choices), default: .text(choices[0]), help: help))
  }
}
