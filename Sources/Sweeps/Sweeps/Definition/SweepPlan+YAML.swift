import MattePipeline
import Parameters
import Replay
import Support

extension SweepPlan {
  /// The plan as a file for `--file` that makes the same sweep in any folder, as long as files that parameters name are found.
  /// - Parameter comments: first lines, without "#".
  package func yamlText(absolutePath: (String) -> String, comments: [String] = []) throws(RetakeError) -> String {
    func scalar(_ text: String) -> String { ParameterSet.scalar(text) }
    func list(_ texts: [String]) -> String { "[\(texts.map(scalar).joined(separator: ", "))]" }
    var lines = comments.map { "# \($0)" } + ["preset: \(scalar(preset))"]
    let start = try Preset.named(preset).parameters(ReplaySession.declarations)
    let changed = base.entries.filter { start.value(named: $0.name)?.description != $0.value }
    if !changed.isEmpty { lines += ["set:"] + changed.map { "  \($0.name): \(scalar($0.value))" } }
    for kind in SweepTerm.Kind.allCases {
      let terms = definition.terms.filter { $0.kind == kind }
      if !terms.isEmpty { lines.append("\(kind.rawValue):") }
      for term in terms {
        var value = scalar(term.text)
        if kind == .list, case .list(let values) = term.dimension.values { value = list(values) }
        lines.append("  \(term.name): \(value)")
      }
    }
    if !definition.constraints.isEmpty { lines.append("where: \(list(definition.constraints.map(\.description)))") }
    switch definition.choice {
    case nil, .grid: break
    case .random(let count): lines.append("random: \(count)")
    case .latinHypercube(let count): lines.append("latin: \(count)")
    }
    if let seed = definition.seed { lines.append("seed: \(seed)") }
    if every > 1 { lines.append("every: \(every)") }
    if let from = span.from { lines.append("from: \(scalar(from.text))") }
    if let to = span.to { lines.append("to: \(scalar(to.text))") }
    if let truth { lines.append("truth: \(scalar(absolutePath(truth)))") }
    if let ignoredValue { lines.append("ignore: \(ignoredValue)") }
    if let boundaryTolerance { lines.append("boundary-tolerance: \(boundaryTolerance)") }
    lines.append("scores: \(list(scores.map(\.name)))")
    lines.append("recordings:")
    lines += recordings.map { "  - \(scalar(absolutePath($0)))" }
    return lines.joined(separator: "\n") + "\n"
  }
}
