import Parameters
import Scores
import Support

/// A sweep definition in YAML, with the names of the command-line options:
///
///     preset: truedepth-backdrop
///     set: {matte.gamma: 0.7}
///     scan: {matte.blur: 1..12:1}
///     list: {depth.rate: [1/1, 1/2]}
///     where: ["matte.open<matte.close"]
///     recordings: [session.retake]
///     scores: [iou, flicker]
///
/// The file may come from anyone: the limits of `YAMLDocument` apply.
package struct SweepFile: Sendable {
  /// Top-level keys other than `preset`, `profile`, `set` and the kinds of terms.
  package enum Key: String, CaseIterable, Sendable {
    case random
    case latin
    case seed
    case every
    case from
    case to
    case truth
    case ignore
    case boundaryTolerance = "boundary-tolerance"
    case scores
    case recordings
    case constraint = "where"

    var takesList: Bool { [.scores, .recordings, .constraint].contains(self) }
  }

  private static let setKey = "set"
  private static let startKeys: Set<String> = [ParameterFile.presetKey, ParameterFile.profileKey]
  private static let hint = "write as in 'scan: {matte.blur: 1..12:1}'; 'retake help sweep' shows a whole file"

  package let parameters: ParameterFile
  package private(set) var definition: SweepDefinition
  private let document: YAMLDocument
  private let entries: [Key: YAMLDocument.Entry]

  /// - Throws: read errors; `.usage` with file and line, and the nearest known word.
  package init(path: String, _ declarations: [ParameterDeclaration]) throws(RetakeError) {
    try self.init(try YAMLDocument(path: path, hint: Self.hint), declarations)
  }

  package init(_ document: YAMLDocument, _ declarations: [ParameterDeclaration]) throws(RetakeError) {
    self.document = document
    parameters = try ParameterFile(document.part(Self.setKey, and: Self.startKeys))
    var definition = SweepDefinition()
    var entries: [Key: YAMLDocument.Entry] = [:]
    for entry in document.entries where !Self.isParameter(entry) {
      try located(document, entry.line) { () throws(RetakeError) in
        if let term = try Self.term(entry, declarations) {
          definition.terms.append(term)
        } else if let key = try Self.key(entry, declarations) {
          entries[key] = entry
        }
      }
    }
    for (value, line) in Self.values(entries[.constraint]) {
      try located(document, line) { () throws(RetakeError) in
        definition.constraints.append(try SweepConstraint(value, declarations))
      }
    }
    (self.definition, self.entries) = (definition, entries)
    if let random = entries[.random], let latin = entries[.latin] {
      throw YAMLDocument.error(
        document.name, max(random.line, latin.line), "random and latin cannot be used together",
        hint: "leave one of them out")
    }
    let counts = 1...SweepSpace.settingLimit
    if let count = try number(.random, counts) { self.definition.choice = .random(count: count) }
    if let count = try number(.latin, counts) { self.definition.choice = .latinHypercube(count: count) }
    self.definition.seed = try number(.seed, 0...UInt64.max)
  }

  package static let everyLimit = 1_000_000

  /// n, if only every n-th frame set is played.
  package func every() throws(RetakeError) -> Int? { try number(.every, 1...Self.everyLimit) }

  package func ignoredValue() throws(RetakeError) -> UInt8? { try number(.ignore, 0...UInt8.max) }

  package func boundaryTolerance() throws(RetakeError) -> Int? {
    try number(.boundaryTolerance, 1...BoundaryMatch.toleranceLimit)
  }

  package func words(_ key: Key) -> [String] { Self.values(entries[key]).map(\.value) }

  /// Paths are relative to this file's folder.
  package func paths(_ key: Key) -> [String] {
    let folder = document.name.lastIndex(of: "/").map { String(document.name[...$0]) } ?? ""
    return words(key).map { $0.hasPrefix("/") ? $0 : folder + $0 }
  }

  /// Runs `body`; an error that it throws gets the file name and the key's line.
  package func at<Result>(_ key: Key, _ body: () throws(RetakeError) -> Result) throws(RetakeError) -> Result {
    try located(document, entries[key]?.line ?? 1, body)
  }

  private func number<Number: FixedWidthInteger>(_ key: Key, _ range: ClosedRange<Number>) throws(RetakeError)
    -> Number?
  {
    guard let entry = entries[key] else { return nil }
    guard let number = entry.value.flatMap({ Number($0) }), range.contains(number) else {
      let found = entry.values.joined(separator: ", ").shortened
      throw YAMLDocument.error(
        document.name, entry.line,
        "\(key.rawValue) takes a whole number, \(range.lowerBound) to \(range.upperBound), not '\(found)'")
    }
    return number
  }

  private static func values(_ entry: YAMLDocument.Entry?) -> [(value: String, line: Int)] {
    guard let entry, !entry.isNull else { return [] }
    return entry.values.map { ($0, entry.line) }
  }

  private static func isParameter(_ entry: YAMLDocument.Entry) -> Bool {
    startKeys.contains(entry.key) || entry.key.hasPrefix(setKey + ".") || (entry.key == setKey && entry.isNull)
  }
}

