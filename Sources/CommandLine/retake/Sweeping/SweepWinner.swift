import MattePipeline
import Parameters
import Replay
import Scores
import Support
import Sweeps

struct SweepWinner {
  let choice: SweepChoice
  let result: SweepChoiceResult
  private let identity: SweepIdentity
  private let means: SettingMeans
  private let summaries: [RunSummary]

  /// - Throws: if no setting is within the limits.
  init(_ choice: SweepChoice, of summaries: [RunSummary], _ identity: SweepIdentity) throws(RetakeError) {
    self.init(choice, try choice.best(of: summaries, identity), of: summaries, identity)
  }

  /// - Parameter result: the best, where it is not the choice's own.
  init(_ choice: SweepChoice, _ result: SweepChoiceResult, of summaries: [RunSummary], _ identity: SweepIdentity) {
    (self.choice, self.result, self.identity) = (choice, result, identity)
    self.summaries = summaries
    means = SettingMeans(summaries, identity)
  }

  private var isSearch: Bool { identity.words.contains("--search") }
  private var missingRunCount: Int { identity.runKeys.count - summaries.count }

  var setting: SweepIdentity.Setting { identity.settings[result.setting] }

  /// The setting's varied parameters, in the order of the sweep's arguments.
  private var tried: [SweepIdentity.Assignment] {
    identity.tried.compactMap { name in setting.parameters.first { $0.name == name } }
  }

  /// Means over the recordings; measures without a mean are left out.
  private var values: [(measure: SweepMeasure, value: Double)] {
    let rank = choice.measure == .unsupervised ? [choice.measure] : []
    return (rank + identity.scores.map(SweepMeasure.score) + [.cost]).compactMap { measure in
      means.value(measure, of: result.setting).map { (measure, $0) }
    }
  }

  var text: String {
    let within =
      choice.limits.isEmpty ? "" : ", \(result.withinCount) of \(result.eligibleCount) within the limits"
    let settings = Format.counted(identity.settings.count, "setting")
    let first = "best by \(choice): setting \(result.setting) (of \(settings))\(within)"
    return [first, table, comparison, ends, unfinished, identity.worstNote ?? ""].filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// Empty if all runs are done.
  private var unfinished: String {
    missingRunCount == 0
      ? ""
      : "unfinished: \(identity.runKeys.count - missingRunCount) of \(Format.counted(identity.runKeys.count, "run")) are done, so "
        + "another setting may be better"
  }

  /// The best's numbers that are at an end of those tried, where the score depends on them and others beyond are allowed.
  /// Empty for a search, which tried more than the settings here.
  var ends: String {
    guard !isSearch else { return "" }
    let idle = SweepInfluence(identity, summaries).idle
    let words = tried.filter { !idle.contains($0.name) }.compactMap { own -> String? in
      let values = identity.settings.compactMap { setting in
        setting.parameters.first { $0.name == own.name }.flatMap { Double($0.value) }
      }
      guard let value = Double(own.value), let low = values.min(), let high = values.max(), low < high,
        let range = ReplaySession.declarations.first(where: { $0.name == own.name })?.numbers
      else { return nil }
      if value == low, range.lowerBound < low { return "\(own.name) \(own.value), the lowest" }
      return value == high && range.upperBound > high ? "\(own.name) \(own.value), the highest" : nil
    }
    return words.isEmpty
      ? "" : "at the end of what was tried, so values beyond may be better: \(words.joined(separator: "; "))"
  }

  /// How the values do from which the sweep started.
  var comparison: String {
    guard let current = identity.defaultSetting else {
      return isSearch
        ? "current values: not among the settings that were scored on all frames; a sweep of them alone, into another file and "
          + "without --search, scores them" : "current values: not among those tried"
    }
    guard current != result.setting else {
      let agreements = choice.scores.filter { [.agreement, .outlineAgreement].contains($0) }
      guard !agreements.isEmpty else { return "current values: this setting" }
      return "current values: this setting; \(agreements.map(\.name).joined(separator: " and ")) "
        + "\(agreements.count == 1 ? "compares" : "compare") with a matte that a preset of Retake makes, and cannot find what "
        + "is better than it"
    }
    let value = means.value(choice.measure, of: current).map { SweepNumber.text($0, choice.measure) } ?? "none"
    return "current values: setting \(current), \(choice.measure.name) \(value)"
  }

  /// Its tried values and its scores.
  var table: String {
    Format.table(
      tried.map { [$0.name, $0.value.isEmpty ? "none" : $0.value] }
        + values.map { [$0.measure.name, SweepNumber.text($0.value, $0.measure) + scope($0.measure)] }, indent: "  ")
  }

  /// Of which recordings a mean is, where they differ.
  private func scope(_ measure: SweepMeasure) -> String {
    let recordings = identity.recordings
    let count = measure == .unsupervised ? recordings.count : means.recordings(having: measure).count
    if count < recordings.count { return "  (of \(count) of \(recordings.count) recordings)" }
    // Pixels that do not move are other ones where truth is known.
    let trueCount = recordings.count { $0.truth != "none" }
    return measure == .score(.flicker) && (1..<recordings.count).contains(trueCount)
      ? "  (a mean of two measures: \(trueCount) of \(recordings.count) recordings have truth)" : ""
  }

  var json: JSONObject {
    JSONObject([
      "by": choice.description,
      "setting": result.setting,
      "digest": setting.digest,
      "settings": identity.settings.count,
      "missing_runs": missingRunCount,
      "within_limits": result.withinCount,
      "preset": identity.preset,
      "tried": JSONObject(pairs: tried.map { ($0.name, $0.value) }),
      "scores": JSONObject(pairs: values.map { ($0.measure.name, $0.value) }),
    ])
  }

  /// - Parameters:
  ///   - path: of the file that will have the text; nil for standard output.
  ///   - results: the path of the sweep's results.
  /// - Throws: `.usage` for parameters that this version does not have.
  func yaml(in path: String?, results: String) throws(RetakeError) -> String {
    let start = try Preset.named(identity.preset).parameters(ReplaySession.declarations)
    var values = start
    let paths = Set(ReplaySession.declarations.filter { $0.domain == .path }.map(\.name))
    for assignment in setting.parameters {
      let isPath = paths.contains(assignment.name)
      let placed = PlacedPath.text(assignment.value, in: path, results: results)
      try values.set(assignment.name, to: isPath ? placed : assignment.value)
    }
    let scores = self.values.map { "\($0.measure.name) \(SweepNumber.text($0.value, $0.measure))" }
    return values.yamlText(
      preset: identity.preset, besides: start,
      comments: [
        "The best of \(identity.settings.count)\(isSearch ? " that a search scored on all frames," : "") by \(choice): \(scores.joined(separator: ", "))."
          .printable
      ] + [unfinished].filter { !$0.isEmpty })
  }
}

/// Scores with four significant digits, for people.
enum SweepNumber {
  static func text(_ value: Double, _ measure: SweepMeasure) -> String {
    let unit = ["count", ""].contains(measure.unit) ? "" : " \(measure.unit)"
    return text(value) + unit
  }

  static func text(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return value == 0 ? "0" : "-" }
    var places = 3
    var size = value.magnitude
    while size < 1 && places < 9 { (size, places) = (size * 10, places + 1) }
    while size >= 10 && places > 0 { (size, places) = (size / 10, places - 1) }
    return Format.decimals(value, places)
  }
}
