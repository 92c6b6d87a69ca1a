import MattePipeline
import Support

extension SweepDefinition {
  /// Checks that scores of every n-th frame can show what the swept parameters cost. Rates and intervals count recorded frames,
  /// and depth of the frames left out arrives with the next played one: with `--every 3`, each played frame has new depth at
  /// 1/3 as at 1/1. Where the numbers share no factor, the slower rate still has new depth on more of the played frames.
  /// - Throws: `.usage` for a swept rate or interval.
  func check(every: Int) throws(RetakeError) {
    guard every > 1, let term = terms.first(where: \.triesSchedules) else { return }
    throw RetakeError(
      .usage,
      "With --every \(every), scores cannot show what \(term.name) costs: it counts recorded frames, and what is new in a "
        + "frame left out comes with the next one played.",
      hint: "leave out --every, and shorten with --from and --to instead")
  }
}

extension SweepTerm {
  /// Whether it has several values of a rate, such as `depth.rate`, or of an interval in frames.
  fileprivate var triesSchedules: Bool {
    guard dimension.declaration.domain == .fraction || name == PipelineParameters.mask.every.declaration.name else {
      return false
    }
    if case .list(let values) = dimension.values { return values.count > 1 }
    return true
  }
}
