import BugBundles
import Foundation
import MattePipeline
import Parameters
import Replay
import StudioViews
import Support
import Sweeps

/// A file that has a setting for the page: YAML, a bug bundle, digests, or a sweep's results.
package struct OpenedFile: Sendable {
  /// Bytes of a file that is chosen on the page.
  package static let byteLimit = 64 << 20
  /// A sweep's settings that the page can choose from.
  private static let settingLimit = 20_000

  package let name: String
  /// The setting; of a sweep the chosen one, or its best.
  package let setting: ViewSetting
  /// Of a bundle and of digests.
  private let header: DigestHeader?
  /// Of a sweep: its varied parameters, and for each setting its number and their values.
  let tried: [String]
  let settings: [(number: Int, values: [String])]
  let chosen: Int?
  /// Of a sweep, what its best is by, as `--best` has it; nil if the sweep does not say.
  let best: String?

  /// The name, with a sweep's setting.
  var title: String { name + (chosen.map { " #\($0)" } ?? "") }

  /// - Parameter word: a path; of a sweep's results with "#12" for a setting. Of a folder that 'retake reproduce --keep'
  ///   made, its parameters are opened.
  /// - Throws: `.notFound`, `.usage` for a setting that a sweep does not have, and what reading the file throws.
  package init(_ word: String) throws(RetakeError) {
    let parts = word.split(separator: "#", omittingEmptySubsequences: false)
    guard !FileManager.default.fileExists(atPath: word), parts.count > 1, let last = parts.last else {
      try self.init(path: word, number: nil)
      return
    }
    guard let number = Int(last) else {
      throw RetakeError(.usage, "'\(last)' is not a setting's number.", hint: "give results.sqlite#12 for setting 12")
    }
    try self.init(path: parts.dropLast().joined(separator: "#"), number: number)
  }

  /// - Parameter bytes: of a file that the person chose on the page.
  init(_ bytes: [UInt8], name: String) throws(RetakeError) {
    let scratch = try ScratchFolder(named: "retake-studio")
    defer { withExtendedLifetime(scratch) {} }
    let path = scratch.path("file")
    try FileBeside.write(bytes, to: path)
    do throws(RetakeError) {
      try self.init(path: path, number: nil, name: name)
    } catch {
      // It has no path that the person knows.
      throw RetakeError(
        error.code, error.message.replacing(path, with: name), hint: error.hint.replacing(path, with: name))
    }
  }

  private init(path: String, number: Int?, name: String? = nil) throws(RetakeError) {
    var (path, isFolder) = (path, ObjCBool(false))
    let own = name ?? path.split(separator: "/").last.map(String.init) ?? path
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      path += "/parameters.yaml"
    }
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw RetakeError(
        .notFound, FileManager.default.fileExists(atPath: path) ? "\(path) cannot be read." : "There is no \(path).",
        hint: "check the path: a file of parameters, a bundle, digests or a sweep's results")
    }
    let kind = PathKind(path: path)
    if kind == .results {
      try self.init(results: SweepResultsFile.open(path), number: number, name: own)
      return
    }
    guard number == nil else {
      throw RetakeError(.usage, "\(own) has one setting only.", hint: "leave out what follows the #")
    }
    let header: DigestHeader? =
      switch kind {
      case .bundle, .mcap: try BundleReader.read(BundleReader.open(path), name: own) { _, _ in }.replay
      case .digests: try DigestFileReader(path: path, name: own).header
      default: nil
      }
    let setting =
      if let header { try Self.setting(header) } else { try ViewSetting(preset: nil, file: ParameterFile(path: path)) }
    self.init(name: own, setting: setting, header: header, tried: [], settings: [], chosen: nil, best: nil)
  }

  private init(
    name: String, setting: ViewSetting, header: DigestHeader? = nil, tried: [String],
    settings: [(number: Int, values: [String])], chosen: Int?, best: String?
  ) {
    (self.name, self.setting, self.header, self.tried, self.settings) = (name, setting, header, tried, settings)
    (self.chosen, self.best) = (chosen, best)
  }

  private init(results: SweepResultsFile, number: Int?, name: String) throws(RetakeError) {
    let identity = results.identity
    let choice = identity.choice
    let best = try SweepReport.roles(identity, results.summaries(), choice: choice).first { $0.role == .best }?.setting
    let place = number.map { number in identity.settings.firstIndex { $0.number == number } } ?? best ?? 0
    guard let place, identity.settings.indices.contains(place) else {
      throw RetakeError(
        .usage, "\(name) has no setting \(number ?? 0).", hint: "'retake sweep table' shows the numbers of its settings"
      )
    }
    let chosen = identity.settings[place]
    let names = identity.settings[place].parameters.map(\.name)
    let places = identity.tried.map { tried in names.firstIndex(of: tried) }
    let values = Dictionary(chosen.parameters.map { ($0.name, $0.value) }) { $1 }
    let settings = identity.settings.prefix(Self.settingLimit).map { setting in
      let given = setting.parameters
      return (setting.number, places.map { $0.flatMap { given.indices.contains($0) ? given[$0].value : nil } ?? "" })
    }
    self.init(
      name: name, setting: try ViewSetting(preset: identity.preset, values: values), tried: identity.tried,
      settings: settings, chosen: chosen.number, best: place == best ? choice?.description : nil)
  }

  private static func setting(_ header: DigestHeader) throws(RetakeError) -> ViewSetting {
    try ViewSetting(preset: header.preset, values: Dictionary(header.parameters.map { ($0.name, $0.value) }) { $1 })
  }

  func own(_ settings: SettingReader) -> (setting: ViewSetting, note: String) {
    settings.own(setting, of: header)
  }

  /// - Parameter settings: replaces files that the person did not name.
  func json(_ settings: SettingReader) -> JSONObject {
    let (own, note) = own(settings)
    return JSONObject([
      "name": name, "preset": own.preset,
      "values": JSONObject(pairs: own.parameters.entries.map { ($0.name, $0.value) }),
      "note": note, "tried": tried, "chosen": chosen, "best": best,
      "settings": self.settings.map { JSONObject(["n": $0.number, "t": $0.values]) },
    ])
  }
}

/// Files that the person named on the command line. The page opens no others.
package struct NamedFiles: Sendable {
  package var backgrounds: [String]
  /// The first one's setting is A, the second one's B.
  package var opened: [OpenedFile]
  /// Whether the preset is asked for, too, and not only the usual one.
  package var hasPreset: Bool

  package init(backgrounds: [String] = [], opened: [OpenedFile] = [], hasPreset: Bool = false) {
    (self.backgrounds, self.opened, self.hasPreset) = (backgrounds, opened, hasPreset)
  }
}
