/// Parses a setting of several numbers: `name=value` words separated by spaces.
struct SettingWords {
  private var words: [Substring: Substring] = [:]

  init(_ text: String) {
    for word in text.split(separator: " ") {
      let halves = word.split(separator: "=", maxSplits: 1)
      if halves.count == 2 { words[halves[0]] = halves[1] }
    }
  }

  subscript(name: String) -> String? { words[Substring(name)].map(String.init) }

  /// Nil if the name is missing or its value is not a finite number.
  func number(_ name: String) -> Double? { self[name].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }
}
