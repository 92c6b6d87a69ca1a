import FrameModel
import Scores
import Support

/// `--scores iou,flicker`.
enum SweepScores {
  static let all = "all"

  /// - Parameter words: lists of names with commas, of a command line or a file.
  /// - Returns: in one order, whatever theirs is; nil where nothing is said.
  /// - Throws: `.usage` naming the nearest.
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
