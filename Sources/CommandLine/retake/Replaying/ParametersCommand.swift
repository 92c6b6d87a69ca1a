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
      retake parameters --preset video-depth-maps
      retake parameters --yaml --preset video-depth-maps --set mask.focus=0.6 > mine.yaml
      retake replay first.retake --parameters mine.yaml --output sheet:first.png
      """)

  @OptionGroup var values: ParameterFlags
  @Flag(help: "Print YAML with comments, which --parameters can read.") var yaml = false
  @OptionGroup var output: JSONFlag

  func validate() throws {
    if yaml && output.json { throw ValidationError("Use either --yaml or --json, not both.") }
  }

  func run() throws {
    let (preset, values) = try values.resolved()
    if yaml { return try print(values.yamlText(preset: preset), terminator: "") }
    if output.json { return try printJSON(values) }
    var rows = [["NAME", self.values.isEmpty ? "DEFAULT" : "VALUE", "UNIT", "RANGE", "WHAT IT DOES"]]
    for (declaration, entry) in zip(ReplaySession.declarations, values.entries) {
      let value = entry.value.isEmpty ? "none" : entry.value
      rows.append([declaration.name, value, declaration.unit, declaration.rangeText, declaration.help])
    }
    try print(Format.table(rows))
    try print("\nPresets:")
    try print(Format.table(Preset.all.map { [$0.name, $0.help] }, indent: "  "))
    try print("\nProfiles of devices, for --profile:")
    try print(Format.table(DeviceProfile.all.map { [$0.name, $0.help] }, indent: "  "))
  }

  private func printJSON(_ values: ParameterSet) throws(RetakeError) {
    try print(
      JSONObject([
        "parameters": zip(ReplaySession.declarations, values.entries).map { declaration, value in
          JSONObject([
            "name": declaration.name, "value": value.value, "default": declaration.defaultValue.description,
            "unit": declaration.unit, "range": declaration.rangeText, "help": declaration.help,
          ])
        },
        "presets": Preset.all.map { JSONObject(["name": $0.name, "help": $0.help]) },
        "profiles": DeviceProfile.all.map {
          JSONObject(["name": $0.name, "help": $0.help, "assignments": $0.assignments.joined(separator: " ")])
        },
      ]).text)
  }
}
