import Support
import Yams

/// A small YAML file of names and values. It may come from a stranger, so its cost is bounded.
///
/// Groups and dotted names are equivalent: `matte: {blur: 5}` and `matte.blur: 5` are both
/// "matte.blur". Values stay text, to be parsed by their declarations. Limits: one document, 256
/// KiB, eight levels; no aliases, with which a few lines can expand to gigabytes.
package struct YAMLDocument: Sendable {
  package struct Entry: Hashable, Sendable {
    /// Dotted.
    package let key: String
    /// One value, or the items of a list.
    package let values: [String]
    package let isList: Bool
    /// Empty, `~` or `null`, without quotes.
    package let isNull: Bool
    /// From 1.
    package let line: Int

    /// The only value; nil for a list.
    package var value: String? { isList ? nil : values.first }
  }

  package static let byteLimit = 256 << 10
  private static let depthLimit = 8
  private static let entryLimit = 10_000

  /// The path, as shown in errors.
  package let name: String
  /// In the file's order; no key occurs twice.
  package let entries: [Entry]

  /// - Throws: `.notFound` and others for an unreadable file, `.usage` if it is not such YAML.
  package init(path: String, hint: String = parametersHint) throws(RetakeError) {
    if let wrong = PathKind.mismatch(path, wanted: .yaml, code: .usage) { throw wrong }
    let bytes: [UInt8]
    do throws(RetakeError) {
      bytes = try FileBytes.read(path, limit: Self.byteLimit)
    } catch {
      // Not a regular file, or too large: a usage error, as wrong contents are.
      throw error.code == .unsupported ? RetakeError(.usage, error.message, hint: error.hint) : error
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw RetakeError(.usage, "\(path) is not UTF-8 text.", hint: hint)
    }
    do throws(RetakeError) {
      try self.init(text, name: path, hint: hint)
    } catch {
      let isOther = PathKind.named(path) != .yaml && path.split(separator: "/").last?.contains(".") == true
      guard isOther else { throw error }
      // Its name says that it is something else, so a line to mend would mislead.
      throw RetakeError(.usage, "\(path) is not YAML with a mapping of names to values.", hint: hint)
    }
  }

  /// - Parameter hint: the next step for text that is not names and values at all.
  package init(_ text: String, name: String, hint: String = parametersHint) throws(RetakeError) {
    self.name = name
    if let line = Self.aliasLine(text) {
      throw Self.error(
        name, line, "YAML aliases (*name) are not supported", hint: "write the value in full in each place")
    }
    let root: Node?
    do {
      root = try compose(yaml: text)
    } catch {
      throw Self.error(name, error, hint: hint)
    }
    var reader = Reader(name: name)
    switch root {
    case nil: break
    case .scalar(let scalar) where scalar.string.isEmpty: break
    case .mapping(let mapping): try reader.read(mapping, prefix: "", depth: 1)
    case .some(let node):
      throw Self.error(name, node.mark?.line ?? 1, "expected a mapping of names to values", hint: hint)
    }
    entries = reader.entries
  }

  private init(name: String, entries: [Entry]) { (self.name, self.entries) = (name, entries) }

  /// The entries of one group, without its name, and the single entries `keys`. Line numbers stay.
  package func part(_ group: String, and keys: Set<String> = []) -> YAMLDocument {
    let prefix = group + "."
    return YAMLDocument(
      name: name,
      entries: entries.compactMap { entry in
        if keys.contains(entry.key) { return entry }
        guard entry.key.hasPrefix(prefix) else { return nil }
        return Entry(
          key: String(entry.key.dropFirst(prefix.count)), values: entry.values, isList: entry.isList,
          isNull: entry.isNull, line: entry.line)
      })
  }

  package static let parametersHint =
    "for example matte.blur: 5; 'retake parameters --yaml' prints a complete example"

  package static func error(_ name: String, _ line: Int, _ what: String, hint: String = "") -> RetakeError {
    RetakeError(.usage, "\(name):\(line): \(what).", hint: hint)
  }

  /// The line of the first possible alias, if there is a possible anchor (&name) for it. Also
  /// matches inside comments and quotes, which only the parser, which runs later, can recognise.
  private static func aliasLine(_ text: String) -> Int? {
    guard firstLine(of: UInt8(ascii: "&"), in: text) != nil else { return nil }
    return firstLine(of: UInt8(ascii: "*"), in: text)
  }

  /// The first line with `sign` after no letter or digit and before no space: it may begin a token.
  private static func firstLine(of sign: UInt8, in text: String) -> Int? {
    var line = 1
    var (previous, before) = (UInt8(ascii: "\n"), UInt8(ascii: "\n"))
    for byte in text.utf8 {
      if previous == sign, byte > 32, !before.isLetterOrDigit { return line }
      if byte == UInt8(ascii: "\n") { line += 1 }
      (before, previous) = (previous, byte)
    }
    return nil
  }

  private static func error(_ name: String, _ error: any Error, hint: String) -> RetakeError {
    switch error as? YamlError {
    case .composer(_, let problem, let mark, _) where problem.contains("another document"):
      return Self.error(
        name, mark.line, "expected a single YAML document", hint: "remove everything after the line ---")
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      return Self.error(
        name, mark.line, "invalid YAML: \(problem)",
        hint: problem.contains("cannot start any token")
          ? "indent with spaces, not tabs; a value may need quotes" : "a value may need quotes")
    case .duplicatedKeysInMapping(let duplicates, let context):
      let key = (duplicates.sorted().first ?? "").shortened
      return Self.error(
        name, context.mark.line, "'\(key)' is given twice in the group that begins here",
        hint: "remove one of the two")
    case .reader(let problem, _, _, _):
      return RetakeError(.usage, "\(name) is not valid YAML: \(problem).", hint: "save it as UTF-8 text")
    default:
      return RetakeError(.usage, "\(name) is not valid YAML.", hint: hint)
    }
  }

  private struct Reader {
    let name: String
    var entries: [Entry] = []
    private var lines: [String: Int] = [:]

    init(name: String) { self.name = name }

    mutating func read(_ mapping: Node.Mapping, prefix: String, depth: Int) throws(RetakeError) {
      for (keyNode, value) in mapping {
        let line = keyNode.mark?.line ?? 1
        guard case .scalar(let scalar) = keyNode, !scalar.string.isEmpty else {
          throw YAMLDocument.error(name, line, "expected a name before the colon")
        }
        let key = prefix + scalar.string
        switch value {
        case .mapping(let inner):
          guard depth < YAMLDocument.depthLimit else {
            throw YAMLDocument.error(name, line, "'\(key.shortened)' is nested too deeply")
          }
          try read(inner, prefix: key + ".", depth: depth + 1)
        case .scalar(let scalar):
          let isNull = scalar.style == .plain && ["", "~", "null", "Null", "NULL"].contains(scalar.string)
          try add(Entry(key: key, values: [scalar.string], isList: false, isNull: isNull, line: line))
        case .sequence(let sequence):
          var values: [String] = []
          for node in sequence {
            guard case .scalar(let scalar) = node else {
              throw YAMLDocument.error(name, line, "the list '\(key.shortened)' may only contain plain values")
            }
            values.append(scalar.string)
          }
          try add(Entry(key: key, values: values, isList: true, isNull: false, line: line))
        case .alias: throw YAMLDocument.error(name, line, "YAML aliases (*name) are not supported")
        }
      }
    }

    private mutating func add(_ entry: Entry) throws(RetakeError) {
      if let first = lines.updateValue(entry.line, forKey: entry.key) {
        throw YAMLDocument.error(
          name, entry.line, "'\(entry.key.shortened)' is given twice, first on line \(first)",
          hint: "remove one of the two")
      }
      entries.append(entry)
      guard entries.count <= YAMLDocument.entryLimit else {
        throw YAMLDocument.error(name, entry.line, "the file has too many entries")
      }
    }
  }
}
