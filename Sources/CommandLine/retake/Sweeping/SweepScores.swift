import Scores
import Support

/// Parses `--scores iou,flicker`.
enum SweepScores {
  static let all = "all"

  /// - Parameter words: comma-separated names.
  /// - Returns: scores in declaration order; nil if there are no words.
  /// - Throws: `.usage`, naming the nearest valid name.
  static func named(_ words: [String]) throws(RetakeError) -> [ScoreKind]? {
    guard !words.isEmpty else { return nil }
    var wanted: Set<ScoreKind> = []
    for word in words.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }) {
      let name = word.filter { $0 != " " }
      if name == all { wanted.formUnion(ScoreKind.allCases) } else { wanted.insert(try ScoreKind.named(name)) }
    }
    return sorted(wanted)
  }

  static func sorted(_ scores: Set<ScoreKind>) -> [ScoreKind] { ScoreKind.allCases.filter(scores.contains) }
}
