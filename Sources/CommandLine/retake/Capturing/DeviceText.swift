import CaptureDevices
import Support

enum DeviceText {
  /// A row for each combination of size and rates, with the formats that have it.
  static func modes(_ details: DeviceDetails, indent: String) -> String {
    let modes = details.formats.filter(\.isRecorded).flatMap { format in format.modes.map { ($0, format.name) } }
    var lines = modes.grouped(by: \.0, \.1).map { mode, formats in
      let rates = mode.rates.isEmpty ? "" : "\(mode.rates.joined(separator: " ")) fps"
      return [mode.size.isEmpty ? "any size" : mode.size, rates, formats.joined(separator: " ")]
    }
    let others = details.formats.filter { !$0.isRecorded }.map(\.name)
    if !others.isEmpty {
      let shown = others.prefix(12).joined(separator: " ") + (others.count > 12 ? " and \(others.count - 12) more" : "")
      lines.append(["not recorded: \(shown)"])
    }
    return table(lines, indent: indent)
  }

  /// Rows with a single cell do not widen the columns of others.
  private static func table(_ rows: [[String]], indent: String) -> String {
    let (whole, single) = (rows.filter { $0.count > 1 }, rows.filter { $0.count == 1 })
    let lines = [Format.table(whole, indent: indent)] + single.map { indent + $0[0] }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  static func controls(_ details: DeviceDetails, indent: String) -> String {
    Format.table(
      details.controls.map { entry in
        let control = entry.control
        let now = entry.value.map { "\($0)" } ?? "-"
        let fixed = control.isWritable ? "" : " (read only)"
        let fallback = control.kind == .button ? "" : ", default \(control.defaultValue)"
        return [control.name, now, "\(control.values)\(fallback)\(fixed)"]
      }, indent: indent)
  }
}

enum DeviceJSON {
  static func add(_ details: DeviceDetails, withControls: Bool, to object: inout JSONObject) {
    object.add([
      "driver": details.driver,
      "card": details.card,
      "bus": details.bus,
      "formats": details.formats.map(format),
      "controls": withControls ? details.controls.map(control) : nil,
    ])
  }

  private static func format(_ format: DeviceDetails.Format) -> JSONObject {
    JSONObject([
      "format": format.name,
      "title": format.title,
      "recorded": format.isRecorded,
      "modes": format.modes.map { JSONObject(["size": $0.size, "fps": $0.rates]) },
    ])
  }

  private static func control(_ entry: DeviceDetails.Control) -> JSONObject {
    let control = entry.control
    let menu = control.menu.map { JSONObject(["value": Int($0.value), "name": $0.name]) }
    return JSONObject([
      "name": control.name,
      "title": control.title,
      "type": control.kind.rawValue,
      "minimum": Int(control.minimum),
      "maximum": Int(control.maximum),
      "step": Int(clamping: control.step),
      "default": Int(control.defaultValue),
      "value": entry.value.map { Int($0) },
      "writable": control.isWritable,
      "menu": menu.isEmpty ? nil : menu,
    ])
  }
}
