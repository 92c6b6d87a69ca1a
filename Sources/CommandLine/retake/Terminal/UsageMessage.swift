import Support

/// Words ArgumentParser's messages as Retake's own errors: one sentence, then the next step.
enum UsageMessage {
  /// - Parameter text: "Error: …", then perhaps lines "Help:" and "Usage:", and one that names the help.
  static func error(_ text: String) -> RetakeError {
    let lines = text.split(separator: "\n").map(String.init)
    let first = lines.prefix { !$0.hasPrefix("Help:") && !$0.hasPrefix("Usage:") && !$0.hasPrefix("  See '") }
    var message = first.joined(separator: " ")
    message = String(message.trimmingPrefix("Error: "))
    var hints: [String] = []
    if let range = message.firstRange(of: ". Did you mean ") {
      hints.append("did you mean \(message[range.upperBound...].filter { $0 != "'" && $0 != "?" })?")
      message = String(message[..<range.lowerBound])
    }
    if let help = lines.first(where: { $0.hasPrefix("Help:") }) {
      hints.append(help.dropFirst("Help:".count).split(separator: " ").joined(separator: " ").droppingStop)
    } else if message.hasPrefix("Unexpected argument"), let usage = lines.first(where: { $0.hasPrefix("Usage: ") }),
      usage.count <= 100
    {
      hints.append("write \(usage.dropFirst("Usage: ".count))")
    }
    if let see = lines.last(where: { $0.hasPrefix("  See '") })?.split(separator: "'"), see.count > 1 {
      hints.append("'\(see[1])' explains it")
    }
    let isSentence = message.last.map { ".!?".contains($0) } ?? true
    let hint = hints.joined(separator: "; ").replacing("?; ", with: "? ")
    return RetakeError(.usage, isSentence ? message : message + ".", hint: hint)
  }

  /// The error for a first word that is no verb; nil if it is one, or an option.
  static func unknownVerb(_ arguments: [String], verbs: [String]) -> RetakeError? {
    guard let word = arguments.first, !word.hasPrefix("-"), !(verbs + ["help"]).contains(word) else { return nil }
    if word.hasSuffix(".retake") || word.hasSuffix(".retake/") {
      return RetakeError(
        .usage, "'\(word)' is no verb.",
        hint: "'retake info \(word)' shows what it holds, 'retake replay \(word)' plays it")
    }
    let nearest = Spelling.nearest(to: word, in: verbs) ?? "record"
    return RetakeError(
      .usage, "There is no verb '\(word)'.", hint: "did you mean \(nearest)? 'retake --help' lists the verbs")
  }
}

extension String {
  fileprivate var droppingStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
