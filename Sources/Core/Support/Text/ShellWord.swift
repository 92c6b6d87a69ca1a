/// Words for a shell to read.
package enum ShellWord {
  package static func joined(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  /// One word, in quotes where it needs them. Control characters, which a terminal would act upon and a page does not keep, are
  /// written as numbers: as bash and zsh read them, and POSIX since 2024.
  package static func quoted(_ word: String) -> String {
    if !word.isEmpty && word.utf8.allSatisfy(isPlain) { return word }
    if word.unicodeScalars.contains(where: \.isHarmfulToShow) { return numbered(word) }
    // By scalars: a quote before a combining mark is one to a shell all the same.
    return "'" + word.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "_-+=.,:/@%".utf8.contains(byte)
    }
  }

  /// `$'…'`: all bytes that are not printable ASCII as three octal digits.
  private static func numbered(_ word: String) -> String {
    let bytes = word.utf8.map { byte -> String in
      let isPlain = (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\\")
      if isPlain { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
    return "$'" + bytes.joined() + "'"
  }
}
