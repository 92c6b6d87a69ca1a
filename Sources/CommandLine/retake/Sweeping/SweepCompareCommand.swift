import ArgumentParser
import Support
import Sweeps

struct SweepCompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compares the results of two sweeps, and shows which scores changed.",
    discussion: """
      retake sweep compare before.sqlite after.sqlite
      retake sweep compare before.sqlite after.sqlite --json | jq .

      Runs are matched by the recording's id and the setting's parameters, so that results of two versions of Retake, or of \
      sweeps that have only some settings in common, can be compared. Two results of one setting each are compared whatever \
      their parameters, such as those of two files of --parameters. Exits 0 when both have the same runs with the same scores \
      of every frame, to the bit, and 1 when not, or when they have no run in common. The cost of runs is not compared, since \
      its measurement differs every time.
      """)

  @Argument(help: "A sweep's results.", completion: .results) var old: String
  @Argument(help: "Another's.", completion: .results) var new: String
  @Flag(help: "Print the result as JSON.") var json = false
  @Flag(name: [.short, .long], help: "Print only errors; the exit code gives the result.") var quiet = false

  func run() throws {
    let (first, second) = (try SweepResultsFile.open(old), try SweepResultsFile.open(new))
    let comparison = try SweepComparison(first, second)
    let text = SweepComparisonText(comparison: comparison, old: first.identity)
    if json { try print(text.json.versioned.text) } else if !quiet { try print(text.text.printable) }
    if !comparison.isSame { throw ExitCode(ExitStatus.failed.rawValue) }
  }
}

struct SweepComparisonText {
  let comparison: SweepComparison
  /// Of the first file.
  let old: SweepIdentity
  private static let shownCount = 10

  var text: String {
    var lines: [String] = []
    if Set(comparison.revisions).count > 1 {
      lines.append("pipeline revisions: \(comparison.revisions.joined(separator: " / ")), whose mattes may differ")
    }
    if Set(comparison.versions).count > 1 {
      lines.append("versions: \(comparison.versions.joined(separator: " / "))")
    }
    lines += comparison.notes + comparison.otherwise
    lines += Self.list("only in the first:", comparison.onlyFirst)
    lines += Self.list("only in the second:", comparison.onlySecond)
    let moved = comparison.scores.filter { !$0.isSame }
    if !moved.isEmpty {
      lines.append(Format.table([["SCORE", "SAME", "BETTER", "WORSE", "OTHER", "MOST"]] + moved.map(row)))
    }
    lines += Self.list("outcomes differ:", comparison.otherOutcomes.map(\.description))
    lines += Self.list("frames differ:", comparison.otherFrames.map(\.description))
    let runs = Format.counted(comparison.runCount, "run")
    lines.append(comparison.isSame ? "\(runs), all the same to the bit" : "\(runs) in both")
    if comparison.runCount == 0 {
      lines.append(
        "Runs are matched by recording and setting; 'retake sweep table FILE' shows the scores of each file.")
    }
    return lines.joined(separator: "\n")
  }

  private static func list(_ title: String, _ sentences: [String]) -> [String] {
    guard !sentences.isEmpty else { return [] }
    let rest = sentences.count > shownCount ? ["  and \(sentences.count - shownCount) more"] : []
    return [title] + sentences.prefix(shownCount).map { "  \($0)" } + rest
  }

  private func row(_ change: SweepComparison.ScoreChange) -> [String] {
    let most = change.largest.map {
      "\(SweepNumber.text($0.before)) → \(SweepNumber.text($0.after)): setting \($0.key.setting), \(path($0.key))"
    }
    return [
      change.kind.name, "\(change.equalCount)", "\(change.betterCount)", "\(change.worseCount)",
      "\(change.otherCount + change.oneSidedCount)", most ?? "",
    ]
  }

  private func path(_ key: RunKey) -> String {
    old.recordings.indices.contains(key.recording) ? old.recordings[key.recording].path : "recording \(key.recording)"
  }

  var json: JSONObject {
    JSONObject([
      "equal": comparison.isSame,
      "versions": comparison.versions,
      "pipeline_revisions": comparison.revisions,
      "runs": comparison.runCount,
      "scores": comparison.scores.map { change in
        JSONObject([
          "score": change.kind.name,
          "equal": change.equalCount,
          "better": change.betterCount,
          "worse": change.worseCount,
          "other": change.otherCount,
          "one_sided": change.oneSidedCount,
          "largest": change.largest.map { json($0.key, ["before": $0.before, "after": $0.after]) },
        ])
      },
      "other_outcomes": comparison.otherOutcomes.map { json($0.key) },
      "other_frames": comparison.otherFrames.map { json($0.key) },
      "only_first": comparison.onlyFirst,
      "only_second": comparison.onlySecond,
      "otherwise": comparison.otherwise,
      "notes": comparison.notes,
    ])
  }

  /// A run of the first file, and what is known of it.
  private func json(_ key: RunKey, _ members: KeyValuePairs<String, (any JSONValue)?> = [:]) -> JSONObject {
    var object = JSONObject([
      "setting": key.setting,
      "recording": old.recordings.indices.contains(key.recording) ? old.recordings[key.recording].id : "",
    ])
    object.add(members)
    return object
  }
}
