import FrameModel
import Glibc
import Parameters
import Support

/// The rounds of a shared search. Each has parts that run at once: shares of a rung, or of the finalists' runs over all
/// frames. A step decides the next round by the parts of the last one.
///
///     rounds/3/round.yaml        what its parts do, and how many there are
///     rounds/3/start.sqlite      what was scored before it; never changed
///     rounds/3/part-1.sqlite     what a part scored
///     rounds/3/part-0.sqlite     what the step behind the round scored itself
extension SharedSweep {
  package enum RoundKind: String, Sendable {
    case rung
    /// Results of a sweep of the finalists.
    case finalists
  }

  package struct Round: Sendable {
    package var kind: RoundKind
    /// Scores of a setting on a unit, or runs, by part.
    package var counts: [Int]

    package init(kind: RoundKind, counts: [Int]) { (self.kind, self.counts) = (kind, counts) }
  }

  private static let hint = "remove that folder; 'retake sweep submit' then decides the round again"
  private static let roundLimit = 100_000

  package var startPath: String { roundPath(round) + "/start.sqlite" }

  /// The last round that was decided; 0 before the first.
  package func latestRound() throws(RetakeError) -> Int {
    let numbers = try Folder.names(in: path + "/rounds").compactMap { Int($0) }
    return numbers.filter { (1...Self.roundLimit).contains($0) && access(roundPath($0) + "/start.sqlite", F_OK) == 0 }
      .max() ?? 0
  }

  /// The parts of a round; before the first there are none.
  package func round(_ number: Int) throws(RetakeError) -> (sweep: SharedSweep, round: Round) {
    guard number > 0 else { return (withParts(ofRound: 0, count: 0), Round(kind: .rung, counts: [])) }
    let file = try YAMLDocument(path: roundPath(number) + "/round.yaml", hint: Self.hint)
    let counts = file.value("parts").map { $0.split(separator: " ").map { Int($0) ?? -1 } } ?? []
    guard let kind = file.value("kind").flatMap(RoundKind.init), Self.partRange.contains(counts.count),
      counts.allSatisfy({ $0 >= 0 })
    else { throw RetakeError(.corrupt, "\(file.name) is damaged.", hint: Self.hint) }
    return (withParts(ofRound: number, count: counts.count), Round(kind: kind, counts: counts))
  }

  /// Makes a round; an existing one stays as it is, since it was decided by the same scores.
  /// - Parameter ledger: what was scored before it.
  package func makeRound(_ number: Int, _ round: Round, _ ledger: SearchLedger) throws(RetakeError) {
    try Folder.make(roundPath(number))
    let start = roundPath(number) + "/start.sqlite"
    guard access(start, F_OK) != 0 else { return }
    let lines = ["kind: \(round.kind.rawValue)", "parts: \"\(round.counts.map(String.init).joined(separator: " "))\""]
    try FileBytes.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: roundPath(number) + "/round.yaml")
    // Last: what has it is complete.
    try ledger.writeCopy(to: start)
  }

  /// Numbers of the parts of a rung that have a file, that of the step included.
  package var scoredParts: [Int] { (0...partCount).filter { access(partPath($0), F_OK) == 0 } }
}
