import MattePipeline
import Parameters
import StudioViews
import Support

/// Reads a page's settings. Files are only those that the person named on the command line.
struct SettingReader: Sendable {
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
  }

  /// A setting with the start's files in place of those that the person did not name, and a sentence about them.
  func own(_ setting: ViewSetting) -> (setting: ViewSetting, note: String) {
    var (parameters, replaced): (ParameterSet, [String]) = (setting.parameters, [])
    for declaration in PipelineParameters.files {
      let name = declaration.declaration.name
      guard (try? checkFile(parameters[declaration], of: name)) == nil else { continue }
      try? parameters.set(name, to: start.parameters[declaration])
      replaced.append(name)
    }
    let note = replaced.isEmpty ? "" : "Its \(replaced.joined(separator: " and ")) was not named on the command line."
    return (ViewSetting(preset: setting.preset, parameters: parameters), note)
  }

  func setting(_ question: Question.Setting) throws(RetakeError) -> ViewSetting {
    try checked(ViewSetting(preset: question.preset, values: question.values ?? [:]))
  }

  func setting(_ question: Question.Values) throws(RetakeError) -> ViewSetting {
    let file = try question.yaml.map { text throws(RetakeError) in
      try ParameterFile(YAMLDocument(text, name: "the YAML", hint: YAMLDocument.parametersHint))
    }
    return try checked(
      ViewSetting(preset: question.preset, profile: question.profile, file: file, values: question.values ?? [:]))
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
