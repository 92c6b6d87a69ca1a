import ArgumentParser
import Foundation
import Support

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

  /// How a verb takes a file that is there: "--background room.png"; nil for no option of that kind.
  static func input(_ path: String, of verb: String) -> String? {
    let option: String
    switch PathKind(path: path) {
    case .picture, .video: option = "--background"
    case .yaml: option = "--parameters"
    case .plate: option = "--set"
    default: return nil
    }
    guard verbs(with: option).contains(verb) else { return nil }
    return "\(option) \(option == "--set" ? "mask.plate=" : "")\(ShellWord.quoted(path))"
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
