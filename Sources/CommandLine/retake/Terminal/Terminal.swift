import FrameModel
import Glibc
import Support
import Synchronization

/// Messages to the user on standard error, so that standard output holds only results.
enum Terminal {
  static let errorIsTerminal = isatty(STDERR_FILENO) != 0
  static let outputIsTerminal = isatty(STDOUT_FILENO) != 0
  /// Whether a line can be drawn over: on a terminal that knows how to.
  static let redraws = errorIsTerminal && !isDumb
  private static let isDumb = getenv("TERM").map { String(cString: $0) } == "dumb"
  /// Width of the terminal that standard output is; nil if it is none.
  static var outputColumns: Int? { columns(STDOUT_FILENO) }

  /// Width of the terminal that standard error is, for lines that are redrawn.
  static var errorColumns: Int { columns(STDERR_FILENO) ?? 80 }

  private static func columns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
  private static let usesColor =
    redraws && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)

  /// What is being redrawn, and where the cursor is.
  private enum Drawing {
    /// At the end of the line.
    case line
    /// In the row below, where the user may be typing.
    case lineAbove
  }
  private static let drawing = Mutex<Drawing?>(nil)

  /// Prints lines, on a terminal broken at its width; the status line is redrawn below them. Control characters are replaced.
  static func say(_ text: String) { put(Format.fitted(text.printable, columns(STDERR_FILENO))) }

  /// Prints lines as `say` does, then a command to paste on an unbroken line of its own.
  static func say(_ text: String, command: [String]) {
    put(Format.fitted(text.printable, columns(STDERR_FILENO)) + "\n  " + ShellWord.joined(command).printable)
  }

  private static func put(_ text: String) {
    drawing.withLock { drawing in
      let clearing =
        switch drawing {
        case nil: ""
        case .line: "\r\u{1B}[2K"
        case .lineAbove: "\u{1B}[1A\r\u{1B}[J"
        }
      write(clearing + text + "\n")
      drawing = nil
    }
  }

  static func report(_ error: RetakeError) {
    report("error:", "1;31", error.message)
    let hint = nearName(error) + withPoint(error) + error.hint
    if !hint.isEmpty { report("hint:", "1;36", hint) }
  }

  /// "did you mean room.png? ", of names in the folder of a file that is missing; empty if none is near.
  private static func nearName(_ error: RetakeError) -> String {
    guard error.code == .notFound, error.hint.hasPrefix("check the path"),
      let path = error.message.firstMatch(of: /^There is no (.+?)(?:, which [a-z.-]+ names)?\.$/)
    else { return "" }
    return Folder.guess(String(path.1))
  }

  /// "write 1.5; ", of a number with a decimal comma; empty for other errors.
  private static func withPoint(_ error: RetakeError) -> String {
    guard error.code == .usage,
      let number = error.message.firstMatch(of: /'(-?[0-9]+),([0-9]+)' is not a number/)
    else { return "" }
    return "write \(number.1).\(number.2); "
  }

  private static func report(_ kind: String, _ code: String, _ text: String) {
    put(style(kind, code) + Format.fitted("\(kind) \(text.printable)", columns(STDERR_FILENO)).dropFirst(kind.count))
  }

  /// Replaces the status line; only where `redraws` is true. A narrow terminal goes without the last of its items.
  /// - Parameters:
  ///   - text: items with two spaces between them.
  ///   - leavesRow: leaves the row below untouched for the user's typing.
  static func redraw(_ text: String, leavesRow: Bool = false) {
    let columns = errorColumns
    var shown = text.printable
    while shown.count >= columns, let last = shown.ranges(of: "  ").last {
      shown = String(shown[..<last.lowerBound])
    }
    shown = String(shown.prefix(columns - 1))
    drawing.withLock { drawing in
      switch (leavesRow, drawing) {
      case (true, .lineAbove): write("\u{1B}7\u{1B}[1A\r\u{1B}[2K\(shown)\u{1B}8")
      case (true, _): write("\r\u{1B}[2K\(shown)\n")
      case (false, _): write("\r\u{1B}[2K\(shown)")
      }
      drawing = leavesRow ? .lineAbove : .line
    }
  }

  /// Keeps the status line on the screen; later output goes below it.
  static func endLine() {
    drawing.withLock { drawing in
      switch drawing {
      case nil: break
      case .line: write("\n")
      case .lineAbove: write("\r\u{1B}[2K")
      }
      drawing = nil
    }
  }

  private static func style(_ text: String, _ code: String) -> String {
    usesColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  private static func write(_ text: String) {
    // An error here cannot be reported either.
    try? Array(text.utf8).withRawBytes { bytes throws(RetakeError) in
      try FileBytes.writeAll(bytes, to: STDERR_FILENO, path: "standard error")
    }
  }
}

