import Scores
import Sweeps

/// The settings of a sweep with what is known of their scores so far.
package struct SweepRows: Sendable {
  package struct Row: Sendable {
    package enum State: Sendable, Equatable {
      case done
      case failed(String)
      /// Scored on some of the frames only.
      case partial
    }

    package var number: Int
    /// Of the varied parameters.
    package var values: [String]
    package var state: State
    /// One for each score.
    package var scores: [Double?]
    /// Milliseconds of a processor's time for a frame.
    package var cost: Double?
    /// Per cent.
    package var gaps: Double?
    package var frameCount: Int
    /// Of `SweepRows.revision`, at its last change.
    package var revision = 0
  }

  private let scores: [ScoreKind]
  /// The varied parameters.
  private let tried: [String]
  private var rows: [Int: Row] = [:]
  /// Of settings that a search has scored, by setting and unit.
  private var sums: [Int: [Int: Sums]] = [:]
  /// Values of the settings that are scored in full, and their numbers as rows.
  private var settings: [(number: Int, values: [String])] = []
  /// Counts changes.
  package private(set) var revision = 0

  private struct Sums: Sendable {
    var values: [SearchScore.Sum]
    var isWhole: Bool
  }

  package init(tried: [String], scores: [ScoreKind]) { (self.tried, self.scores) = (tried, scores) }

  /// Rows that changed after a revision, in the order of their changes.
  package func changed(after revision: Int, most: Int) -> [Row] {
    Array(rows.values.filter { $0.revision > revision }.sorted { $0.revision < $1.revision }.prefix(most))
  }

  /// - Parameter numbers: of the identity's settings as rows; nil if they are the same.
  package mutating func begin(_ identity: SweepIdentity, numbers: [Int]? = nil) {
    let places = tried.map { name in identity.settings[0].parameters.firstIndex { $0.name == name } }
    settings = identity.settings.enumerated().map { place, setting in
      (numbers?[place] ?? place, places.map { place in place.map { setting.parameters[$0].value } ?? "" })
    }
  }

  package mutating func add(_ run: RunSummary) {
    let (number, values) = settings[run.key.setting]
    var row = Row(
      number: number, values: values, state: .done, scores: scores.map { _ in nil }, cost: nil, gaps: nil,
      frameCount: run.frameCount)
    switch run.outcome {
    case .failed(let error): row.state = .failed(error)
    case .scored(let summary):
      row.scores = scores.map { summary[$0] }
      row.cost = run.cost.map { $0.total / 1e6 }
      row.gaps = run.frameCount == 0 ? nil : Double(run.missingCount) * 100 / Double(run.frameCount)
    }
    set(row)
  }

  /// - Parameters:
  ///   - scores: those of the search, in the order of its sums.
  ///   - isWhole: whether all of the recording was played for it.
  mutating func add(_ part: SearchRun.Scored, values: [String], scores searched: [ScoreKind], isWhole: Bool) {
    guard rows[part.setting].map({ $0.state == .partial }) ?? true else { return }
    var row = Row(
      number: part.setting, values: values, state: .partial, scores: scores.map { _ in nil }, cost: nil, gaps: nil,
      frameCount: 0)
    switch part.score {
    case .failed: row.state = .failed("It could not be played on some frames.")
    case .scored(let values):
      sums[part.setting, default: [:]][part.unit] = Sums(values: values, isWhole: isWhole)
      let all = sums[part.setting].map { Array($0.values) } ?? []
      // What was played without a pause counts, as in a sweep.
      let counted = all.contains(where: \.isWhole) ? all.filter(\.isWhole) : all
      for (place, kind) in searched.enumerated() {
        guard let column = scores.firstIndex(of: kind) else { continue }
        let count = counted.reduce(0) { $0 + $1.values[place].count }
        let total = counted.reduce(0) { $0 + $1.values[place].total }
        row.scores[column] = count == 0 ? nil : total / Double(count)
        row.frameCount = max(row.frameCount, count)
      }
    }
    set(row)
  }

  private mutating func set(_ row: Row) {
    revision += 1
    rows[row.number] = row
    rows[row.number]?.revision = revision
  }
}
