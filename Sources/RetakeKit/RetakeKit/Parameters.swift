internal import MattePipeline
internal import Parameters
internal import Replay
public import RetakeReader

/// The parameters of a replay: of the delivery of depth, of faults, and of every stage.
///
///     var parameters = try Parameters(preset: "handheld")
///     try parameters.set("matte.blur", to: 5)
public struct Parameters: Hashable, Sendable {
  /// What a parameter takes.
  public struct Declaration: Hashable, Sendable {
    /// Dotted: "matte.blur".
    public let name: String
    /// "m", "px", or empty.
    public let unit: String
    /// For people: "0 to 64", "true, false", "p/q with 0 < p/q ≤ 1".
    public let range: String
    public let defaultValue: String
    /// One line.
    public let help: String
  }

  /// Names of the presets, the default first.
  public static var presets: [String] { Preset.all.map(\.name) }

  public let preset: String
  let outside: [OutsideStage]
  var values: ParameterSet

  /// - Parameters:
  ///   - preset: one of `presets`; its values are the start.
  ///   - stages: masks of the caller's, to be chosen with `mask.kind` or `mask.second` by name.
  /// - Throws: `usage` for an unknown preset, naming the nearest, and for a stage that cannot be
  ///   declared or whose name is taken.
  public init(preset: String = Parameters.presets[0], stages: [any MaskStage] = []) throws(RetakeReader.RetakeError) {
    self.preset = preset
    outside = try stages.map { stage throws(RetakeReader.RetakeError) in try OutsideStage(stage) }
    values = try RetakeReader.RetakeError.publicly { [outside] () throws(InsideError) in
      try Preset.named(preset).parameters(try ReplaySession.declarations(with: outside))
    }
  }

  /// In the order in which they act on a frame. Stages of the caller's are included.
  public var declarations: [Declaration] {
    values.declarations.map {
      Declaration(
        name: $0.name, unit: $0.unit, range: $0.rangeText, defaultValue: $0.defaultValue.description, help: $0.help)
    }
  }

  /// A value as the command line takes it; nil for an unknown name.
  public subscript(_ name: String) -> String? { values.value(named: name)?.description }

  /// - Parameter value: as text, in the form that the command line takes: 5, 0.6, true, "1/2", "face".
  /// - Throws: `usage` for an unknown name or an invalid value, naming the nearest valid one.
  public mutating func set(_ name: String, to value: some CustomStringConvertible) throws(RetakeReader.RetakeError) {
    try RetakeReader.RetakeError.publicly { () throws(InsideError) in try values.set(name, to: value.description) }
  }

  /// A copy with one value changed: see `set`.
  public func setting(
    _ name: String, to value: some CustomStringConvertible
  ) throws(RetakeReader.RetakeError) -> Parameters {
    var copy = self
    try copy.set(name, to: value)
    return copy
  }
}
