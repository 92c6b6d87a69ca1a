import FrameModel
import Support

/// What a person wrote about a recording: tags, each a name with a value or without, and a note.
package struct RecordingTags: Hashable, Sendable {
  package struct Tag: Hashable, Sendable {
    package var name: String
    /// Empty for a tag without a value.
    package var value: String

    package init(_ name: String, _ value: String = "") { (self.name, self.value) = (name, value) }

    /// "dark", or "take=3".
    package var text: String { value.isEmpty ? name : "\(name)=\(value)" }
  }

  /// Ordered by name; every name occurs once.
  package private(set) var tags: [Tag] = []
  /// May have several lines.
  package private(set) var note = ""

  package static let countLimit = 64
  private static let nameByteLimit = 64
  package static let noteByteLimit = 4096

  package init() {}

  package var isEmpty: Bool { tags.isEmpty && note.isEmpty }

  /// Adds a tag, or replaces the value of an existing one.
  /// - Throws: `.usage` for an invalid name or value, or too many tags.
  package mutating func set(_ name: String, to value: String) throws(RetakeError) {
    guard Self.isName(name) else {
      throw RetakeError(
        .usage, "'\(name)' is not the name of a tag.",
        hint:
          "write NAME or NAME=VALUE; a name has letters, digits, '.', '_' and '-', at most \(Self.nameByteLimit) bytes")
    }
    guard Mark.isLabel(value) else {
      throw RetakeError(
        .usage, "The value of tag '\(name)' must be one line of at most \(Mark.largestLabelByteCount) bytes.",
        hint: "longer text goes into --note")
    }
    remove(name)
    guard tags.count < Self.countLimit else {
      throw RetakeError(
        .usage, "A recording has at most \(Self.countLimit) tags.", hint: "remove one with --remove NAME")
    }
    tags.insert(Tag(name, value), at: tags.firstIndex { name < $0.name } ?? tags.count)
  }

  /// - Parameter word: NAME or NAME=VALUE.
  /// - Throws: as `set(_:to:)`.
  package mutating func set(_ word: String) throws(RetakeError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    try set(String(parts[0]), to: parts.count > 1 ? String(parts[1]) : "")
  }

  /// - Returns: whether there was one.
  @discardableResult
  package mutating func remove(_ name: String) -> Bool {
    let count = tags.count
    tags.removeAll { $0.name == name }
    return tags.count < count
  }

  /// - Throws: `.usage` for a text that is too long or has control characters.
  package mutating func setNote(_ text: String) throws(RetakeError) {
    guard text.utf8.count <= Self.noteByteLimit,
      text.unicodeScalars.allSatisfy({ $0 == "\n" || $0 == "\t" || !$0.isHarmfulToShow })
    else {
      throw RetakeError(
        .usage, "A note must be text of at most \(Self.noteByteLimit) bytes, without control characters.",
        hint: "shorten it")
    }
    note = text
  }

  package var json: JSONObject {
    JSONObject(["tags": JSONObject(pairs: tags.map { ($0.name, $0.value) }), "note": note])
  }

  private static func isName(_ text: String) -> Bool {
    (1...nameByteLimit).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-".unicodeScalars.contains($0)
      }
      && !text.hasPrefix("-")
  }
}
