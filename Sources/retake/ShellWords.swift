/// Words for a shell to read.
enum ShellWords {
  /// With quotes round what means something to a shell.
  static func joined(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  static func quoted(_ word: String) -> String {
    if !word.isEmpty && word.utf8.allSatisfy(isPlainByte) { return word }
    // By scalars: to Swift a quote and the accent behind it are one character, and no quote.
    var quoted = "'"
    for scalar in word.unicodeScalars {
      if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "'"
  }

  private static func isPlainByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "_-+=.,:/@%".utf8.contains(byte)
    }
  }
}
