import ArgumentParser
import Glibc
import Replay
import Support

/// Recognises words that stand where another is expected: a mistyped verb, a path before its format, a recording where a
/// camera belongs. ArgumentParser would only miss a word, or take a mistyped verb for a path.
enum WrongWords {
  /// The error for a word that is no verb, also behind `help`, or no subcommand of a verb that has some; nil if all are.
  static func unknownVerb(_ arguments: [String], of root: ParsableCommand.Type) -> RetakeError? {
    let isHelp = arguments.first == "help"
    let words = (isHelp ? Array(arguments.dropFirst()) : arguments).prefix { !$0.hasPrefix("-") }
    guard let word = words.first else { return nil }
    guard let verb = subcommand(word, of: root) else {
      if word == "help" || isHelp && word == root.configuration.commandName { return nil }
      return unknown(word, of: root, parents: [])
    }
    let verbs = names(of: verb)
    guard !verbs.isEmpty, let next = words.dropFirst().first, !(verbs + ["help"]).contains(next) else { return nil }
    // Without a subcommand, the word is a path.
    if !isHelp {
      guard Spelling.nearest(to: next, in: verbs) != nil, !next.contains("/"), !next.contains("."),
        PathKind(path: next) == nil
      else { return nil }
    }
    return unknown(next, of: verb, parents: [word])
  }

  /// The error for a path that begins with a dash, whose letters would be taken for options; nil for none.
  static func dashedPath(_ arguments: [String]) -> RetakeError? {
    let words = arguments.dropFirst().prefix { $0 != "--" }
    guard let word = words.first(where: { $0.hasPrefix("-") && $0.count > 2 && access($0, F_OK) == 0 }) else {
      return nil
    }
    return RetakeError(
      .usage, "'\(word)' begins with a dash, and is taken for options.", hint: "write ./\(ShellWord.quoted(word))")
  }

  /// Verbs that write folders, or files that readers go back in.
  private static let writing: Set<String> = ["record", "import", "trim", "join", "pack", "unpack", "export", "plate"]

  /// The error for '-' as an output that cannot be standard output; nil for none.
  static func dashedOutput(_ arguments: [String]) -> RetakeError? {
    guard let verb = arguments.first, writing.contains(verb) else { return nil }
    let words = arguments.prefix { $0 != "--" }
    let isPair = zip(words, words.dropFirst()).contains { ["-o", "--output"].contains($0) && $1 == "-" }
    guard isPair || words.contains("--output=-") else { return nil }
    return RetakeError(
      .usage, "'retake \(verb)' cannot write to standard output.",
      hint: "name a folder or file with --output; one that is called '-' is ./-")
  }

  private static let assigning: Set<String> = ["--set", "--scan", "--list", "--range"]

  /// The error for a parameter with a space before its value, which would be taken for another argument; nil for none.
  static func dividedAssignment(_ arguments: [String]) -> RetakeError? {
    for (place, word) in arguments.enumerated() where assigning.contains(word) && place + 2 < arguments.count {
      let (name, value) = (arguments[place + 1], arguments[place + 2])
      guard !value.hasPrefix("--"), ReplaySession.declarations.contains(where: { $0.name == name }) else { continue }
      let isOption = value.hasPrefix("-") && Double(value) == nil
      let whole = isOption ? "\(name)=VALUE" : ShellWord.quoted("\(name)=\(value)")
      return RetakeError(
        .usage, "\(word) \(name) has no value.",
        hint: "write \(word) \(whole)\(isOption ? "; 'retake parameters \(name)' tells its range" : "")")
    }
    return nil
  }

  /// The error for values of --list with spaces between them, which would be taken for recordings; nil for none.
  static func dividedList(_ arguments: [String]) -> RetakeError? {
    guard arguments.first == "sweep" else { return nil }
    for (place, word) in arguments.enumerated() where word == "--list" && place + 2 < arguments.count {
      var words = [arguments[place + 1]]
      guard words[0].contains("=") else { continue }
      for next in arguments[(place + 2)...] {
        let number = Double(next.hasSuffix(",") ? String(next.dropLast()) : next)
        let isAwaited = [",", "="].contains(words.last?.last) && !next.hasPrefix("--")
        guard isAwaited || number != nil && access(next, F_OK) != 0 else { break }
        words.append(next)
      }
      guard words.count > 1 else { continue }
      let values = words.joined(separator: ",").replacing("=,", with: "=").split(separator: ",").joined(separator: ",")
      return RetakeError(
        .usage, "\(word) \(words[0]) has spaces between its values.",
        hint: "write \(word) \(ShellWord.quoted(values))")
    }
    return nil
  }

