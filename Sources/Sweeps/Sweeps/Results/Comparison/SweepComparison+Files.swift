import MattePipeline
import Scores
import Support

extension SweepComparison {
  /// Settings are matched by the parameters that both files know, and where each file has only one, in any case; recordings
  /// by their ids.
  package init(_ first: SweepResultsFile, _ second: SweepResultsFile) throws(RetakeError) {
    let (a, b) = (first.identity, second.identity)
    let matching = SweepMatching(a, b)
    let common = a.scores.filter(b.scores.contains)
    self.init(versions: [a.version, b.version], scores: common.map { ScoreChange(kind: $0) })
    revisions = [a, b].map { $0.pipelineRevision.map { "\($0)" } ?? PipelineRevision.unknownText }
    compare(a, b, matching)

    let runs = try first.summaries()
    var others: [RunKey: RunSummary] = [:]
    for summary in try second.summaries() { others[summary.key] = summary }
    var unmatched: [RunKey] = []
    for run in runs {
      guard let setting = matching.settings[run.key.setting], let recording = matching.recordings[run.key.recording]
      else { continue }
      guard let other = others.removeValue(forKey: RunKey(setting: setting, recording: recording)) else {
        unmatched.append(run.key)
        continue
      }
      runCount += 1
      try compare(run, other, common, a, first, second)
    }
    if let text = Self.list(unmatched, a) { onlyFirst.append(text) }
    let (settings, recordings) = (Set(matching.extraSettings), Set(matching.extraRecordings))
    let extra = others.keys.filter { !settings.contains($0.setting) && !recordings.contains($0.recording) }
    if let text = Self.list(extra.sorted(), b) { onlySecond.append(text) }
  }

  /// Compares what was swept: scores, settings, recordings, truth and preset.
  private mutating func compare(_ a: SweepIdentity, _ b: SweepIdentity, _ matching: SweepMatching) {
    for kind in a.scores where !b.scores.contains(kind) { onlyFirst.append("score \(kind.name)") }
    for kind in b.scores where !a.scores.contains(kind) { onlySecond.append("score \(kind.name)") }
    let missing = matching.settings.indices.filter { matching.settings[$0] == nil }
    if let text = Self.list(settings: missing) { onlyFirst.append(text) }
    if let text = Self.list(settings: matching.extraSettings) { onlySecond.append(text) }
    if !matching.otherValues.isEmpty {
      otherwise.append("the settings differ: \(matching.otherValues.joined(separator: ", "))")
    }
    for (recording, match) in zip(a.recordings, matching.recordings) {
      guard let other = match.map({ b.recordings[$0] }) else {
        onlyFirst.append("recording \(recording.path)")
        continue
      }
      if recording.frames != other.frames || recording.every != other.every {
        otherwise.append("recording \(recording.path): different frames are played")
      }
      if recording.truth != other.truth { otherwise.append("recording \(recording.path): the truth differs") }
      if recording.boundaryTolerance != other.boundaryTolerance {
        otherwise.append("recording \(recording.path): the boundary tolerance differs")
      }
    }
    for number in matching.extraRecordings { onlySecond.append("recording \(b.recordings[number].path)") }
    if a.preset != b.preset { notes.append("the presets are \(a.preset) and \(b.preset)") }
    for name in matching.extraParameters.first { notes.append("only the first has the parameter \(name)") }
    for name in matching.extraParameters.second { notes.append("only the second has the parameter \(name)") }
  }

  private mutating func compare(
    _ run: RunSummary, _ other: RunSummary, _ common: [ScoreKind], _ identity: SweepIdentity,
    _ first: SweepResultsFile, _ second: SweepResultsFile
  ) throws(RetakeError) {
    let name = "setting \(run.key.setting), \(identity.recordings[run.key.recording].path)"
    func noteOutcome(_ what: String) -> RunChange { RunChange(key: run.key, description: "\(name): \(what)") }
    switch (run.outcome, other.outcome) {
    case (.failed(let before), .failed(let after)):
      if before != after { otherOutcomes.append(noteOutcome("failed with another error: \(before) / \(after)")) }
    case (.failed(let error), .scored): otherOutcomes.append(noteOutcome("failed in the first only: \(error)"))
    case (.scored, .failed(let error)): otherOutcomes.append(noteOutcome("failed in the second only: \(error)"))
    case (.scored(let before), .scored(let after)):
      for place in scores.indices {
        scores[place].take(before[scores[place].kind], after[scores[place].kind], run.key)
      }
      let (own, others) = (try first.frames(run.key), try second.frames(other.key))
      if let what = Self.difference(own, others, common) {
        otherFrames.append(noteOutcome(what))
      }
    }
  }

  /// Nil if all frames are equal to the bit.
  private static func difference(_ a: [ScoredFrame], _ b: [ScoredFrame], _ kinds: [ScoreKind]) -> String? {
    guard a.map(\.number) == b.map(\.number) else { return "the frame numbers differ" }
    var (count, first) = (0, 0)
    for (frame, other) in zip(a, b) {
      let isSame =
        frame.hasMatte == other.hasMatte
        && kinds.allSatisfy { frame.scores[$0]?.bitPattern == other.scores[$0]?.bitPattern }
      if isSame { continue }
      if count == 0 { first = frame.number }
      count += 1
    }
    return count == 0 ? nil : "\(count) of \(a.count) frames have different scores, the first is \(first)"
  }

  private static func list(settings: [Int]) -> String? {
    guard let first = settings.first else { return nil }
    guard settings.count > 1 else { return "setting \(first)" }
    let shown = settings.prefix(10).map { "\($0)" }.joined(separator: ", ")
    return "\(settings.count) settings: \(shown)\(settings.count > 10 ? ", …" : "")"
  }

  private static func list(_ keys: [RunKey], _ identity: SweepIdentity) -> String? {
    guard let first = keys.first else { return nil }
    let name = "setting \(first.setting) over \(identity.recordings[first.recording].path)"
    return keys.count == 1 ? "the run of \(name)" : "\(keys.count) runs, the first of \(name)"
  }
}