private func located<Result>(
  _ document: YAMLDocument, _ line: Int, _ body: () throws(RetakeError) -> Result
) throws(RetakeError) -> Result {
  do throws(RetakeError) {
    return try body()
  } catch {
    throw RetakeError(error.code, "\(document.name):\(line): \(error.message)", hint: error.hint)
  }
}

extension SweepFile {
  /// Nil if the entry is not below `scan`, `list` or `range`.
  fileprivate static func term(
    _ entry: YAMLDocument.Entry, _ declarations: [ParameterDeclaration]
  ) throws(RetakeError) -> SweepTerm? {
    guard let kind = SweepTerm.Kind.allCases.first(where: { entry.key.hasPrefix($0.rawValue + ".") }) else {
      return nil
    }
    let declaration = try declarations.named(String(entry.key.dropFirst(kind.rawValue.count + 1)))
    guard !entry.isNull, !entry.values.isEmpty else {
      throw RetakeError(.usage, "\(kind.rawValue) of \(declaration.name) has no values to try.", hint: hint)
    }
    let isListed = kind == .list && !entry.isList
    return try SweepTerm(
      kind, isListed ? entry.values[0].split(separator: ",").map(String.init) : entry.values, of: declaration)
  }

  /// Nil for an empty group and for a key without a value.
  fileprivate static func key(
    _ entry: YAMLDocument.Entry, _ declarations: [ParameterDeclaration]
  ) throws(RetakeError) -> Key? {
    let groups = [setKey] + SweepTerm.Kind.allCases.map(\.rawValue)
    if groups.contains(entry.key) {
      if entry.isNull { return nil }
      throw RetakeError(.usage, "\(entry.key) takes names of parameters, each with a value.", hint: hint)
    }
    let word = String(entry.key.prefix { $0 != "." })
    if let key = Key(rawValue: word) {
      guard word == entry.key, key.takesList || !entry.isList else {
        throw RetakeError(
          .usage,
          "\(word) takes one value\(key.takesList ? " or a list" : ""), not a \(entry.isList ? "list" : "group").",
          hint: hint)
      }
      return entry.isNull ? nil : key
    }
    if declarations.contains(where: { $0.name == entry.key }) {
      throw RetakeError(
        .usage, "\(entry.key) is not inside a group.",
        hint:
          "put it under \(setKey) to set it, or its values to try under \(groups.dropFirst().joined(separator: ", "))")
    }
    let all = startKeys.sorted() + groups + Key.allCases.map(\.rawValue)
    throw RetakeError(
      .usage, "A sweep file has no key '\(word.shortened)'.",
      hint:
        "\(Spelling.guess(word, in: all))There are: \(all.joined(separator: ", "))"
    )
  }
}
