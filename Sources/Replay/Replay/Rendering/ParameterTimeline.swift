import FrameModel
import MattePipeline
import Parameters
import Support

/// Parameters that change while frames pass, as sliders would: from a frame on, on what holds too.
package struct ParameterTimeline: Sendable {
  package struct Change: Hashable, Sendable {
    /// The first frame set that it acts on.
    package let frame: Int
    package let name: String
    /// As the parameter writes it.
    package let value: String

    package init(frame: Int, name: String, value: String) {
      (self.frame, self.name, self.value) = (frame, name, value)
    }
  }

  /// By frame, then in the order of declaration: whatever the order in which they were given, it is one replay.
  package let changes: [Change]
  /// All parameters from a frame on, by frame.
  package let steps: [(frame: Int, parameters: ParameterSet)]

  package static let none = ParameterTimeline()

  private init() { (changes, steps) = ([], []) }

  /// - Parameters:
  ///   - parameters: what holds before the first change.
  ///   - assignments: "name=value" from a frame set on; of two for one parameter and frame the last counts.
  /// - Throws: `.usage` for an unknown name or value, and for a parameter that cannot change while frames pass.
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

  /// Whether depth is needed at any time.
  package func needsDepth(from parameters: ParameterSet) -> Bool { depthParameter(from: parameters) != nil }

  /// The parameter for which depth is needed first, as it is written; nil where it is never needed.
  package func depthParameter(from parameters: ParameterSet) -> String? {
    ([parameters] + steps.map(\.parameters)).lazy.compactMap(PipelineNeeds.depthParameter).first
  }

  /// The first parameters that need a network for what is wanted; nil where none do.
  package func segmenting(_ parameters: ParameterSet, _ wanted: PipelineStages) -> ParameterSet? {
    guard !wanted.isDisjoint(with: [.mask, .matte, .composite]) else { return nil }
    return ([parameters] + steps.map(\.parameters)).first { PipelineNeeds($0).needsSegmentation }
  }

  /// Tells a pipeline of all of them, before its first frame. A replay that begins later begins with what holds there.
  /// - Throws: what `MattePipeline.change` throws.
  package func apply(to pipeline: MattePipeline) throws(RetakeError) {
    for step in steps { try pipeline.change(to: step.parameters, at: step.frame) }
  }

  private static func checkCanChange(_ name: String, _ declarations: [ParameterDeclaration]) throws(RetakeError) {
    // What comes at a frame depends on those before it, so nothing about how a recording is fed can change on the way.
    let fixed = PipelineParameters.fixedWhileRunning.union(ReplayParameters.all.map(\.name))
    guard fixed.contains(name) else { return }
    let others = declarations.map(\.name).filter { !fixed.contains($0) }
    throw RetakeError(
      .usage, "\(name) cannot change while frames pass.",
      hint: "set it for the whole replay with --set; these can change: \(others.joined(separator: ", "))")
  }
}
