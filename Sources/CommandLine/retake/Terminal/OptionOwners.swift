import ArgumentParser
import Foundation
import Support
import Sweeps

/// Which verbs have an option, for those who use it with another one.
enum OptionOwners {
  /// - Parameter option: as it is written, "--background" or "-o".
  static func verbs(with option: String) -> [String] {
    all.filter { $0.has(option) }.map(\.commandName)
  }

  /// The verb in front of which an option stands, with the verb below it: "sweep best"; nil if none of it has the option.
  static func verb(behind option: String, in arguments: [String]) -> String? {
    for (place, word) in arguments.enumerated().dropFirst() {
      guard let verb = all.first(where: { $0.commandName == word }), verb.has(option) else { continue }
      let next = arguments.dropFirst(place + 1).first
      guard let below = verb.subcommands?.first(where: { $0.commandName == next }) else { return word }
      if below.has(option) { return "\(word) \(below.commandName)" }
    }
    return nil
  }

  /// A verb's options that a letter could stand for: "--device", "--duration".
  static func options(of verb: String, beginningWith letter: Character) -> [String] {
    let arguments = all.first { $0.commandName == verb }?.arguments ?? []
    return arguments.flatMap { $0.names ?? [] }.map(\.name).filter { $0.count > 1 && $0.first == letter }.map {
      "--" + $0
    }
  }

  /// How a verb that plays one recording takes a file that is there: "--background room.png"; nil if it takes none of its kind.
  static func input(_ path: String, of verb: String) -> String? {
    guard ["replay", "live", "bundle", "plate"].contains(verb) else { return nil }
    let option: String
    switch PathKind(path: path) {
    case .picture, .video: option = "--background"
    case .yaml: option = "--parameters"
    case .plate: option = "--set"
    default: return nil
    }
    guard verbs(with: option).contains(verb) else { return nil }
    return "\(option) \(option == "--set" ? "mask.plate=" : "")\(Escaping.shellPath(path))"
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
      (arguments ?? []).contains { ($0.names ?? []).contains { ($0.name.count == 1 ? "-" : "--") + $0.name == option } }
        || (subcommands ?? []).contains { $0.has(option) }
    }
  }
}
