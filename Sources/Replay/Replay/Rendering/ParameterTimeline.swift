import MattePipeline
import Parameters
import Support

/// Parameter changes at given frames during a replay, as sliders would make them.
package struct ParameterTimeline: Sendable {
  package struct Change: Hashable, Sendable {
    package let frame: Int
    package let name: String
    /// The value in the parameter's canonical form.
    package let value: String

    package init(frame: Int, name: String, value: String) {
      (self.frame, self.name, self.value) = (frame, name, value)
    }
  }

  /// By frame, then in order of declaration, so that the order of assignments does not matter.
  package let changes: [Change]
  /// The complete parameters from each frame on, by frame.
  package let steps: [(frame: Int, parameters: ParameterSet)]

  package static let none = ParameterTimeline()

  private init() { (changes, steps) = ([], []) }

  /// - Parameter assignments: "name=value" from a frame set on. The last for a parameter and frame
  ///   wins.
  /// - Throws: `.usage` for an unknown name or value, and for a parameter that is fixed in a
  ///   replay.
  package init(
    from parameters: ParameterSet, _ assignments: [(frame: Int, assignment: String)]
  ) throws(RetakeError) {
    var changes: [Change] = []
    var steps: [(frame: Int, parameters: ParameterSet)] = []
    var current = parameters
    for frame in Set(assignments.map(\.frame)).sorted() {
      let before = current
      for (_, assignment) in assignments.filter({ $0.frame == frame }) {
        try Self.checkCanChange(String(assignment.prefix { $0 != "=" }), parameters.declarations)
        try current.set(assignment)
      }
      for (old, new) in zip(before.entries, current.entries) where old.value != new.value {
        changes.append(Change(frame: frame, name: new.name, value: new.value))
      }
      if current != before { steps.append((frame, current)) }
    }
    (self.changes, self.steps) = (changes, steps)
  }

  package func needsDepth(from parameters: ParameterSet) -> Bool { depthParameter(from: parameters) != nil }

  /// The first parameter that needs depth, as written; nil if none does.
  package func depthParameter(from parameters: ParameterSet) -> String? {
    ([parameters] + steps.map(\.parameters)).lazy.compactMap(PipelineNeeds.depthParameter).first
  }

  /// The first parameters that need a network for the wanted stages; nil if none do.
  package func segmenting(_ parameters: ParameterSet, _ wanted: PipelineStages) -> ParameterSet? {
    guard !wanted.isDisjoint(with: [.mask, .matte, .composite]) else { return nil }
    return ([parameters] + steps.map(\.parameters)).first { PipelineNeeds($0).needsSegmentation }
  }

  /// Registers all changes with a pipeline, before its first frame. A replay that starts later
  /// starts with the values in effect there.
  package func apply(to pipeline: MattePipeline) throws(RetakeError) {
    for step in steps { try pipeline.change(to: step.parameters, at: step.frame) }
  }

  private static func checkCanChange(_ name: String, _ declarations: [ParameterDeclaration]) throws(RetakeError) {
    // A frame's delivery depends on earlier frames, so delivery parameters are fixed.
    let fixed = PipelineParameters.fixedWhileRunning.union(ReplayParameters.all.map(\.name))
    guard fixed.contains(name) else { return }
    let others = declarations.map(\.name).filter { !fixed.contains($0) }
    throw RetakeError(
      .usage, "\(name) cannot be changed during a replay.",
      hint: "set it for the whole replay with --set; these can be changed: \(others.joined(separator: ", "))")
  }
}
