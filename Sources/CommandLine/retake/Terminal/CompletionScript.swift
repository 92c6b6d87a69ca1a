import ArgumentParser

/// Scripts that complete Retake's words in a shell. ArgumentParser's complete neither verbs after `help` nor options
/// where a subcommand is left out, as in `sweep RECORDING --best`, and in bash and zsh no values that contain `:`.
enum CompletionScript {
  private static let option = "--generate-completion-script"

  /// The script that the arguments ask for; nil if they ask for something else.
  static func wanted(by arguments: [String]) -> String? {
    let shell: CompletionShell? =
      switch arguments.count {
      case 1 where arguments[0] == option: .autodetected()
      case 1 where arguments[0].hasPrefix(option + "="):
        CompletionShell(rawValue: String(arguments[0].dropFirst(option.count + 1)))
      case 2 where arguments[0] == option: CompletionShell(rawValue: arguments[1])
      default: nil
      }
    return shell.map(text)
  }

  private static func text(for shell: CompletionShell) -> String {
    let script = Retake.completionScript(for: shell)
    return switch shell {
    case .bash: script + "\n" + bash(verbs, pairs: pairs)
    case .zsh: zsh(script, verbs)
    case .fish: fish(script, verbs)
    default: script
    }
  }

  /// Verbs with `--at WHEN name=value`, of which ArgumentParser's scripts know one word.
  private static var pairs: [String] { PairedArguments.commands.sorted() }

  /// A verb whose subcommand may be left out.
  struct Verb {
    let name: String
    /// What is meant then.
    let usual: String
    let subcommands: [String]

    /// A pattern of bash and zsh.
    var pattern: String { subcommands.joined(separator: "|") }
  }

  private static var verbs: [Verb] {
    Retake.configuration.subcommands.compactMap { command in
      let configuration = command.configuration
      guard let name = configuration.commandName, let usual = configuration.defaultSubcommand?.configuration.commandName
      else { return nil }
      return Verb(
        name: name, usual: usual, subcommands: configuration.subcommands.compactMap { $0.configuration.commandName })
    }
  }

  private static func zsh(_ script: String, _ verbs: [Verb]) -> String {
    // The end runs or registers the functions, and stays the end.
    let end = "\nif [[ \"${funcstack[1]}\" = _retake ]]; then\n"
    let functions = #"""

      # Takes the place of the function above, which ends values at ':', and adds a space to 'name='.
      __retake_complete() {
          compadd -V '' -S '' -- "${(@M)@:#*[=:]}"
          compadd -V '' -- "${(@)@:#*[=:]}"
      }

      # Completes behind 'help' what could stand in its place.
      _retake_help() {
          [[ "${CURRENT}" -gt 2 && "${words[2]}" != (\#(verbs.map(\.name).joined(separator: "|"))) ]] || _retake
      }

      """#
    let paired = pairs.reduce(script.replacing(end, with: functions + end)) { script, verb in
      let start = "\n_retake_\(verb)() {\n"
      return script.replacing(
        start,
        with: start + #"""
              if ((CURRENT > 3)) &&
                  [[ "${words[CURRENT-1]}" = --at=* || "${words[CURRENT-2]}" = --at && "${words[CURRENT-1]}" != -* ]]; then
                  words=("${words[1]}" --set "${words[CURRENT]}")
                  CURRENT=3
              fi

          """#)
    }
    return verbs.reduce(paired) { script, verb in
      let start = "\n_retake_\(verb.name)() {\n"
      return script.replacing(
        start,
        with: start + #"""
              if [[ "${words[2]}" != (\#(verb.pattern)) ]]; then
                  if [[ "${CURRENT}" -gt 2 || "${words[2]}" = -* ]]; then
                      words=("${words[1]}" \#(verb.usual) "${(@)words[2,-1]}")
                      ((CURRENT++))
                  else
                      _files -/
                  fi
              fi

          """#)
    }
  }

  private static func fish(_ script: String, _ verbs: [Verb]) -> String {
    let start = "    set -l unparsed_tokens (__retake_tokens -pc)\n"
    let help = """
          if test "$unparsed_tokens[2]" = help
              set -e unparsed_tokens[2]
          end

      """
    let usual = verbs.map { verb in
      """
          set -l words $unparsed_tokens[3] (commandline -ct)
          if test "$unparsed_tokens[2]" = \(verb.name)
              and not contains -- "$words[1]" \(verb.subcommands.joined(separator: " "))
              and begin
                  string match -q -- '-*' "$words[1]"; or test (count $unparsed_tokens) -gt 2
              end
              set unparsed_tokens $unparsed_tokens[1..2] \(verb.usual) $unparsed_tokens[3..]
          end

      """
    }
    let folders = verbs.map { verb in
      let condition = "__retake_should_offer_completions_for_positional \"retake \(verb.name)\" -eq 1"
      return "complete -c 'retake' -n '\(condition)' -fa '(__retake_complete_directories)'\n"
    }
    let behindAt = """
      function __retake_is_behind_at
          set -l tokens (__retake_tokens -pc)
          test (count $tokens) -gt 3; and contains -- "$tokens[2]" \(pairs.joined(separator: " ")); or return 1
          string match -q -- '--at=*' "$tokens[-1]"; and return 0
          test "$tokens[-2]" = --at; and not string match -q -- '-*' "$tokens[-1]"
      end
      complete -c 'retake' -n '__retake_is_behind_at' -fka '(__retake_custom_completion ---completion replay -- --set \
      (count (__retake_tokens -pc)) (__retake_tokens -tC))'

      """
    return script.replacing(start, with: start + help + usual.joined()) + "\n" + behindAt + folders.joined()
  }
}
