import GRDB
import Glibc
import Support

/// Which recordings to find: terms that must all hold, such as `tag:dark drops>0 mark:flicker duration>10s`.
package struct CatalogueQuery: Sendable {
  package static let help = """
    tag:NAME or tag:NAME=VALUE; mark:, note:, name:, stream: and plain words search whole words in these texts, in quotes \
    several, and 'and' between terms may be left out; is:STATE takes \(CatalogueEntry.State.allCases.map(\.rawValue).joined(separator: ", ")); drops, events, marks, \
    faces, frames, size, duration and started compare with = != < <= > >=, as in duration>10s, size>=1GB or \
    started>2026-05-31; the headings of 'retake list' work too, as in lost>0, length>10s or state:whole; a ! before a term turns it round
    """

  /// Conditions on the tables of `RecordingCatalogue`, all of which must hold.
  private(set) var conditions: [String] = []
  private(set) var arguments: [any DatabaseValueConvertible & Sendable] = []
  /// As they were understood.
  package private(set) var terms: [String] = []

  private static let numbers = [
    "drops": "drops", "lost": "drops", "events": "events", "marks": "mark_count", "faces": "face_frames",
    "frames": "frame_sets", "size": "byte_count", "duration": "duration_ns", "length": "duration_ns",
    "started": "start_ns",
  ]
  private static let texts = ["tag", "mark", "note", "name", "stream", "is", "state", "id"]
  /// Longest first: `<=` begins with `<`.
  private static let comparisons = ["!=", "<=", ">=", "=", "<", ">"]
  private static let termLimit = 32

  /// - Throws: `.usage` for a term that cannot be understood, with the nearest name.
  package init(_ text: String) throws(RetakeError) {
    let terms = Self.withoutSpaces(try Self.terms(text))
    guard terms.count <= Self.termLimit else {
      throw RetakeError(.usage, "The query has more than \(Self.termLimit) terms.", hint: "leave some out")
    }
    for (number, term) in terms.enumerated() {
      switch term.isQuoted ? "" : term.text.lowercased() {
      // What terms side by side mean anyway.
      case "and", "&&":
        guard number > 0, number < terms.count - 1 else {
          throw RetakeError(
            .usage, "'\(term.text)' of the query has no term on one side.",
            hint: "leave it out, or write '\"\(term.text)\"' to look for the word")
        }
      case "or", "not", "||":
        throw RetakeError(
          .usage, "The query has '\(term.text)', but all its terms must hold.",
          hint:
            "write !term for 'not', and ask twice instead of 'or'; in quotes it is looked for as a word: '\"\(term.text)\"'"
        )
      default:
        try add(term.text)
        self.terms.append(term.text)
      }
    }
  }

  package mutating func leaveOutGone() {
    conditions.append("entry.state != ?")
    arguments.append(CatalogueEntry.State.gone.rawValue)
  }

  /// Splits at spaces outside of quotation marks, which are dropped.
  private static func terms(_ text: String) throws(RetakeError) -> [(text: String, isQuoted: Bool)] {
    var terms: [(text: String, isQuoted: Bool)] = []
    var term: String?
    var isQuoted = false
    var wasQuoted = false
    for character in text {
      switch character {
      case "\"":
        isQuoted.toggle()
        wasQuoted = true
        term = term ?? ""
      case _ where character.isWhitespace && !isQuoted:
        if let term { terms.append((term, wasQuoted)) }
        (term, wasQuoted) = (nil, false)
      default: term = (term ?? "") + String(character)
      }
    }
    guard !isQuoted else {
      throw RetakeError(
        .usage, "The query has a quotation mark without its partner: \(text)", hint: "add the other one")
    }
    if let term { terms.append((term, wasQuoted)) }
    return terms
  }

  /// Joins comparisons that were written with spaces: `drops > 0`.
  private static func withoutSpaces(_ terms: [(text: String, isQuoted: Bool)]) -> [(text: String, isQuoted: Bool)] {
    terms.reduce(into: []) { joined, term in
      let before = joined.last?.isQuoted == false ? joined.last?.text ?? "" : ""
      let name = before.hasPrefix("!") ? before.dropFirst() : before[...]
      let isCompared = numbers[String(name)] != nil && comparisons.contains(where: term.text.hasPrefix)
      let isOpen = comparisons.contains(where: before.hasSuffix) && !comparisons.contains(before)
      guard !term.isQuoted, isCompared || isOpen else {
        return joined.append(term)
      }
      joined[joined.count - 1].text += term.text
    }
  }

  private mutating func add(_ term: String) throws(RetakeError) {
    let isNegated = term.hasPrefix("!")
    let word = isNegated ? String(term.dropFirst()) : term
    let name = word.prefix { $0.isLetter }
    let rest = word[name.endIndex...]
    let known = Self.numbers.keys.sorted() + Self.texts
    let condition: String
    if let comparison = Self.comparisons.first(where: rest.hasPrefix), !name.isEmpty {
      guard let column = Self.numbers[String(name)] else { throw Self.unknown(String(name), in: term, known) }
      condition = "entry.\(column) \(comparison) ?"
      arguments.append(try Self.number(String(rest.dropFirst(comparison.count)), of: String(name)))
    } else if rest.hasPrefix(":"), !name.isEmpty {
      guard Self.texts.contains(String(name)) else { throw Self.unknown(String(name), in: term, known) }
      condition = try text(String(name), String(rest.dropFirst()))
    } else {
      condition = try words("", word)
    }
    conditions.append(isNegated ? "NOT (\(condition))" : condition)
  }

  private static func unknown(_ name: String, in term: String, _ known: [String]) -> RetakeError {
    let guess = Spelling.guess(name, in: known) { numbers[$0] == nil ? "\($0):…" : "\($0)>…" }
    return RetakeError(
      .usage, "'\(term)' is no term of a query: there is no '\(name)' to ask for.",
      hint: "\(guess)'retake help find' lists the terms")
  }

  private mutating func text(_ name: String, _ value: String) throws(RetakeError) -> String {
    switch name {
    case "tag":
      var tags = RecordingTags()
      try tags.set(value)
      let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      arguments.append(parts[0])
      var condition = "tag.name = ?"
      if parts.count > 1 {
        arguments.append(parts[1])
        condition += " AND tag.value = ?"
      }
      return "EXISTS (SELECT 1 FROM tag WHERE tag.entry = entry.rowid AND \(condition))"
    case "is", "state":
      guard CatalogueEntry.State(rawValue: value) != nil else {
        let states = CatalogueEntry.State.allCases.map(\.rawValue)
        throw RetakeError(
          .usage, "'\(value)' is no state of a recording.",
          hint:
            "\(Spelling.guess(value, in: states) { "is:\($0)" })There are \(states.joined(separator: ", "))")
      }
      arguments.append(value)
      return "entry.state = ?"
    case "id":
      arguments.append(value)
      return "entry.id = ?"
    default: return try words(name, value)
    }
  }

  /// Whole words in a row, without regard to case.
  private mutating func words(_ column: String, _ text: String) throws(RetakeError) -> String {
    guard text.contains(where: { $0.isLetter || $0.isNumber }) else {
      guard !Self.comparisons.contains(text) else {
        throw RetakeError(
          .usage, "'\(text)' stands alone in the query.",
          hint: "name what is compared, as in duration>10s")
      }
      throw RetakeError(
        .usage, "A term of the query has no word: '\(column.isEmpty ? text : "\(column):\(text)")'.",
        hint: "give letters or digits, as in mark:flicker")
    }
    // A phrase in FTS5's language.
    arguments.append((column.isEmpty ? "" : "\(column) : ") + "\"" + text + "\"")
    return "entry.rowid IN (SELECT rowid FROM words WHERE words MATCH ?)"
  }

  // MARK: Numbers

  private static func number(_ text: String, of name: String) throws(RetakeError) -> Int64 {
    let value: Int64? =
      switch name {
      case "duration", "length": Quantity.nanoseconds(text)
      case "size": Quantity.bytes(text).map { Int64($0) }
      case "started": date(text)
      default: Int64(text)
      }
    if let value { return value }
    let sample =
      switch name {
      case "duration", "length": "10s, 2m or 1h"
      case "size": "500MB or 4GiB"
      case "started": "2026-05-31 or 2026-05-31T14:30, local time"
      default: "a whole number"
      }
    throw RetakeError(.usage, "'\(text)' cannot be compared with \(name).", hint: "write \(sample)")
  }

  /// "2026-05-31", "2026-05-31T14:30" or with seconds, in local time, as Unix nanoseconds.
  private static func date(_ text: String) -> Int64? {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    let day = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int32($0) }
    let clock =
      parts.count > 1 ? parts[1].split(separator: ":", omittingEmptySubsequences: false).map { Int32($0) } : [0, 0]
    guard parts.count <= 2, day.count == 3, (2...3).contains(clock.count), let year = day[0], let month = day[1],
      let date = day[2], let hour = clock[0], let minute = clock[1], let second = clock.count > 2 ? clock[2] : 0,
      (1970...2260).contains(year), (1...12).contains(month), (1...31).contains(date), (0...24).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1900, month - 1, date)
    (time.tm_hour, time.tm_min, time.tm_sec, time.tm_isdst) = (hour, minute, second, -1)
    return Int64(mktime(&time)) * 1_000_000_000
  }
}
