import MattePipeline
import Parameters
import Replay
import StudioViews
import Support

/// Reads a page's settings. Files are only those that the person named on the command line.
struct SettingReader: Sendable {
  /// Whether the start's preset was asked for.
  let hasPreset: Bool
  let start: ViewSetting
  /// Paths that `composite.background` may have.
  let backgrounds: [String]
  let opened: [OpenedFile]

  /// - Parameter named: files on the command line, besides that of `start`.
  init(start: ViewSetting, named: NamedFiles) {
    let own = start.parameters[PipelineParameters.composite.background]
    self.start = start
    backgrounds = (own.isEmpty || named.backgrounds.contains(own) ? [] : [own]) + named.backgrounds
    opened = named.opened
    hasPreset = named.hasPreset
  }

  /// A setting with the start's files in place of those that the person did not name, and sentences about them.
  /// - Parameter header: of a replay with this setting, which knows its files by their contents.
  func own(_ setting: ViewSetting, of header: DigestHeader? = nil) -> (setting: ViewSetting, note: String) {
    var (parameters, notes): (ParameterSet, [String]) = (setting.parameters, [])
    for file in PipelineParameters.files {
      let name = file.declaration.name
      let contents = header.flatMap { Self.contents(of: name, $0) }
      guard contents != nil || (try? checkFile(parameters[file], of: name)) == nil else { continue }
      let isBackground = name == PipelineParameters.composite.background.declaration.name
      let same = isBackground ? contents.flatMap(background) : nil
      let path = same ?? start.parameters[file]
      try? parameters.set(name, to: path)
      let own = path.split(separator: "/").last.map(String.init) ?? path
      notes.append(
        same != nil
          ? "Its background is \(own)."
          : path.isEmpty
            ? "Its \(name) is left out; to have it, start 'retake studio' with "
              + (isBackground ? "--background FILE." : "--set \(name)=FILE.") : "In place of its \(name): \(own).")
    }
    return (ViewSetting(preset: setting.preset, parameters: parameters), notes.joined(separator: " "))
  }

  /// What a header says of a file's contents; nil for none.
  private static func contents(of parameter: String, _ header: DigestHeader) -> String? {
    let mask = PipelineParameters.mask
    let contents: String? =
      switch parameter {
      case PipelineParameters.composite.background.declaration.name: header.background
      case mask.plate.declaration.name: header.plate
      case mask.model.declaration.name: header.network
      default: nil
      }
    return contents == DigestStage.none ? nil : contents
  }

  /// The named background that has these contents.
  private func background(_ contents: String) -> String? {
    backgrounds.first { (try? BackgroundFile(path: $0))?.identity == contents }
  }

  func setting(_ question: Question.Setting) throws(RetakeError) -> ViewSetting {
    try checked(ViewSetting(preset: question.preset, values: question.values ?? [:]))
  }

  /// The setting of a preset, a profile, a YAML file and values, and what of the file is left out.
  func resolved(_ question: Question.Values) throws(RetakeError) -> JSONObject {
    let file = try question.yaml.map { text throws(RetakeError) in
      try ParameterFile(YAMLDocument(text, name: question.file ?? "the YAML", hint: YAMLDocument.parametersHint))
    }
    let given = try ViewSetting(
      preset: question.preset, profile: question.profile, file: file, values: question.values ?? [:])
    // A file may come from another machine; values are the page's own.
    let (setting, note) = file == nil ? (try checked(given), "") : own(given)
    let values = JSONObject(pairs: setting.parameters.entries.map { ($0.name, $0.value) })
    return JSONObject(["preset": setting.preset, "values": values, "note": note])
  }

  private func checked(_ setting: ViewSetting) throws(RetakeError) -> ViewSetting {
    for declaration in PipelineParameters.files {
      try checkFile(setting.parameters[declaration], of: declaration.declaration.name)
    }
    return setting
  }

  /// - Throws: `.usage` for a file that the person did not name.
  func checkFile(_ path: String, of parameter: String) throws(RetakeError) {
    guard !path.isEmpty, let file = PipelineParameters.files.first(where: { $0.declaration.name == parameter })
    else { return }
    if parameter == PipelineParameters.composite.background.declaration.name {
      guard !backgrounds.contains(path) else { return }
      throw RetakeError(
        .usage, "\(parameter) may only be a file that 'retake studio' was started with.",
        hint: "start it with --background FILE; repeat it for several")
    }
    guard path != start.parameters[file] else { return }
    throw RetakeError(
      .usage, "\(parameter) may only be the file that 'retake studio' was started with.",
      hint: "start it with --set \(parameter)=FILE")
  }
}
