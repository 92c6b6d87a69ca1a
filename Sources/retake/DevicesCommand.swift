import ArgumentParser
import CaptureDevices
import FrameModel

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "Lists the cameras that can be recorded now, and what each kind takes.",
    discussion: "A device is named kind[:place][?option=value&option=value], in quotes because of the & and ?.")

  @OptionGroup var probe: DeviceProbe
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    if let device = probe.device { return try probe.run(device, json: json) }
    let available = DeviceCatalog.available()
    if json { return printJSON(available) }
    print("Devices now:")
    print(Format.table(available.map { [$0.specification, $0.summary] }, indent: "  "))
    for kind in DeviceCatalog.kinds {
      print("\n\(kind.name)\(kind.place.isEmpty ? "" : ":\(kind.place)")  \(kind.help)")
      print(Format.table(kind.options.map { [$0.name, $0.help] }, indent: "  "))
    }
  }

  private func printJSON(_ available: [(specification: String, summary: String)]) {
    var object = JSONObject()
    object.add(
      "devices",
      available.map { JSONObject(["device": $0.specification, "summary": $0.summary]) })
    object.add(
      "kinds",
      DeviceCatalog.kinds.map { kind in
        var entry = JSONObject(["kind": kind.name, "place": kind.place, "help": kind.help])
        entry.add("options", kind.options.map { JSONObject(["name": $0.name, "help": $0.help]) })
        return entry
      })
    print(object.text)
  }
}
