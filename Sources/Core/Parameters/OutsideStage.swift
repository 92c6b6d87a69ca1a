import Support

/// A stage of the pipeline that another program provides. A parameter chooses it by name, as it
/// chooses a built-in one.
package struct OutsideStage: Hashable, Sendable {
  package let name: String
  /// Raised when its output changes. The value of a parameter, so that it is in every digest.
  package let revision: Int
  package let needsDepth: Bool
  /// With names as in "mask.NAME.threshold".
  package let parameters: [ParameterDeclaration]
  /// Makes the stage. Its type is known to the room that runs stages.
  package let maker: any Sendable

  /// - Parameter parameters: with names of their own only, as in "threshold".
  /// - Throws: `.usage` for a name that no parameter can have, or for two of the same name.
  package init(
    group: String, name: String, revision: Int, needsDepth: Bool, parameters: [ParameterDeclaration],
    maker: any Sendable
  ) throws(RetakeError) {
    try Self.check(name, "The stage name")
    guard Self.revisions.contains(revision) else {
      throw RetakeError(
        .usage, "Stage '\(name)' has revision \(revision).",
        hint: "a revision is \(Self.revisions.lowerBound) to \(Self.revisions.upperBound)")
    }
    var names: Set<String> = [Self.revisionName]
    for parameter in parameters {
      try Self.check(parameter.name, "In stage '\(name)', the parameter name")
      guard names.insert(parameter.name).inserted else {
        throw RetakeError(
          .usage, "Stage '\(name)' declares '\(parameter.name)' twice.",
          hint: "give each parameter a name of its own; '\(Self.revisionName)' is reserved")
      }
    }
    (self.name, self.revision, self.needsDepth, self.maker) = (name, revision, needsDepth, maker)
    let own = Parameter<Int>(
      Self.revisionName, revision...revision, default: revision,
      help: "revision of the stage '\(name)', which another program provides")
    let prefix = "\(group).\(name)."
    self.parameters = ([own.declaration] + parameters).map { $0.renamed(prefix + $0.name) }
  }

  package static let revisionName = "revision"
  private static let revisions = 0...1_000_000_000
  private static let longestName = 40

  private static func check(_ name: String, _ what: String) throws(RetakeError) {
    let isName =
      (1...longestName).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: "-")
      && name.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || $0 == UInt8(ascii: "-")
      }
    guard isName else {
      throw RetakeError(
        .usage, "\(what) '\(name)' is not valid.",
        hint: "use up to \(longestName) lower-case letters, digits and hyphens, such as chroma-key")
    }
  }

  package static func == (a: Self, b: Self) -> Bool { a.name == b.name && a.revision == b.revision }
  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(revision)
  }
}

extension ParameterDeclaration {
  fileprivate func renamed(_ name: String) -> ParameterDeclaration {
    ParameterDeclaration(name: name, unit: unit, domain: domain, defaultValue: defaultValue, help: help)
  }

  /// The same choice with stages of another program beside the built-in ones.
  /// - Throws: `.usage` for a name that is taken.
  package func offering(_ stages: [OutsideStage]) throws(RetakeError) -> ParameterDeclaration {
    guard case .choice(var choices) = domain else { preconditionFailure("\(name) is not a choice") }
    for stage in stages {
      guard !choices.contains(stage.name), stage.name != "none" else {
        throw RetakeError(
          .usage, "There are two choices '\(stage.name)' for \(name).", hint: "rename the stage")
      }
      choices.append(stage.name)
    }
    var offering = ParameterDeclaration(
      name: name, unit: unit, domain: .choice(choices), defaultValue: defaultValue, help: help)
    offering.outside = stages
    return offering
  }
}

extension ParameterSet {
  /// The stage of another program that a parameter chooses; nil for a built-in one.
  package func outsideStage(chosenBy name: String) -> OutsideStage? {
    guard case .text(let choice) = value(named: name) else { return nil }
    return declarations.first { $0.name == name }?.outside.first { $0.name == choice }
  }
}