  private static func subcommand(_ name: String, of command: ParsableCommand.Type) -> ParsableCommand.Type? {
    command.configuration.subcommands.first { $0.configuration.commandName == name }
  }

  private static func names(of command: ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  private static func unknown(_ word: String, of command: ParsableCommand.Type, parents: [String]) -> RetakeError {
    if parents.isEmpty, isRecording(word) {
      return RetakeError(
        .usage, "'\(word)' is no verb.",
        hint: "'retake info \(word)' shows what it holds, 'retake replay \(word)' plays it")
    }
    if parents.isEmpty, word == "version" {
      return RetakeError(.usage, "There is no verb 'version'.", hint: "write: retake --version")
    }
    // Not `run`, which may be left out and says nothing of sweeps.
    let owner = command.configuration.subcommands.first { verb in
      names(of: verb).contains(word) && verb.configuration.defaultSubcommand?.configuration.commandName != word
    }
    if parents.isEmpty, let verb = owner?.configuration.commandName {
      return RetakeError(.usage, "There is no verb '\(word)'.", hint: "did you mean 'retake \(verb) \(word)'?")
    }
    let page = (["retake"] + parents + ["--help"]).joined(separator: " ")
    return RetakeError(
      .usage, "There is no verb '\((parents + [word]).joined(separator: " "))'.",
      hint: "\(Spelling.guess(word, in: names(of: command)))'\(page)' lists the verbs")
  }

  /// What a verb's first word should be.
  private static let wanted: [[String]: PathKind] = [
    ["reproduce"]: .bundle, ["compare"]: .digests, ["sweep", "best"]: .results, ["sweep", "table"]: .results,
    ["sweep", "report"]: .results, ["sweep", "compare"]: .results,
    ["replay"]: .recording, ["bundle"]: .recording, ["trim"]: .recording, ["mark"]: .recording, ["tag"]: .recording,
    ["join"]: .recording, ["pack"]: .recording, ["unpack"]: .recording,
  ]

  /// The mistake that explains best why arguments could not be parsed; nil if there is none that Retake knows.
  static func found(in arguments: [String]) -> RetakeError? {
    let words = arguments.prefix { !$0.hasPrefix("-") }
    guard let verb = words.first else { return nil }
    let next = words.dropFirst().first
    switch verb {
    case "record", "live":
      guard let next else { return nil }
      return insteadOfCamera(next, verb)
    case "export":
      guard let next, isRecording(next) else { return nil }
      let kind = words.dropFirst(2).first ?? exportKind(arguments)
      return RetakeError(
        .usage, "The format comes before the recording.",
        hint: "write: retake export \(kind) \(ShellWord.quoted(next)) -o \(kind == "png" ? "FOLDER" : "FILE")")
    default:
      for count in [2, 1] where words.count > count {
        guard let kind = wanted[Array(words.prefix(count))] else { continue }
        return PathKind.mismatch(words[count], wanted: kind, code: .usage)
      }
      return nil
    }
  }

  /// What an option or a file's name says; png if nothing does.
  private static func exportKind(_ arguments: [String]) -> String {
    let kinds = arguments.map { word -> ExportKind? in
      let name = word.split(separator: "=").last.map(String.init) ?? word
      let ending = name.split(separator: ".").last.map(String.init) ?? ""
      return ExportKind(rawValue: name) ?? (name.contains(".") ? ExportKind(ending: ending) : nil)
    }
    return (kinds.lazy.compactMap { $0 }.first ?? .png).rawValue
  }

  private static func insteadOfCamera(_ word: String, _ verb: String) -> RetakeError {
    let path = ShellWord.quoted(word)
    if verb == "record" {
      return RetakeError(
        .usage, "'\(word)' stands without an option.",
        hint: isRecording(word)
          ? "write: retake record --device CAMERA --output \(path)" : "write: retake record --device \(path)")
    }
    if let input = OptionOwners.input(word, of: verb) {
      return RetakeError(
        .usage, "'\(word)' stands without an option.", hint: "write: retake live --device CAMERA \(input)")
    }
    return RetakeError(
      .usage,
      isRecording(word) ? "\(word) is a recording; 'live' takes cameras." : "'\(word)' stands without an option.",
      hint: isRecording(word) ? "write: retake replay \(path)" : "write: retake live --device \(path)")
  }

  static func isRecording(_ word: String) -> Bool {
    word.hasSuffix(".retake") || word.hasSuffix(".retake/") || PathKind(path: word) == .recording
  }
}
