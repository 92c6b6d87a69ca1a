import FrameModel
import Parameters

/// A named starting point: a way through the pipeline, and values that differ from the parameters' defaults.
package struct Preset: Hashable, Sendable {
  package let name: String
  /// One line.
  package let help: String
  /// Assignments on top of the defaults.
  package let assignments: [String]

  package static let all = [
    Preset(
      name: "truedepth-backdrop",
      help: "everything farther than the face plus an offset is replaced by a picture", assignments: [])
  ]

  /// - Throws: `.usage` naming the nearest preset.
  package static func named(_ name: String) throws(RetakeError) -> Preset {
    if let preset = all.first(where: { $0.name == name }) { return preset }
    let nearest = Spelling.nearest(to: name, in: all.map(\.name)) ?? ""
    throw RetakeError(
      .usage, "There is no preset '\(name)'.",
      hint: "did you mean \(nearest)? There are: \(all.map(\.name).joined(separator: ", "))")
  }

  /// The preset's values for the declared parameters.
  package func parameters(_ declarations: [ParameterDeclaration]) throws(RetakeError) -> ParameterSet {
    var set = ParameterSet(declarations)
    for assignment in assignments { try set.set(assignment) }
    return set
  }
}
