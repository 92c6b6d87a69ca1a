import ArgumentParser
import Foundation

/// Which verbs have an option, for those who use it with another one.
enum OptionOwners {
  /// - Parameter option: as it is written, "--background".
  static func verbs(with option: String) -> [String] {
    guard option.hasPrefix("--") else { return [] }
    return all.filter { $0.has(String(option.dropFirst(2))) }.map(\.commandName)
  }

  static var verbs: [String] { all.map(\.commandName) }

  /// A verb's options that a letter could stand for: "--device", "--duration".
  static func options(of verb: String, beginningWith letter: Character) -> [String] {
    let arguments = all.first { $0.commandName == verb }?.arguments ?? []
    return arguments.flatMap { $0.names ?? [] }.map(\.name).filter { $0.count > 1 && $0.first == letter }.map {
      "--" + $0
    }
  }

  private static var all: [Command] {
    let dump = try? JSONDecoder().decode(Dump.self, from: Data(Retake._dumpHelp().utf8))
    return dump?.command.subcommands ?? []
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
