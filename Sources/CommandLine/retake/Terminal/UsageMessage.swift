import Replay
import Support

/// Words ArgumentParser's messages as Retake's own errors: one sentence, then the next step.
enum UsageMessage {
  /// - Parameter text: "Error: …", then perhaps lines "Help:" and "Usage:", and one that names the help.
  static func error(_ text: String, _ arguments: [String] = []) -> RetakeError {
    let lines = text.split(separator: "\n").map(String.init)
    let first = lines.prefix { !$0.hasPrefix("Help:") && !$0.hasPrefix("Usage:") && !$0.hasPrefix("  See '") }
    var message = String(first.joined(separator: " ").map { $0 == PairedArguments.separator ? " " : $0 })
    message = String(message.trimmingPrefix("Error: "))
    var hints: [String] = []
    if let range = message.firstRange(of: ". Did you mean ") {
      hints.append("did you mean \(message[range.upperBound...].filter { $0 != "'" && $0 != "?" })?")
      message = String(message[..<range.lowerBound])
    }
    if let known = Self.hint(message, arguments) {
      hints = [known]
    } else if let help = lines.first(where: { $0.hasPrefix("Help:") }) {
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

  /// "--from", of "--from <from>".
  private static func option(_ word: Substring) -> String { String(word.prefix { $0 != " " }) }

  /// The parameter that an option is meant to set: "--matte-blur", "--matte.blur=3".
  private static func parameter(_ option: Substring) -> String? {
    let given = option.prefix { $0 != "=" }.drop { $0 == "-" }
    let name = given.contains(".") ? given : given.replacing("-", with: ".", maxReplacements: 1)
    return ReplaySession.declarations.first { $0.name == name }?.name
  }

  /// What stands behind an option's equals sign, or behind the option.
  private static func value(of option: Substring, in arguments: [String]) -> String? {
    guard let place = arguments.firstIndex(where: { $0 == option || $0.hasPrefix(option + "=") }) else { return nil }
    let value = arguments[place].dropFirst(option.count + 1)
    return value.isEmpty ? arguments.dropFirst(place + 1).first : String(value)
  }

  private static let moments = ["--from", "--to", "--at"]
  private static let durations = ["--duration", "--max-duration", "--preroll", "--before", "--after"]

  /// "90s" for "1:30", "12.5s" for "12,5s"; nil for no time, and for what is written otherwise.
  private static func time(_ word: Substring) -> String? {
    let fields = word.split(separator: ":", omittingEmptySubsequences: false)
    if fields.count == 2 || fields.count == 3 {
      let numbers = fields.compactMap { $0.count <= 4 && $0.allSatisfy { "0"..."9" ~= $0 } ? Int($0) : nil }
      let seconds = numbers.reduce(0) { $0 * 60 + $1 }
      return numbers.count == fields.count && seconds > 0 ? "\(seconds)s" : nil
    }
    let pointed = String(word.hasSuffix(",") ? word.dropLast() : word).replacing(",", with: ".")
    guard pointed != word else { return nil }
    return [pointed, pointed + "s"].first { text in
      if case .time(let nanoseconds)? = MomentArgument(argument: text)?.moment { nanoseconds > 0 } else { false }
    }
  }

  /// Of options that have no check of their own for it.
  private static func leastValue(of option: String) -> String? {
    switch option {
    case "--duration", "--max-duration": "more than 0: 5s, 500ms, 2m, 1h"
    case "--from", "--to", "--at", "--seed": "0 or more"
    default: nil
    }
  }

  /// The first option that lacks its second dash: ArgumentParser takes each of its letters for one.
  private static func dashed(_ arguments: [String], of verb: String) -> String? {
    let words = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 2 }
    return words.map { "-" + $0.prefix { $0 != "=" } }.first { OptionOwners.verbs(with: $0).contains(verb) }
  }

  /// What to write for a word that no argument takes.
  private static func unexpected(_ word: String, of verb: String, in arguments: [String]) -> String? {
    if verb == "mark" { return "write --label \(ShellWord.quoted(word))" }
    // These make recordings, so the second one may be the output.
    if !["record", "trim", "pack", "unpack", "import"].contains(verb), WrongWords.isRecording(word),
      arguments.count(where: WrongWords.isRecording) > 1
    {
      return "it takes one recording at a time"
    }
    if let input = OptionOwners.input(word, of: verb) {
      return "write \(input)\(input.hasPrefix("--background") ? "; an output needs --output" : "")"
    }
    guard word.contains(where: { "./".contains($0) }), [nil, .folder].contains(PathKind(path: word)),
      !arguments.contains(where: { $0 == "-o" || $0.hasPrefix("--output") }),
      OptionOwners.verbs(with: "--output").contains(verb)
    else { return nil }
    return "write --output \(ShellWord.quoted(word))"
  }

  /// What to write instead, where ArgumentParser's own words do not tell.
  private static func hint(_ message: String, _ arguments: [String]) -> String? {
    guard let verb = arguments.first, let word = message.split(separator: "'").dropFirst().first else { return nil }
    if message.hasPrefix("Unknown option") || message.hasPrefix("Missing value"),
      let option = Self.dashed(arguments, of: verb)
    {
      return "did you mean \(option)?"
    }
    if message.hasPrefix("Unexpected argument '"), message.hasSuffix("'") {
      // The word itself may have quotation marks.
      return unexpected(String(message.dropFirst("Unexpected argument '".count).dropLast()), of: verb, in: arguments)
    }
    if message.hasPrefix("Missing value"), verb == "mark", ["--remove", "--rename"].contains(option(word)) {
      let mark = arguments.firstIndex(of: "--at").flatMap { arguments.dropFirst($0 + 1).first } ?? "LABEL"
      return "write \(option(word)) \(ShellWord.quoted(mark))\(option(word) == "--rename" ? "=NEW" : "")"
    }
    let parts = message.split(separator: "'")
    if message.hasPrefix("The value '"), parts.count > 3, parts.dropFirst(4).allSatisfy({ $0 == "." }) {
      let name = option(parts[3])
      let number = NumberWord(word)
      if let least = leastValue(of: name), number?.isNegative == true {
        return "\(word) is below 0; \(name) takes \(least)"
      }
      if moments.contains(name) || durations.contains(name), let time = time(word) {
        return "write \(name) \(time)"
      }
      if moments.contains(name), number?.nearest != nil {
        return "no recording has so many frame sets; 'retake info' shows how many there are"
      }
      // Without a unit, it may be a number of something else.
      if word.last?.isLetter == true, Quantity.isTooLong(String(word)) {
        return "at most \(Quantity.longestHours)h: more hours are no time that a recording has"
      }
    }
    guard message.hasPrefix("Unknown option") else { return nil }
    if verb.hasPrefix("-") {
      // ArgumentParser adds these two itself, and suggests only what a command declares.
      if word == "-V" || word == "-v" { return "did you mean --version?" }
      if let near = Spelling.nearest(to: String(word), in: ["--version", "--help"]) { return "did you mean \(near)?" }
    }
    if verb.hasPrefix("-"), let behind = OptionOwners.verb(behind: String(option(word)), in: arguments) {
      return "the verb stands first: retake \(behind) \(option(word)) …"
    }
    if word.hasPrefix("--device"), word != "--device" { return "write a space behind --device" }
    if word == "--preview", verb == "record" {
      return "'retake studio --device …' shows the cameras, and records; 'retake live' makes a video of them"
    }
    if verb == "record", ["--frames", "--seconds", "--time", "--length"].contains(option(word)) {
      return "--duration 10s ends it after a time, and 'simulated?frames=100' a simulated camera after so many frames"
    }
    if option(word) == "--params", OptionOwners.verbs(with: "--parameters").contains(verb) {
      return "did you mean --parameters?"
    }
    if word == "--background", verb == "sweep" { return "write --set composite.background=FILE" }
    if word.count == 2, word.first == "-", let letter = word.last {
      let options = OptionOwners.options(of: verb, beginningWith: letter)
      guard !options.isEmpty else { return nil }
      return "options that begin so: \(options.joined(separator: ", "))"
    }
    if let parameter = Self.parameter(word), OptionOwners.verbs(with: "--set").contains(verb) {
      let value = Self.value(of: word, in: arguments) ?? "VALUE"
      return "write --set \(ShellWord.quoted("\(parameter)=\(value)"))"
    }
    let others = OptionOwners.verbs(with: String(word.prefix { $0 != "=" })).filter { $0 != verb }
    guard !others.isEmpty else { return nil }
    let rest = others.count > 6 ? " and others" : ""
    return "\(word) is an option of \(others.prefix(6).map { "'retake \($0)'" }.joined(separator: ", "))\(rest)"
  }
}

extension String {
  fileprivate var droppingStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
