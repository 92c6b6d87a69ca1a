import Scores
import StudioViews
import Support

/// A setting's scores as the page reads them.
enum ScoresAnswer {
  static func json(_ progress: ScoreWatch.Progress) -> JSONObject {
    var object = JSONObject([
      "done": progress.doneCount, "total": progress.totalCount,
      "scores": progress.scores.map { score($0, progress) },
      "absent": progress.absences.map { JSONObject(["name": $0.score.name, "reason": $0.reason]) },
    ])
    if let failure = progress.failure {
      object.add(
        "error", JSONObject(["code": failure.code.rawValue, "message": failure.message, "hint": failure.hint]))
    }
    return object
  }

  private static func score(_ kind: ScoreKind, _ progress: ScoreWatch.Progress) -> JSONObject {
    let frames = progress.frames.compactMap { frame in frame.scores[kind].map { [Double(frame.number), $0] } }
    let mean = frames.isEmpty ? nil : frames.reduce(0) { $0 + $1[1] } / Double(frames.count)
    return JSONObject([
      "name": kind.name, "unit": kind.unit, "better": better(kind), "mean": progress.summary?[kind] ?? mean,
      "frames": frames,
    ])
  }

  /// For the page's list of scores.
  static func description(_ kind: ScoreKind) -> JSONObject {
    JSONObject([
      "name": kind.name, "unit": kind.unit, "better": better(kind), "help": kind.help,
      "standard": ScoreKind.standard.contains(kind),
    ])
  }

  private static func better(_ kind: ScoreKind) -> String {
    switch kind.preference {
    case .higher: "higher"
    case .lower: "lower"
    case .none: "none"
    }
  }
}
