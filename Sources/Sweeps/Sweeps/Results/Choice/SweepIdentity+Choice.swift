import Support

extension SweepIdentity {
  /// What the command that made the results chose the best setting by, as its words say; nil without --best.
  package var choice: SweepChoice? {
    guard let words = ShellWord.split(words), let place = words.lastIndex(of: "--best"), place + 1 < words.count,
      let choice = try? SweepChoice(words[place + 1]), (try? check(choice)) != nil
    else { return nil }
    return choice
  }

  /// What is to be said where means decide, of a search that decided by the worst recording; nil for others.
  package var worstNote: String? {
    guard recordings.count > 1, let words = ShellWord.split(words), let place = words.lastIndex(of: "--over"),
      words[(place + 1)...].first == SearchGoal.Recordings.worst.rawValue
    else { return nil }
    return "by means over the recordings; the search itself chose by the worst one"
  }
}
