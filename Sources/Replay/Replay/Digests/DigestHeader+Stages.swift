import MattePipeline
import Parameters
import Support

extension DigestHeader {
  /// A stage of another program, as its parameters tell.
  package struct Stage: Hashable, Sendable {
    package let name: String
    package let revision: Int
  }

  /// The stages of another program that the replay needs, each once.
  package var stages: [Stage] {
    let chosen = (parameters.map { ($0.name, $0.value) } + changes.map { ($0.name, $0.value) })
      .filter { PipelineNeeds.maskChoices.contains($0.0) }.map(\.1)
    return declaredStages.filter { chosen.contains($0.name) }
  }

  /// Prefixes of the parameters of stages that were at hand, but that the replay does not use.
  var unusedStages: [String] {
    let used = stages
    return declaredStages.filter { !used.contains($0) }.map { Self.group + $0.name + "." }
  }

  /// - Parameter known: the stages of this program.
  /// - Throws: `.unsupported` naming a stage that this program lacks or has in another revision.
  func checkStages(_ known: [OutsideStage]) throws(RetakeError) {
    for stage in stages {
      guard let own = known.first(where: { $0.name == stage.name }) else {
        throw RetakeError(
          .unsupported,
          "The replay uses the mask stage '\(stage.name)', revision \(stage.revision), of another program.",
          hint: "reproduce it with that program, which passes the stage to RetakeKit")
      }
      guard own.revision == stage.revision else {
        throw RetakeError(
          .unsupported,
          "The replay uses revision \(stage.revision) of the mask stage '\(stage.name)', but this program has "
            + "revision \(own.revision).",
          hint: "use the version of the program that has revision \(stage.revision)")
      }
    }
  }

  private static let group = "mask."
  private static let suffix = "." + OutsideStage.revisionName

  private var declaredStages: [Stage] {
    parameters.compactMap { name, value in
      guard name.hasPrefix(Self.group), name.hasSuffix(Self.suffix), let revision = Int(value) else { return nil }
      let middle = name.dropFirst(Self.group.count).dropLast(Self.suffix.count)
      return middle.isEmpty ? nil : Stage(name: String(middle), revision: revision)
    }
  }
}
