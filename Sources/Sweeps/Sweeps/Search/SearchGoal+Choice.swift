import Scores
import Support

extension SearchGoal {
  /// - Parameters:
  ///   - choice: limits and the score to search by.
  ///   - front: further scores whose Pareto front with the first is searched.
  /// - Throws: `.usage` for a measure that short runs of frames do not have.
  package init(_ choice: SweepChoice, front: [ScoreKind] = [], recordings: Recordings = .mean) throws(RetakeError) {
    guard case .score(let score) = choice.measure else { throw Self.unsuitable(choice.measure) }
    for measure in choice.limits.map(\.measure) + front.map(SweepMeasure.score) + [choice.measure] {
      guard case .score(let kind) = measure, kind.isOfFrames else { throw Self.unsuitable(measure) }
    }
    var targets = [Target(score: score, wantsHigher: choice.direction == .highest)]
    for kind in front where kind != score {
      guard kind.preference != .none else {
        throw RetakeError(
          .usage, "'\(kind.name)' has no better direction, so it has no front.", hint: "name another score")
      }
      targets.append(Target(score: kind, wantsHigher: kind.preference == .higher))
    }
    self.init(targets, limits: choice.limits, recordings: recordings)
  }

  private static func unsuitable(_ measure: SweepMeasure) -> RetakeError {
    let why =
      switch measure {
      case .cost: "cost is measured, so it differs every time, and a search is to be reproducible"
      case .unsupervised: "unsupervised is a rank among the settings of a whole sweep"
      case .score: "\(measure.name) is a score of whole recordings, which short runs of frames do not have"
      }
    let names = ScoreKind.allCases.filter { $0.isOfFrames && $0.preference != .none }.map(\.name)
    return RetakeError(
      .usage, "A search cannot choose by \(measure.name): \(why).",
      hint: "choose by \(names.joined(separator: ", ")), or sweep without --search")
  }
}
