import Parameters
import Support

/// Parameter changes that wait for their frame.
struct ParameterChanges {
  private struct Change {
    var index: Int
    var parameters: ParameterSet
  }

  /// Sorted by index; changes at one index in the order in which they were added.
  private var waiting: [Change] = []

  mutating func add(_ parameters: ParameterSet, at index: Int) {
    let place = waiting.firstIndex { $0.index > index } ?? waiting.endIndex
    waiting.insert(Change(index: index, parameters: parameters), at: place)
  }

  /// The last change that is due; it replaces earlier ones.
  func due(at index: Int) -> ParameterSet? { waiting.last { $0.index <= index }?.parameters }

  mutating func remove(upTo index: Int) { waiting.removeAll { $0.index <= index } }
}

extension ParameterSet {
  private static let changeable = Set(PipelineParameters.all.map(\.name)).subtracting(
    PipelineParameters.fixedWhileRunning)

  private func namesThatDiffer(from old: ParameterSet) -> [String] {
    zip(old.entries, entries).filter { $0.value != $1.value }.map(\.1.name)
  }

  /// The groups, "depth" to "composite", of the parameters whose values differ.
  func groupsThatDiffer(from old: ParameterSet) -> Set<String> {
    Set(namesThatDiffer(from: old).map { String($0.prefix { $0 != "." }) })
  }

  /// - Throws: `.usage` naming the parameters that differ from `old` and cannot change while frames
  ///   run.
  func checkChange(from old: ParameterSet) throws(RetakeError) {
    guard declarations == old.declarations else {
      throw RetakeError(
        .usage, "The new parameter set has other declarations than the pipeline's.",
        hint: "change values in a copy of the pipeline's own parameter set")
    }
    let stuck = namesThatDiffer(from: old).filter { !Self.changeable.contains($0) }
    guard stuck.isEmpty else {
      throw RetakeError(
        .usage, "\(stuck.joined(separator: " and ")) cannot be changed while frames are processed.",
        hint: "set it for the whole run")
    }
  }
}
