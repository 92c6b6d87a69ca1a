/// The scores and the cost of each setting, averaged over the recordings of its sweep.
package struct SettingMeans: Sendable {
  package let identity: SweepIdentity
  /// By setting, then recording; nil where a run is not finished.
  private let runs: [RunSummary?]
  private var having: [SweepMeasure: [Int]] = [:]
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
    for measure in identity.scores.map(SweepMeasure.score) + [.cost] {
      having[measure] = identity.recordings.map(\.number).filter { recording in
        identity.settings.indices.contains {
          run(RunKey(setting: $0, recording: recording)).flatMap(measure.value) != nil
        }
      }
    }
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

  /// The values of a setting's runs, by recording; nil where there is none.
  package func values(_ measure: SweepMeasure, of setting: Int) -> [Double?] {
    identity.recordings.map { run(RunKey(setting: setting, recording: $0.number)).flatMap(measure.value) }
  }

  /// Numbers of the recordings of which some run has a value. Others lack what the score needs, such as two frames of truth in a
  /// row.
  package func recordings(having measure: SweepMeasure) -> [Int] { having[measure] ?? [] }

  /// The mean over the recordings that have the score; each has the same weight.
  ///
  /// Nil if a run failed or is missing, if such a recording has no value of this setting, or if none has one.
  package func value(_ measure: SweepMeasure, of setting: Int) -> Double? {
    if measure == .unsupervised { return ranks[setting] }
    guard isWhole(setting) else { return nil }
    let values = values(measure, of: setting)
    let having = recordings(having: measure)
    var sum = 0.0
    for recording in having {
      guard let value = values[recording] else { return nil }
      sum += value
    }
    return having.isEmpty ? nil : sum / Double(having.count)
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
