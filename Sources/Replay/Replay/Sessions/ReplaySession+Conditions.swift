import MattePipeline
import Parameters
import Support

extension ReplaySession {
  /// What a parameter needs in order to have an effect; empty if it always has one.
  package static func conditions(of name: String) -> [ParameterCondition] {
    PipelineParameters.conditions[name] ?? ofDelivery[name] ?? []
  }

  /// Sentences on parameters that have no effect with any of these settings.
  /// - Parameter names: of parameters, or assignments to them.
  package static func idleSentences(of names: [String], in settings: [ParameterSet]) -> [String] {
    var seen: Set<String> = []
    return names.map { String($0.prefix { $0 != "=" }) }.filter { seen.insert($0).inserted }.compactMap { name in
      let missing = settings.map { setting in conditions(of: name).first { !$0.holds(in: setting) } }
      guard let first = missing.first, let need = first, missing.allSatisfy({ $0 != nil }) else { return nil }
      return "\(name) has no effect here: it needs \(need.text)."
    }
  }

  /// As above, with the settings that follow from changes one after the other.
  package static func idleSentences(
    of assignments: [String], from first: ParameterSet, changes: [String]
  ) throws(RetakeError) -> [String] {
    var settings = [first]
    for change in changes {
      var next = settings[settings.count - 1]
      try next.set(change)
      settings.append(next)
    }
    return idleSentences(of: assignments, in: settings)
  }

  private static let ofDelivery: [String: [ParameterCondition]] = {
    func isOn(_ name: String, above limit: Double = 0) -> [ParameterCondition] {
      [ParameterCondition(name, anyOf: name, test: .isAbove(limit))]
    }
    let chances = [
      "color-drop", "color-duplicate", "color-swap", "depth-drop", "depth-duplicate", "depth-swap", "depth-jitter",
      "depth-noise",
    ]
    return [
      "throttle.rate": isOn("throttle.from", above: -1),
      "fault.seed": [
        ParameterCondition("a fault by chance", anyOf: chances.map { ("fault.\($0)", .isAbove(0)) })
      ],
      "fault.color-burst": isOn("fault.color-drop"), "fault.depth-burst": isOn("fault.depth-drop"),
      "fault.stuck-frames": isOn("fault.stuck-from", above: -1),
      "fault.faces-lost-frames": isOn("fault.faces-lost-from", above: -1),
    ]
  }()
}
