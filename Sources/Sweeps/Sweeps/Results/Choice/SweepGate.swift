import FrameModel
import Scores
import Support

/// "iou<0.9": what no run may be like, so that a sweep can fail a build. Of several terms each is enough.
package struct SweepGate: Hashable, Sendable, CustomStringConvertible {
  package let limits: [SweepLimit]
  /// As it was written.
  package let description: String
  /// Those that it names, each once: a sweep has to compute them.
  package var scores: [ScoreKind] { SweepLimit.scores(limits.map(\.measure)) }

  /// - Throws: `.usage` naming what is off, and the nearest for a name that is not known.
  package init(_ text: String) throws(RetakeError) {
    guard text.utf8.count <= SweepChoice.lengthLimit else {
      throw RetakeError(.usage, "The words of what fails are too long.", hint: Self.hint)
    }
    var limits: [SweepLimit] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let limit = try SweepLimit(String(part)) else {
        throw RetakeError(.usage, "'\(String(part).trimmed)' does not say what fails.", hint: Self.hint)
      }
      limits.append(limit)
    }
    self.limits = limits
    description = text
  }

  private static let hint = "write a score, a comparison and a number, as in iou<0.9"

  package struct Failure: Hashable, Sendable, CustomStringConvertible {
    package var key: RunKey
    /// One line that names setting and recording.
    package var description: String
  }

  /// Runs of these settings that are as the gate forbids, by setting, then recording.
  ///
  /// A check that cannot be made is not passed: a run that failed, is not finished or has no value fails too.
  /// - Parameter settings: by their numbers; all of the sweep for nil.
  /// - Throws: `.usage` for a score that the sweep does not have at all.
  package func failures(of summaries: [RunSummary], _ identity: SweepIdentity, settings: [Int]? = nil)
    throws(RetakeError) -> [Failure]
  {
    for limit in limits {
      if case .score(let kind) = limit.measure, !identity.scores.contains(kind) { try identity.check(limit.measure) }
    }
    let means = SettingMeans(summaries, identity)
    var failures: [Failure] = []
    for setting in settings?.sorted() ?? Array(identity.settings.indices) {
      for recording in identity.recordings {
        let key = RunKey(setting: setting, recording: recording.number)
        failures += reasons(means.run(key), recording).map {
          Failure(key: key, description: "setting \(setting), \(recording.path): \($0)")
        }
      }
    }
    return failures
  }

  private func reasons(_ run: RunSummary?, _ recording: SweepIdentity.Recording) -> [String] {
    guard let run else { return ["is not finished"] }
    if case .failed(let error) = run.outcome { return ["failed: \(error)"] }
    return limits.compactMap { limit in
      let name = limit.measure.name
      guard let value = limit.measure.value(run) else {
        let absence = recording.absences.first { limit.measure == .score($0.score) }
        return absence.map { "has no \(name): \($0.reason)" } ?? "has no \(name)"
      }
      return limit.holds(value) ? "\(name) is \(value), which \(limit) forbids" : nil
    }
  }
}
