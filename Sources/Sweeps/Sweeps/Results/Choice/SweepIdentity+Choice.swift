import Support

extension SweepIdentity {
  /// What the command that made the results chose the best setting by, as its words say; nil without --best.
  package var choice: SweepChoice? {
    guard let words = ShellWord.split(words), let place = words.lastIndex(of: "--best"), place + 1 < words.count,
      let choice = try? SweepChoice(words[place + 1]), (try? check(choice)) != nil
    else { return nil }
    return choice
  }
}
