import ArgumentParser
import CaptureDevices
import Parameters
import Support

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "Lists the cameras that can be recorded now, or the options of a kind or camera.",
    discussion: """
      A device is named kind[:place][?option=value&option=value], in quotes because of the & and ?.

      retake devices
      retake devices simulated
      retake devices v4l2:/dev/video0
      """)

  @Argument(help: "Show the options of this kind, or all formats and controls of this camera.", completion: .device)
  var device: String?
  @OptionGroup var probe: DeviceProbe
  @OptionGroup var output: JSONFlag

  func run() throws {
    if let device = probe.device { return try probe.run(device, json: output.json) }
    if let device { return try show(device) }
    let available = DeviceCatalog.available()
    if output.json { return try print(Self.json(available, DeviceCatalog.kinds).text) }
    try print("Devices now:")
    let width = available.map(\.specification.count).max() ?? 0
    for entry in available {
      try print("  \(Format.padded(entry.specification, width))  \(entry.summary.printable)")
      // If this fails, the summary already says why.
      if let details = try? DeviceCatalog.details(entry.specification, withControls: false) {
        try print(DeviceText.modes(details, indent: "    ").printable)
      }
    }
    try printSentences("\nKinds of devices; 'retake devices KIND' shows a kind's options:")
    let kinds = DeviceCatalog.kinds.map { (name: Self.name($0), help: $0.help) }
    try print(ParameterListing.pairs(kinds, Terminal.outputColumns))
    for problem in DeviceCatalog.kinds.compactMap({ $0.problem() }) {
      try printSentences("\(problem.message) Hint: \(problem.hint).")
    }
  }

  private static func name(_ kind: DeviceCatalog.Kind) -> String {
    kind.place.isEmpty ? kind.name : "\(kind.name):\(kind.place)"
  }

  private static func show(_ kind: DeviceCatalog.Kind) throws(RetakeError) {
    try print("\(name(kind))  \(kind.help)")
    if let problem = kind.problem() { try print("  \(problem.message) Hint: \(problem.hint).".printable) }
    guard let columns = Terminal.outputColumns else { return try print(Format.table(rows(kind), indent: "  ")) }
    for option in kind.options {
      let value = option.defaultValue == .none ? "" : "\(option.defaultValue)"
      try print(ParameterListing.entry(option, value: value, columns))
    }
    if kind.takesOthers { try print(Format.wrapped("  CONTROL: \(othersHelp)", columns, indent: 6)) }
  }

  private static let othersHelp =
    "any control of the camera, set in the given order; 'retake devices v4l2:NODE' lists them"

  private static func rows(_ kind: DeviceCatalog.Kind) -> [[String]] {
    let options = kind.options.map { option in
      [
        option.name, option.defaultValue == .none ? "" : "\(option.defaultValue)", option.unit, option.rangeText,
        option.help,
      ]
    }
    let others = kind.takesOthers ? [["CONTROL", "", "", "", othersHelp]] : []
    return [["OPTION", "DEFAULT", "UNIT", "RANGE", "WHAT IT DOES"]] + options + others
  }

  private func show(_ device: String) throws {
    // Without a place, or with one that has no lists of its own, the kind's options are all there is to tell.
    let specification = try DeviceSpecification(device)
    if let kind = DeviceCatalog.kinds.first(where: { $0.name == specification.kind }),
      kind.details == nil || specification.place.isEmpty
    {
      return try output.json ? print(Self.json([], [kind]).text) : Self.show(kind)
    }
    guard let details = try DeviceCatalog.details(device, withControls: true) else {
      throw RetakeError(
        .unsupported, "'\(device)' has no list of formats and controls.",
        hint: "'retake devices' shows the options of each kind of device")
    }
    if output.json {
      var object = JSONObject(["device": device])
      DeviceJSON.add(details, withControls: true, to: &object)
      return try print(object.versioned.text)
    }
    try print("\(details.card) (\(details.driver), \(details.bus))".printable)
    try print(DeviceText.modes(details, indent: "  ").printable)
    if !details.controls.isEmpty {
      try print("\nControls, their current values, and their ranges:")
      try print(DeviceText.controls(details, indent: "  ").printable)
    }
  }

  private static func json(
    _ available: [(specification: String, summary: String)], _ kinds: [DeviceCatalog.Kind]
  ) -> JSONObject {
    JSONObject([
      "devices": available.map { entry in
        var device = JSONObject(["device": entry.specification, "summary": entry.summary])
        if let details = try? DeviceCatalog.details(entry.specification, withControls: false) {
          DeviceJSON.add(details, withControls: false, to: &device)
        }
        return device
      },
      "kinds": kinds.map { kind in
        JSONObject([
          "kind": kind.name, "place": kind.place, "help": kind.help,
          "options": kind.options.map { option in
            JSONObject([
              "name": option.name,
              "default": option.defaultValue == .none ? nil : option.defaultValue.description,
              "unit": option.unit,
              "range": option.rangeText,
              "help": option.help,
            ])
          },
          "takes_controls": kind.takesOthers,
        ])
      },
    ]).versioned
  }
}
