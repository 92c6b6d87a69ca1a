import FrameModel
import SweepResults

/// What a sweep writes beside its results.
struct SweepOutputs {
  private let csv: TextOutput?
  private let json: TextOutput?
  private let best: TextOutput?

  /// - Throws: where one of them cannot be made: before work that may take long.
  init(csv: String?, json: String?, best: String?) throws(RetakeError) {
    (self.csv, self.json, self.best) = (csv.map(TextOutput.init), json.map(TextOutput.init), best.map(TextOutput.init))
    try self.csv?.check("--csv")
    try self.json?.check("--json")
    try self.best?.check("--write-best")
  }

  var useStandardOutput: Bool { [csv, json, best].contains { $0?.isStandardOutput == true } }

  func writeTables(_ identity: SweepIdentity, _ summaries: [RunSummary], isQuiet: Bool) throws(RetakeError) {
    let table = SweepTableText(identity)
    try csv?.write(table.csv(summaries), isQuiet: isQuiet)
    try json?.write(table.json(summaries), isQuiet: isQuiet)
  }

  func write(_ winner: SweepWinner, isQuiet: Bool) throws(RetakeError) {
    try best?.write(try winner.yaml(), isQuiet: isQuiet)
  }
}