enum Format {
  /// "34.5 MB", with decimal units.
  static func bytes(_ count: Int) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"]
    var value = Double(count)
    var unit = 0
    while value >= 1000 && unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return unit == 0 ? "\(count) B" : "\(decimals(value, value < 100 ? 1 : 0)) \(units[unit])"
  }

  /// Rounded to exactly `places` decimals.
  static func decimals(_ value: Double, _ places: Int) -> String {
    // Damaged files may give such numbers, and their report must not trap.
    guard value.isFinite, value.magnitude < 1e15 else { return "-" }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((value.magnitude * scale).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    if places == 0 { return "\(sign)\(scaled)" }
    return "\(sign)\(scaled / Int(scale)).\((scaled % Int(scale)).zeroPadded(places))"
  }

  /// "1 frame", "2 frames".
  static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  /// "1 frame is", "2 frames are".
  static func counted(_ count: Int, _ noun: String, _ verb: String, _ pluralVerb: String) -> String {
    "\(counted(count, noun)) \(count == 1 ? verb : pluralVerb)"
  }

  /// "color 60, depth 58".
  static func counts(_ streams: [StreamDescription], _ counts: [Int], separator: String = ", ") -> String {
    zip(streams, counts).map { "\($0.name) \($1)" }.joined(separator: separator)
  }

  static func seconds(_ value: Double) -> String { decimals(value, 1) + " s" }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// Breaks a line at spaces so that none is longer than `columns`, where words allow it. Keeps the spaces that it begins
  /// with and those between words; later lines are indented. What is in single quotes is to be copied, and is not broken,
  /// nor is a command behind a colon.
  static func wrapped(_ line: String, _ columns: Int, indent: Int) -> String {
    var lines: [String] = []
    var current = String(line.prefix { $0 == " " })
    var isEmpty = true
    for word in words(line.dropFirst(current.count)) {
      if !isEmpty && current.count + 1 + word.count > columns {
        lines.append(current)
        current = String(repeating: " ", count: indent)
        isEmpty = true
      }
      current += (isEmpty ? "" : " ") + word
      isEmpty = isEmpty && word.isEmpty
    }
    return (lines + [current]).joined(separator: "\n")
  }

  /// Breaks lines that are longer than a terminal of `columns`; nil for none. Keeps indented commands whole.
  static func fitted(_ text: String, _ columns: Int?) -> String {
    guard let columns else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let line = String(line)
      let isWhole = line.count <= columns || line.hasPrefix("  retake ")
      return isWhole ? line : wrapped(line, columns, indent: line.prefix { $0 == " " }.count)
    }.joined(separator: "\n")
  }

  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var depth = 0
    var isCommand = false
    for part in line.split(separator: " ", omittingEmptySubsequences: false) {
      if let last = words.last, depth > 0 || isCommand {
        words[words.count - 1] = last + " " + part
      } else {
        // "write: retake export …": the command ends with the line.
        isCommand = part == "retake" && words.last?.last == ":"
        words.append(String(part))
      }
      depth = quoteDepth(after: part, depth)
    }
    return words
  }

  /// How many quotes are open after a part of a line between spaces, from those open before it. A command in quotes may
  /// have quoted words. An apostrophe inside or after a word opens none.
  private static func quoteDepth(after part: Substring, _ depth: Int) -> Int {
    // A quote within a shell's quotes neither opens nor closes.
    var body = part.replacing("'\\''", with: "").drop { "([$".contains($0) }
    while let last = body.last, ".,:;!?)]".contains(last) { body.removeLast() }
    guard body.contains(where: { $0 != "'" }) else {
      if body.count % 2 == 0 { return depth }
      return depth > 0 ? depth - 1 : 1
    }
    let opened = body.prefix { $0 == "'" }.count
    let closed = body.reversed().prefix { $0 == "'" }.count
    return max(0, depth + opened - closed)
  }

  /// Leaves out columns of a table that is wider than a terminal of `columns`, in the order of `heads`.
  static func table(_ rows: [[String]], without heads: [String], in columns: Int?) -> String {
    let text = table(rows)
    let isWide = columns.map { columns in text.split(separator: "\n").contains { $0.count > columns } } ?? false
    guard isWide, let head = heads.first else { return text }
    let kept = (rows.first ?? []).indices.filter { rows[0][$0] != head }
    return table(rows.map { row in kept.map { row[$0] } }, without: Array(heads.dropFirst()), in: columns)
  }

  /// Pads every column to its widest cell.
  static func table(_ rows: [[String]], indent: String = "") -> String {
    guard let columns = rows.map(\.count).max() else { return "" }
    let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map {
        $0.offset == row.count - 1 ? $0.element : padded($0.element, widths[$0.offset])
      }
      return indent + cells.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
