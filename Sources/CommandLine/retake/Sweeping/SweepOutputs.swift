import Support
import Sweeps

struct SweepOutputs {
  private let csv: TextOutput?
  private let json: TextOutput?
  private let best: TextOutput?
  private let results: String

  /// - Throws: if a file cannot be made or is the results' own, before work that may take long.
  init(csv: String?, json: String?, best: String?, results: String, _ existing: ExistingFiles) throws(RetakeError) {
    self.results = results
    // A resumed or repeated sweep may replace its own earlier output.
    let isResumed = FileReplacement.replaces(results)
    func output(_ path: String?, _ option: String) -> TextOutput? {
      path.map { TextOutput(path: $0, option: option, results: results, existing: existing, mayBeSame: isResumed) }
    }
    self.csv = output(csv, "--csv")
    self.json = output(json, "--json")
    self.best = output(best, "--write-best")
    let files = [self.csv, self.json, self.best].compactMap { $0?.file }.filter { !TextOutput.isDevice($0) }
    for (number, file) in files.enumerated() where files[..<number].contains(where: { TextOutput.areSame($0, file) }) {
      throw OutputTarget.areTwo(file)
    }
    try self.csv?.check()
    try self.json?.check()
    try self.best?.check()
  }

  var useStandardOutput: Bool { [csv, json, best].contains { $0?.isStandardOutput == true } }

  func writeTables(_ identity: SweepIdentity, _ summaries: [RunSummary], isQuiet: Bool) throws(RetakeError) {
    let table = SweepTableText(identity)
    try csv?.write(table.csv(summaries), isQuiet: isQuiet)
    try json?.write(table.json(summaries), isQuiet: isQuiet)
  }

  func write(_ winner: SweepWinner, isQuiet: Bool) throws(RetakeError) {
    guard let best else { return }
    try best.write(try winner.yaml(in: best.file, results: results), isQuiet: isQuiet)
  }
}
