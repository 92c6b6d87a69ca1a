import FrameModel
import Support

extension SearchRun {
  /// Divides what a rung lacks: by frames first, since every part reads its frames, then in the order in which settings
  /// share most. A function of the search and of what is scored, so that every computer divides alike.
  package func divided(_ tasks: [SearchTask], count: Int) throws(RetakeError) -> [[SearchTask]] {
    precondition(count >= 1)
    let whole = UInt128(tasks.reduce(0) { $0 + $1.frameCount })
    var shares = [[SearchTask]](repeating: [], count: count)
    var done: UInt128 = 0
    for task in tasks {
      let settings = try settings(of: task).map(\.parameters)
      let (mattes, failures) = try BatchPlan.mattes(settings.indices, of: settings, measuresLag: false)
      for places in [failures.map(\.setting)] + mattes.map(\.settings) where !places.isEmpty {
        let share = Int(min(done * UInt128(count) / max(1, whole), UInt128(count - 1)))
        let parts = places.sorted().map { task.parts[$0] }
        done += UInt128(parts.count * task.pass.played.count)
        // The last task of a share is this one, or another pass.
        if let last = shares[share].indices.last, shares[share][last].unitNumbers == task.unitNumbers {
          shares[share][last].parts += parts
        } else {
          shares[share].append(SearchTask(pass: task.pass, parts: parts))
        }
      }
    }
    return shares
  }

  /// Scores one share of a rung into a file that has nothing but shares of this rung.
  /// - Returns: false if it was ended.
  package func score(
    _ share: [SearchTask], into ledger: SearchLedger, _ scorer: SearchScorer, goesOn: () -> Bool
  ) throws(RetakeError) -> Bool {
    for task in share {
      let left = task.lacking(in: ledger)
      guard !left.parts.isEmpty else { continue }
      try ledger.add(left.parts)
      guard try score(left, into: ledger, scorer, goesOn: goesOn) else { return false }
    }
    return true
  }

  /// What a shared search does next.
  package enum Next {
    case rung([SearchTask])
    case found(SearchMachine.Outcome)
  }

  /// Takes the decisions that the scores in a file allow. Plays nothing.
  package func next(_ ledger: SearchLedger) throws(RetakeError) -> Next {
    var lacking: [SearchTask] = []
    let outcome = try run(
      into: ledger, scorer(threadCount: 1, memoryLimit: 0),
      stopsBefore: {
        lacking = $0
        return true
      })
    return outcome.map(Next.found) ?? .rung(lacking)
  }
}
