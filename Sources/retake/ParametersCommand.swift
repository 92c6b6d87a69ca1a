import ArgumentParser
import FrameModel
import MattePipeline
import Parameters
import Replay

/// Every parameter there is, in the order in which it acts on a frame.
enum ParameterCatalog {
  static let declarations = ReplayParameters.all + PipelineParameters.all
}

struct ParametersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parameters", abstract: "Lists every parameter with unit, range, default and help, and the presets.")

  @Option(help: "Show the values that this preset starts from.") var preset: String?
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let start = try preset.map { name throws(RetakeError) in try Preset.named(name) }
    let values =
      try start.map { preset throws(RetakeError) in try preset.parameters(ParameterCatalog.declarations) }
      ?? ParameterSet(ParameterCatalog.declarations)
    if json { return printJSON(values) }
    var rows = [["NAME", start == nil ? "DEFAULT" : "VALUE", "UNIT", "RANGE", "WHAT IT DOES"]]
    for (declaration, entry) in zip(ParameterCatalog.declarations, values.entries) {
      let value = entry.value.isEmpty ? "none" : entry.value
      rows.append([declaration.name, value, declaration.unit, declaration.rangeText, declaration.help])
    }
    print(Format.table(rows))
    print("\nPresets:")
    print(Format.table(Preset.all.map { [$0.name, $0.help] }, indent: "  "))
  }

  private func printJSON(_ values: ParameterSet) {
    var object = JSONObject()
    object.add(
      "parameters",
      zip(ParameterCatalog.declarations, values.entries).map { declaration, value in
        JSONObject([
          "name": declaration.name, "value": value.value, "default": declaration.defaultValue.description,
          "unit": declaration.unit, "range": declaration.rangeText, "help": declaration.help,
        ])
      })
    object.add(
      "presets",
      Preset.all.map { JSONObject(["name": $0.name, "help": $0.help]) })
    print(object.text)
  }
}
