package enum ShellWord {
  package static func joined(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  /// One word, quoted if necessary. Control characters, which a terminal obeys and a web page
  /// loses, become `$'…'` escapes, which bash, zsh and POSIX since 2024 read.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { $0.isLetterOrDigit || "_-+=.,:/@%".utf8.contains($0) }
    if isPlain && !word.isEmpty { return word }
    if word.unicodeScalars.contains(where: \.isHarmfulToShow) { return numbered(word) }
    // By scalars: a shell sees a quote even before a combining mark.
    return "'" + word.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }

  private static func numbered(_ word: String) -> String {
    let bytes = word.utf8.map { byte -> String in
      let isPlain = (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\\")
      if isPlain { return String(UnicodeScalar(byte)) }
      return "\\" + byte.zeroPadded(3, radix: 8)
    }
    return "$'" + bytes.joined() + "'"
  }

  /// The words of a line as a shell splits it, with quotes and backslashes but nothing else that a shell replaces; nil for a
  /// quote without its end.
  package static func split(_ line: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Unicode.Scalar?
    var isEscaped = false
    for scalar in line.unicodeScalars {
      if isEscaped {
        word = (word ?? "") + String(scalar)
        isEscaped = false
      } else if scalar == "\\" && quote != "'" {
        isEscaped = true
        word = word ?? ""
      } else if scalar == quote {
        quote = nil
      } else if quote == nil, scalar == "'" || scalar == "\"" {
        quote = scalar
        word = word ?? ""
      } else if quote == nil, [" ", "\t", "\n"].contains(scalar) {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(scalar)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if let word { words.append(word) }
    return words
  }
}
