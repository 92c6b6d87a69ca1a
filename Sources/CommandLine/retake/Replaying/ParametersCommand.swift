import ArgumentParser
import FrameModel
import MattePipeline
import Parameters
import Replay
import Support

struct ParametersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parameters",
    abstract: "Lists every parameter with unit, range, default and help, the presets and the profiles.",
    discussion: """
      retake parameters blur
      retake parameters matte. --preset video-depth-maps
      retake parameters --yaml --preset video-depth-maps \\
          --set mask.focus=0.6 > mine.yaml
      retake replay first.retake --parameters mine.yaml --output first.png
      """)

  @Argument(
    help: "Only parameters, presets and profiles whose name or help has this word.", completion: .parameter)
  var word: String?

  @OptionGroup var values: ParameterFlags
  @Flag(help: "Print YAML with comments, which --parameters can read.") var yaml = false
  @OptionGroup var output: JSONFlag

  func validate() throws {
    if yaml && output.json { throw ValidationError("Use either --yaml or --json, not both.") }
    if yaml && word != nil { throw ValidationError("--yaml prints every parameter: leave out '\(word ?? "")'.") }
  }

  func run() throws {
    let (preset, values) = try values.resolved()
    if yaml { return try print(values.yamlText(preset: preset), terminator: "") }
    let found = zip(ReplaySession.declarations, values.entries).filter { isWanted($0.0.name, $0.0.help) }
    let rows = found.filter { isNamed($0.0.name) } + found.filter { !isNamed($0.0.name) }
    let presets = Preset.all.filter { isWanted($0.name, $0.help) }
    let profiles = DeviceProfile.all.filter { isWanted($0.name, $0.help) }
    let names = rows.map(\.0.name) + presets.map(\.name) + profiles.map(\.name)
    if let word, !names.contains(where: isNamed) {
      let guess = Spelling.guess(word, in: ReplaySession.declarations.map(\.name))
      guard !names.isEmpty else {
        throw RetakeError(
          .notFound, "No parameter has '\(word)' in its name or help.", hint: "\(guess)'retake parameters' lists all")
      }
      if !guess.isEmpty { Terminal.say("No name has '\(word)' (\(guess.dropLast())); the help of these has it:") }
    }
    if output.json { return try printJSON(rows.map { ($0.0, $0.1.value) }, presets, profiles) }
    let listing = ParameterListing(
      columns: Terminal.outputColumns, isPreset: !self.values.isEmpty,
      rows: rows.map { ($0.0, $0.1.value.isEmpty ? "none" : $0.1.value) })
    func pairs(_ pairs: [(name: String, help: String)]) -> String {
      ParameterListing.pairs(pairs, Terminal.outputColumns)
    }
    var parts = listing.text.isEmpty ? [] : [listing.text]
    if !presets.isEmpty { parts.append("Presets:\n" + pairs(presets.map { ($0.name, $0.help) })) }
    if !profiles.isEmpty {
      parts.append("Profiles of devices, for --profile:\n" + pairs(profiles.map { ($0.name, $0.help) }))
    }
    try print(parts.joined(separator: "\n\n"))
  }

  private func isWanted(_ name: String, _ help: String) -> Bool { isNamed(name) || isNamed(help) }

  /// Whether a text has the word.
  private func isNamed(_ text: String) -> Bool { word.map { text.lowercased().contains($0.lowercased()) } ?? true }

  private func printJSON(
    _ rows: [(ParameterDeclaration, value: String)], _ presets: [Preset], _ profiles: [DeviceProfile]
  ) throws(RetakeError) {
    try print(
      JSONObject([
        "parameters": rows.map { declaration, value in
          JSONObject([
            "name": declaration.name, "value": value, "default": declaration.defaultValue.description,
            "unit": declaration.unit, "range": declaration.rangeText, "help": declaration.help,
          ])
        },
        "presets": presets.map { JSONObject(["name": $0.name, "help": $0.help]) },
        "profiles": profiles.map {
          JSONObject(["name": $0.name, "help": $0.help, "assignments": $0.assignments.joined(separator: " ")])
        },
      ]).versioned.text)
  }
}
