import Support

extension SweepIdentity {
  /// What the command that made the results chose the best setting by, as its words say; nil without --best.
  package var choice: SweepChoice? {
    guard let word = word(after: "--best"), let choice = try? SweepChoice(word), (try? check(choice)) != nil
    else { return nil }
    return choice
  }

  /// What is to be said where means decide, of a search that decided by the worst recording; nil for others.
  package var worstNote: String? {
    guard recordings.count > 1, word(after: "--over") == SearchGoal.Recordings.worst.rawValue else { return nil }
    return "by means over the recordings; the search itself chose by the worst one"
  }

  /// What the command gave to an option; nil if it did not.
  private func word(after option: String) -> String? {
    ShellWord.split(words).flatMap { words in words.lastIndex(of: option).flatMap { words[($0 + 1)...].first } }
  }
}
