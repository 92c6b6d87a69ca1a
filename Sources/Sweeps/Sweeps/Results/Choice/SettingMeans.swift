/// The scores and the cost of each setting, averaged over the recordings of its sweep.
package struct SettingMeans: Sendable {
  package let identity: SweepIdentity
  /// By setting, then recording; nil where a run is not finished.
  private let runs: [RunSummary?]
  /// By setting: see `UnsupervisedRanking`.
  private(set) var ranks: [Double?] = []

  /// - Parameter summaries: in any order; runs that are not part of the sweep are ignored.
  package init(_ summaries: [RunSummary], _ identity: SweepIdentity) {
    self.identity = identity
    let recordingCount = identity.recordings.count
    var runs = [RunSummary?](repeating: nil, count: identity.settings.count * recordingCount)
    for summary in summaries where identity.has(summary.key) {
      runs[summary.key.setting * recordingCount + summary.key.recording] = summary
    }
    self.runs = runs
    ranks = UnsupervisedRanking.ranks(self)
  }

  /// Nil for a run that is not finished.
  package func run(_ key: RunKey) -> RunSummary? {
    identity.has(key) ? runs[key.setting * identity.recordings.count + key.recording] : nil
  }

  /// Whether every recording has a finished run without an error.
  package func isWhole(_ setting: Int) -> Bool {
    identity.recordings.allSatisfy { recording in
      guard case .scored = run(RunKey(setting: setting, recording: recording.number))?.outcome else { return false }
      return true
    }
  }

  /// The mean over the recordings that can have the score; each has the same weight.
  ///
  /// Nil if a run failed or is missing, if such a recording has no value, or if none can have it.
  package func value(_ measure: SweepMeasure, of setting: Int) -> Double? {
    if measure == .unsupervised { return ranks[setting] }
    guard isWhole(setting) else { return nil }
    var (sum, count) = (0.0, 0)
    for recording in identity.recordings where !recording.lacks(measure) {
      guard let run = run(RunKey(setting: setting, recording: recording.number)), let value = measure.value(run) else {
        return nil
      }
      sum += value
      count += 1
    }
    return count == 0 ? nil : sum / Double(count)
  }
}

extension SweepIdentity {
  package func has(_ key: RunKey) -> Bool {
    settings.indices.contains(key.setting) && recordings.indices.contains(key.recording)
  }
}

extension SweepIdentity.Recording {
  /// Whether the score was known to be absent before the sweep began.
  package func lacks(_ measure: SweepMeasure) -> Bool {
    guard case .score(let kind) = measure else { return false }
    return absences.contains { $0.score == kind }
  }
}
