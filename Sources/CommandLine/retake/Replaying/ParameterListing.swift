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
      ([String(stage)] + rows.map { Self.entry($0, value: $1, columns) }).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// Facts in a line, the help below.
  static func entry(_ declaration: ParameterDeclaration, value: String, _ columns: Int) -> String {
    let unit = declaration.unit.isEmpty ? "" : " \(declaration.unit)"
    let equals = value.isEmpty ? "" : " = \(value)\(unit)"
    let range = declaration.rangeText.isEmpty ? "" : "   (\(declaration.rangeText))"
    return [
      Format.wrapped("  \(declaration.name)\(equals)\(range)", columns, indent: 6),
      Format.wrapped("      " + declaration.help, columns, indent: 6),
    ].joined(separator: "\n")
  }

  /// Names with their help.
  static func pairs(_ pairs: [(name: String, help: String)], _ columns: Int?) -> String {
    let width = (pairs.map(\.name.count).max() ?? 0) + 2
    return pairs.map { pair in
      let line = "  \(Format.padded(pair.name, width))\(pair.help)"
      return columns.map { Format.wrapped(line, $0, indent: width + 2) } ?? line
    }.joined(separator: "\n")
  }
}
