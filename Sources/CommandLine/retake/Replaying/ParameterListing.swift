import Parameters

/// Parameters as text, by the stage that they belong to. On a terminal, help is wrapped below each name; elsewhere a
/// parameter is one line, for grep.
struct ParameterListing {
  /// Width of the terminal; nil if the text goes elsewhere.
  let columns: Int?
  /// Whether the values are a preset's or given ones, not the defaults.
  let isPreset: Bool
  let rows: [(declaration: ParameterDeclaration, value: String)]

  var text: String {
    let stages = rows.grouped(by: { $0.declaration.name.prefix { $0 != "." } }, { $0 })
    let head = ["NAME", isPreset ? "VALUE" : "DEFAULT", "UNIT", "RANGE", "WHAT IT DOES"]
    guard let columns else {
      let lines = stages.flatMap(\.1).map { row in
        [row.declaration.name, row.value, row.declaration.unit, row.declaration.rangeText, row.declaration.help]
      }
      return lines.isEmpty ? "" : Format.table([head] + lines)
    }
    return stages.map { stage, rows in
      let entries = rows.map { row in
        let unit = row.declaration.unit.isEmpty ? "" : " \(row.declaration.unit)"
        let facts = "  \(row.declaration.name) = \(row.value)\(unit)   (\(row.declaration.rangeText))"
        return [
          Format.wrapped(facts, columns, indent: 6),
          Format.wrapped("      " + row.declaration.help, columns, indent: 6),
        ]
        .joined(separator: "\n")
      }
      return ([String(stage)] + entries).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// Names with their help.
  func pairs(_ pairs: [(name: String, help: String)]) -> String {
    let width = (pairs.map(\.name.count).max() ?? 0) + 2
    return pairs.map { pair in
      let line = "  \(Format.padded(pair.name, width))\(pair.help)"
      return columns.map { Format.wrapped(line, $0, indent: width + 2) } ?? line
    }.joined(separator: "\n")
  }
}
