import Support

extension ParameterSet {
  /// A YAML file that reads back as this set, grouped, with a comment above each parameter.
  /// - Parameters:
  ///   - start: values of the preset; equal parameters are left out. Has the same declarations.
  ///   - comments: lines at the top of the file, without #.
  package func yamlText(preset: String, besides start: ParameterSet? = nil, comments: [String] = []) -> String {
    var groups: [(name: String, lines: [String])] = []
    for (declaration, entry) in zip(declarations, entries) {
      if let start, start.value(named: entry.name)?.description == entry.value { continue }
      let words = declaration.name.split(separator: ".", maxSplits: 1).map(String.init)
      let (group, name) = words.count == 2 ? (words[0], words[1]) : ("", declaration.name)
      if !groups.contains(where: { $0.name == group }) { groups.append((group, [])) }
      let position = groups.firstIndex { $0.name == group }!
      let indent = group.isEmpty ? "" : "  "
      groups[position].lines += Self.comment(declaration).map { "\(indent)# \($0)" }
      groups[position].lines.append("\(indent)\(name): \(Self.scalar(entry.value))")
    }
    var text = "# Retake parameters for 'replay', 'live' and 'bundle', read with --parameters FILE. "
    text += "--set overrides this file.\n"
    text += "# Parameters that are not listed keep the preset's values.\n"
    for comment in comments { text += "# \(comment)\n" }
    text += "\(ParameterFile.presetKey): \(Self.scalar(preset))\n"
    for group in groups {
      text += group.name.isEmpty ? "\n" : "\n\(group.name):\n"
      text += group.lines.joined(separator: "\n") + "\n"
    }
    return text
  }

  private static func comment(_ declaration: ParameterDeclaration) -> [String] {
    let unit = declaration.unit.isEmpty ? "" : " \(declaration.unit)"
    return [declaration.help, "\(declaration.rangeText)\(unit)"]
  }

  /// A value as a YAML scalar: plain if it has no special meaning in YAML, else double-quoted.
  package static func scalar(_ text: String) -> String {
    func isWord(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || byte == UInt8(ascii: "_") }
    let isPlain =
      text.utf8.allSatisfy { isWord($0) || "+-./".utf8.contains($0) }
      && (text.utf8.first.map(isWord) ?? false || Double(text) != nil)
      && !["null", "Null", "NULL"].contains(text)
    if isPlain { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{61C}", "\u{200E}", "\u{200F}": quoted += Self.numbered(scalar)
      // & and * are escaped, since `YAMLDocument.aliasLine` also looks inside quotes.
      case " "..."%", "'"...")", "+"..."~", "\u{A1}"..."\u{2027}", "\u{3000}"..."\u{D7FF}":
        quoted.unicodeScalars.append(scalar)
      default: quoted += Self.numbered(scalar)
      }
    }
    return quoted + "\""
  }

  private static func numbered(_ scalar: Unicode.Scalar) -> String {
    "\\U" + Int(scalar.value).zeroPadded(8, radix: 16)
  }
}
