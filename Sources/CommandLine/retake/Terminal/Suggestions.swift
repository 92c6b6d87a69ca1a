import ArgumentParser
import CaptureDevices
import Glibc
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Scores
import Support

/// What shells offer when Tab is pressed. Some of it is asked of the program then, so it must be quick and print nothing.
extension CompletionKind {
  /// A recording is a folder.
  static let recording = CompletionKind.directory
  static let yaml = CompletionKind.file(extensions: ["yaml", "yml"])
  static let digests = CompletionKind.file(extensions: ["jsonl"])
  static let bundle = CompletionKind.file(extensions: ["retake-bundle"])
  static let results = CompletionKind.file(extensions: ["sqlite"])
  static let preset = CompletionKind.list(Preset.all.map(\.name))
  static let profile = CompletionKind.list(DeviceProfile.all.map(\.name))
  static let tap = CompletionKind.list(Tap.allCases.map(\.rawValue))
  /// Several, with commas between them.
  static let score = CompletionKind.custom { _, _, typed in Suggestions.listed(ScoreKind.allCases.map(\.name), typed) }
  /// What a sweep's best setting is chosen by.
  static let choice = CompletionKind.custom { _, _, typed in
    Suggestions.listed(ScoreKind.allCases.map(\.name) + ["cost", "unsupervised"], typed)
  }
  static let parameter = CompletionKind.custom { _, _, _ in ReplaySession.declarations.map(\.name) }
  static let faces = CompletionKind.list(["auto", "recorded", "none", "lbp", "haar", "yunet:"])
  /// Cameras that are connected now, and kinds.
  static let device = CompletionKind.custom { _, _, _ in Suggestions.devices() }
  /// `name=`, and `name=value` for names that have choices.
  static let assignment = CompletionKind.custom { _, _, typed in Suggestions.assignments(typed) }
  static let mark = CompletionKind.custom { words, _, _ in Suggestions.marks(words) }
  static let moment = CompletionKind.custom { words, _, _ in Suggestions.marks(words).map { "mark:\($0)" } }
}

enum Suggestions {
  static func devices() -> [String] {
    let connected = DeviceCatalog.available().map(\.specification)
    let kinds = DeviceCatalog.kinds.map { $0.place.isEmpty ? $0.name : "\($0.name):" }
    return connected + kinds.filter { kind in !connected.contains(kind) }
  }

  /// - Parameter typed: the word so far; all names if it has no `=`.
  static func assignments(_ typed: String) -> [String] {
    let declarations = ReplaySession.declarations
    guard let equals = typed.firstIndex(of: "=") else { return declarations.map { "\($0.name)=" } }
    guard let declaration = declarations.first(where: { $0.name == typed[..<equals] }) else { return [] }
    let choices: [String]
    switch declaration.domain {
    case .choice(let names): choices = Array(names)
    case .flag: choices = ["true", "false"]
    default: return []
    }
    // `--list` takes several.
    return listed(choices, String(typed[equals...].dropFirst())).map { "\(declaration.name)=\($0)" }
  }

  /// Names behind those that are typed already, as `iou,` and each name but `iou`.
  static func listed(_ names: [String], _ typed: String) -> [String] {
    let before = typed.lastIndex(of: ",").map { typed[...$0] } ?? ""
    let used = before.split(separator: ",")
    return names.filter { name in !used.contains { $0 == name } }.map { before + $0 }
  }

  /// Labels of the marks in the recordings among the words.
  static func marks(_ words: [String]) -> [String] {
    let recordings = words.dropFirst(2).filter { access("\($0)/index.sqlite", R_OK) == 0 }
    return recordings.flatMap { path in
      // Read as it is: completing a word repairs nothing.
      ((try? Recording(path: path).marks()) ?? []).map(\.label).filter { !$0.isEmpty && $0.printable == $0 }
    }
  }
}
