import FrameModel
import Scores
import Support

/// Limits such as "iou<0.9" that no run may meet, so that a sweep can fail a CI build.
package struct SweepGate: Hashable, Sendable, CustomStringConvertible {
  package let limits: [SweepLimit]
  package let description: String
  /// The scores that the gate names; a sweep has to compute them.
  package var scores: [ScoreKind] { SweepLimit.scores(limits.map(\.measure)) }

  /// - Throws: `.usage` with the wrong term and, for an unknown name, the nearest known one.
  package init(_ text: String) throws(RetakeError) {
    guard text.utf8.count <= SweepChoice.lengthLimit else {
      throw RetakeError(.usage, "The condition for failure is too long.", hint: Self.hint)
    }
    var limits: [SweepLimit] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let limit = try SweepLimit(String(part)) else {
        throw RetakeError(
          .usage, "'\(String(part).trimmed.shortened)' is not a condition for failure.", hint: Self.hint)
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

  /// The failures of these settings, by setting, then recording. A run also fails if it cannot be
  /// judged: after an error, if it is not finished, or without a value.
  /// - Parameter settings: setting numbers; nil for all.
  /// - Throws: `.usage` for a score that the sweep does not compute.
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
      return limit.holds(value) ? "\(name) is \(limit.rounded(value)), and the gate fails at \(limit)" : nil
    }
  }
}
