import Support

extension SearchMachine {
  /// A search over made-up scores, which shows how many settings a search touches.
  package static func rehearsal(_ problem: Problem) -> Outcome {
    var machine = SearchMachine(problem)
    return machine.run { rung in
      rung.parts.flatMap { part in
        part.units.map { unit in
          let noise = SeededGenerator.hash(UInt64(part.setting), UInt64(unit), problem.seed) >> 40
          return .scored(problem.goal.scores.map { _ in .init(total: Double(noise), count: 1) })
        }
      }
    }
  }
}
