import RecordingStore
import Replay
import Scores
import Support
import Sweeps

extension SweepFlags {
  /// - Parameters:
  ///   - needed: scores that a choice or a gate needs in any case.
  ///   - isSearch: whether a search chooses the settings.
  /// - Returns: the plan, and the scores requested by name: only their absence is reported.
  /// - Throws: `.usage` for invalid arguments, naming the nearest valid one.
  func plan(
    needed: [ScoreKind], isSearch: Bool = false
  ) throws(RetakeError) -> (plan: SweepPlan, namedScores: Set<ScoreKind>) {
    let file = try file.map { path throws(RetakeError) in
      try SweepFile(path: path, ReplaySession.declarations)
    }
    let (preset, base) = try parameters.resolved(on: file.map { [$0.parameters] } ?? [])
    let said = try space.definition()
    let definition = file?.definition.overlaid(by: said) ?? said
    var named = try SweepScores.named(scoring.scores)
    if named == nil, let file {
      named = try file.at(.scores) { () throws(RetakeError) in try SweepScores.named(file.words(.scores)) }
    }
    let namedScores = Set((named ?? []) + needed)
    let scores = SweepScores.sorted(Set((named ?? ScoreKind.standard) + needed))
    let span = try span.span.completed(by: file)
    let everyOfFile = try file?.every()
    let recordings = recordings.isEmpty ? file?.paths(.recordings) ?? [] : try RecordingPaths.expanded(recordings)
    guard !recordings.isEmpty else {
      throw RetakeError(
        .usage, "The sweep has no recording.",
        hint:
          "give one, as in 'retake sweep session.retake --scan matte.still=0..0.8:0.2', or under recordings in a file"
      )
    }
    let (ignoredValue, tolerance) = (try file?.ignoredValue(), try file?.boundaryTolerance())
    let plan = try SweepPlan(
      recordings: recordings, preset: preset, base: base, definition: definition, scores: scores,
      truth: scoring.truth ?? file?.paths(.truth).first, ignoredValue: scoring.ignore ?? ignoredValue,
      boundaryTolerance: scoring.boundaryTolerance ?? tolerance, span: span, every: pace.every ?? everyOfFile ?? 1,
      isSearch: isSearch)
    return (plan, namedScores)
  }
}

extension MomentSpan {
  /// Completes missing arguments from the file.
  fileprivate func completed(by file: SweepFile?) throws(RetakeError) -> MomentSpan {
    guard let file else { return self }
    func moment(_ own: Moment?, _ key: SweepFile.Key) throws(RetakeError) -> Moment? {
      guard own == nil, let word = file.words(key).first else { return own }
      return try file.at(key) { () throws(RetakeError) in
        if let moment = MomentArgument(argument: word)?.moment { return moment }
        throw RetakeError(.usage, "'\(word)' is not a moment.", hint: "write \(MomentArgument.help)")
      }
    }
    var result = self
    (result.from, result.to) = (try moment(from, .from), try moment(to, .to))
    return result
  }
}
