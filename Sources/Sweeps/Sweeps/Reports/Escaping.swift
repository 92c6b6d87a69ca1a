import Support

/// Escapes text from files (paths, errors, parameter values) for the place where it goes.
package enum Escaping {
  /// For HTML text and quoted attributes. U+FFFD replaces control characters, which HTML forbids,
  /// and direction controls, which could reorder the page's own text.
  static func html(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case _ where scalar.isHarmfulToShow: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A JSON string for use inside a script element: it cannot close the element or open a comment.
  static func json(_ text: String) -> String {
    var result = "\""
    result.reserveCapacity(text.utf8.count + 2)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "<", ">", "&", "'": result += escaped(scalar)
      case _ where scalar.isHarmfulToShow: result += escaped(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String { "\\u" + scalar.value.zeroPadded(4, radix: 16) }

  /// Makes an already quoted command line safe to copy into a shell. It is returned unchanged if a
  /// shell would only split it into words; otherwise all of it becomes one quoted word.
  package static func inert(_ words: String) -> String {
    var isQuoted = false
    var bytes = Array(words.utf8)[...]
    while let byte = bytes.popFirst() {
      if byte < 0x20 || byte == 0x7F { return ShellWord.quoted(words) }
      if isQuoted {
        isQuoted = byte != UInt8(ascii: "'")
        continue
      }
      switch byte {
      case UInt8(ascii: "'"): isQuoted = true
      case UInt8(ascii: "$"):
        guard skipNumbered(&bytes) else { return ShellWord.quoted(words) }
      case UInt8(ascii: "\\"):
        if bytes.popFirst() != UInt8(ascii: "'") { return ShellWord.quoted(words) }
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        break
      default:
        if !" _-+=.,:/@%".utf8.contains(byte) { return ShellWord.quoted(words) }
      }
    }
    return isQuoted ? ShellWord.quoted(words) : words
  }

  /// Consumes `$'…'` after the dollar; false unless it is printable ASCII and octal escapes.
  private static func skipNumbered(_ bytes: inout ArraySlice<UInt8>) -> Bool {
    guard bytes.popFirst() == UInt8(ascii: "'") else { return false }
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "'") { return true }
      guard (0x20...0x7E).contains(byte) else { return false }
      guard byte == UInt8(ascii: "\\") else { continue }
      for _ in 0..<3 {
        guard let digit = bytes.popFirst(), (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else {
          return false
        }
      }
    }
    return false
  }

  /// A quoted path that is never mistaken for an option.
  package static func shellPath(_ path: String) -> String { ShellWord.quoted(path.hasPrefix("-") ? "./" + path : path) }
}
