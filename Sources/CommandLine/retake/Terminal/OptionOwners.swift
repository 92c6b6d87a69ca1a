import ArgumentParser
import Foundation

/// Which verbs have an option, for those who use it with another one.
enum OptionOwners {
  /// - Parameter option: as it is written, "--background".
  static func verbs(with option: String) -> [String] {
    guard option.hasPrefix("--"), let dump = try? JSONDecoder().decode(Dump.self, from: Data(Retake._dumpHelp().utf8))
    else { return [] }
    return (dump.command.subcommands ?? []).filter { $0.has(String(option.dropFirst(2))) }.map(\.commandName)
  }

  private struct Dump: Decodable {
    let command: Command
  }

  private struct Command: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable { let name: String }
      let names: [Name]?
    }
    let commandName: String
    let arguments: [Argument]?
    let subcommands: [Command]?

    func has(_ option: String) -> Bool {
      (arguments ?? []).contains { ($0.names ?? []).contains { $0.name == option } }
        || (subcommands ?? []).contains { $0.has(option) }
    }
  }
}
