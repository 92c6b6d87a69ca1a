import Parameters
import Support

/// How a submitted sweep is searched, as its command line said.
package struct SharedSearch: Hashable, Sendable {
  package var mode: SearchMachine.Mode
  /// Text of the choice, as in "flicker<1,iou".
  package var best: String
  /// Nil for the default.
  package var budget: String?
  package var over: SearchGoal.Recordings
  /// Names of scores.
  package var front: [String]
  /// As `SearchRun.digest`.
  package var digest: String
  /// CPU time of one frame of one setting, as forecast.
  package var frameSeconds: Double
  /// A rung is cut into parts that take this long or longer.
  package var leastPartSeconds: Double
  /// The most parts of a round; what the folder says of parts.
  package internal(set) var partLimit = 1

  package init(
    mode: SearchMachine.Mode, best: String, budget: String?, over: SearchGoal.Recordings, front: [String],
    digest: String, frameSeconds: Double, leastPartSeconds: Double
  ) {
    (self.mode, self.best, self.budget, self.over, self.front) = (mode, best, budget, over, front)
    (self.digest, self.frameSeconds, self.leastPartSeconds) = (digest, frameSeconds, leastPartSeconds)
  }

  /// How many parts a rung is cut into; the scheduler starts nothing for one.
  package func partCount(frameCount: Int, limit: Int) -> Int {
    let seconds = Double(frameCount) * frameSeconds
    guard leastPartSeconds > 0 else { return limit }
    return max(1, Int(min(Double(limit), seconds / leastPartSeconds)))
  }

  var yamlLines: [String] {
    func scalar(_ text: String) -> String { ParameterSet.scalar(text) }
    var lines = ["search: \(mode.rawValue)", "best: \(scalar(best))"]
    if let budget { lines.append("budget: \(scalar(budget))") }
    lines.append("over: \(over.rawValue)")
    if !front.isEmpty { lines.append("front: \(scalar(front.joined(separator: ",")))") }
    return lines + [
      "digest: \(scalar(digest))", "frame-seconds: \(frameSeconds)", "least-part-seconds: \(leastPartSeconds)",
    ]
  }

  /// Nil if the file has no search.
  init?(_ share: YAMLDocument) throws(RetakeError) {
    guard let word = share.value("search") else { return nil }
    func number(_ key: String) -> Double? {
      share.value(key).flatMap(Double.init).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
    guard let mode = SearchMachine.Mode(rawValue: word), let best = share.value("best"),
      let over = share.value("over").flatMap(SearchGoal.Recordings.init), let digest = share.value("digest"),
      let frameSeconds = number("frame-seconds"), let leastPartSeconds = number("least-part-seconds")
    else {
      throw RetakeError(
        .corrupt, "\(share.name) is damaged: its search is not complete.", hint: "submit the search to another folder")
    }
    self.init(
      mode: mode, best: best, budget: share.value("budget"), over: over,
      front: share.value("front").map { [$0] } ?? [], digest: digest, frameSeconds: frameSeconds,
      leastPartSeconds: leastPartSeconds)
  }
}

extension YAMLDocument {
  func value(_ key: String) -> String? { entries.first { $0.key == key }?.value }
}
