import ArgumentParser
import MattePipeline
import Parameters
import Replay
import Support

/// A command's parameters. Later sources override earlier ones: preset, profile, files, --set.
struct ParameterFlags: ParsableArguments {
  @Option(
    help: "The preset to start from. By default that of a file of --parameters, or \(Preset.standard.name).",
    completion: .preset)
  var preset: String?

  @Option(
    help: "The device whose delivery of frames is imitated; overrides the preset. 'retake parameters' lists profiles.",
    completion: .profile)
  var profile: String?

  @Option(
    name: .customLong("parameters"),
    help: ArgumentHelp(
      "YAML file of parameters, as 'retake parameters --yaml' prints it; overrides preset and profile. Repeat it; the last counts.",
      valueName: "file"), completion: .yaml)
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      "Set a parameter; overrides preset, profile and files. Repeat it; the last one counts.", valueName: "name=value"),
    completion: .assignment)
  var set: [String] = []

  var isEmpty: Bool { preset == nil && profile == nil && files.isEmpty && set.isEmpty }

  /// - Parameter first: files with the lowest priority.
  /// - Throws: `.usage`, naming the argument or the file and line, and the nearest valid value.
  func resolved(on first: [ParameterFile] = []) throws(RetakeError) -> (preset: String, values: ParameterSet) {
    let files = try first + files.map { path throws(RetakeError) in try ParameterFile(path: path) }
    let chosen = files.last { $0.preset != nil }
    let start: Preset =
      if let preset { try Preset.named(preset) } else if let chosen, let name = chosen.preset {
        try chosen.atPreset { () throws(RetakeError) in try Preset.named(name) }
      } else { Preset.standard }
    var values = try start.parameters(ReplaySession.declarations)
    if let profile {
      try DeviceProfile.named(profile).apply(to: &values)
    } else if let file = files.last(where: { $0.profile != nil }), let name = file.profile {
      try file.atProfile { () throws(RetakeError) in try DeviceProfile.named(name) }.apply(to: &values)
    }
    for file in files { try file.apply(to: &values) }
    for assignment in set { try values.set(assignment) }
    return (start.name, values)
  }

  /// Sentences on parameters that are set and have no effect.
  /// - Parameter settings: in which one of them may have it.
  func idleSentences(in settings: [ParameterSet]) -> [String] {
    ReplaySession.idleSentences(of: set, in: settings)
  }
}
