import Glibc
import Support

/// Parameters from a YAML file: groups or dotted names. `preset` and `profile` are applied first.
package struct ParameterFile: Sendable {
  package static let presetKey = "preset"
  package static let profileKey = "profile"
  private let document: YAMLDocument
  private let presetEntry: YAMLDocument.Entry?
  private let profileEntry: YAMLDocument.Entry?

  package var preset: String? { presetEntry?.value }
  package var profile: String? { profileEntry?.value }

  /// - Throws: what reading throws; `.usage` for a `preset` or `profile` without a single value.
  package init(path: String) throws(RetakeError) { try self.init(try YAMLDocument(path: path)) }

  package init(_ document: YAMLDocument) throws(RetakeError) {
    self.document = document
    presetEntry = document.entries.first { $0.key == Self.presetKey }
    profileEntry = document.entries.first { $0.key == Self.profileKey }
    for entry in [profileEntry, presetEntry] {
      guard let entry, entry.isNull || entry.value == nil else { continue }
      throw located(
        RetakeError(
          .usage, "'\(entry.key)' must name one \(entry.key).",
          hint: "'retake parameters' lists the valid names at the end of its output"), entry)
    }
  }

  /// Runs `body` and adds the file's `preset` line to its errors.
  package func atPreset<Result>(_ body: () throws(RetakeError) -> Result) throws(RetakeError) -> Result {
    do throws(RetakeError) { return try body() } catch { throw located(error, presetEntry) }
  }

  /// Runs `body` and adds the file's `profile` line to its errors.
  package func atProfile<Result>(_ body: () throws(RetakeError) -> Result) throws(RetakeError) -> Result {
    do throws(RetakeError) { return try body() } catch { throw located(error, profileEntry) }
  }

  /// Applies the file's values in their order.
  /// - Throws: `.usage` naming file, line and parameter, and the nearest valid name or value.
  package func apply(to parameters: inout ParameterSet) throws(RetakeError) {
    for entry in document.entries where ![Self.presetKey, Self.profileKey].contains(entry.key) {
      do throws(RetakeError) { try apply(entry, to: &parameters) } catch { throw located(error, entry) }
    }
  }

  private func apply(_ entry: YAMLDocument.Entry, to parameters: inout ParameterSet) throws(RetakeError) {
    // An empty group, for example one whose lines are all comments.
    if entry.isNull, parameters.declarations.contains(where: { $0.name.hasPrefix(entry.key + ".") }) { return }
    let declaration = parameters.declarations.first { $0.name == entry.key }
    if declaration == nil { try parameters.checkNoGroup(entry.key) }
    guard let text = entry.value else {
      throw RetakeError(.usage, "\(entry.key.shortened) takes a single value, not a list.", hint: hint(declaration))
    }
    guard entry.isNull, let declaration else {
      return try parameters.set(entry.key, to: declaration?.domain == .path ? placed(text) : text)
    }
    guard declaration.domain == .path else {
      throw RetakeError(.usage, "\(entry.key) has no value.", hint: hint(declaration))
    }
    try parameters.set(entry.key, to: "")
  }

  /// Looks for a relative path beside the file first. Else the text stays: it may be no path.
  private func placed(_ path: String) -> String {
    guard !path.hasPrefix("/"), let slash = document.name.lastIndex(of: "/") else { return path }
    let sibling = String(document.name[...slash]) + path
    return !path.isEmpty && access(sibling, F_OK) == 0 ? sibling : path
  }

  private func hint(_ declaration: ParameterDeclaration?) -> String {
    guard let declaration else { return "'retake parameters' lists all parameters" }
    let quotes = declaration.domain == .color ? "; put the value in quotes, since # starts a comment" : ""
    return "it takes \(declaration.rangeText)\(quotes)"
  }

  private func located(_ error: RetakeError, _ entry: YAMLDocument.Entry?) -> RetakeError {
    RetakeError(error.code, "\(document.name):\(entry?.line ?? 1): \(error.message)", hint: error.hint)
  }
}
