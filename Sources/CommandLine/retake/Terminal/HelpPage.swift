import ArgumentParser

/// The help of a command. ArgumentParser breaks examples at a narrow terminal's width without a backslash, so that they
/// cannot be pasted.
enum HelpPage {
  /// The same exit, where the examples of a help page are whole. The terminal wraps what is longer than it is wide.
  static func withWholeExamples(_ exit: any Error) -> any Error {
    guard Retake.exitCode(for: exit).isSuccess else { return exit }
    let (page, wide) = (Retake.fullMessage(for: exit), Retake.fullMessage(for: exit, columns: 10_000))
    guard page != wide else { return exit }
    return CleanExit.message(joined(lines(page), examples(lines(wide))))
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func examples(_ lines: [String]) -> [String] {
    lines.indices.filter { index in
      lines[index].hasPrefix("retake ") || lines[index].hasPrefix("  retake ")
        || index > 0 && lines[index - 1].hasSuffix("\\")
    }.map { lines[$0] }
  }

  /// - Parameter examples: in the order of the page.
  private static func joined(_ lines: [String], _ examples: [String]) -> String {
    var result: [String] = []
    var rest = lines[...]
    var awaited = examples[...]
    while let line = rest.popFirst() {
      guard let example = awaited.first, !line.isEmpty, example.hasPrefix(line) else {
        result.append(line)
        continue
      }
      var whole = line
      var following = rest
      while whole.count < example.count, let next = following.popFirst() { whole += " " + next }
      if whole == example {
        rest = following
        awaited = awaited.dropFirst()
      } else {
        whole = line
      }
      result.append(whole)
    }
    return result.joined(separator: "\n")
  }
}
