import Support

/// A number as an option's value. ArgumentParser refuses two kinds before the option's own check, which knows the range: negative
/// ones, which it takes for options, and those beyond 64 bits.
struct NumberWord {
  let isNegative: Bool
  /// Nil for other than whole numbers.
  private let digits: Substring?

  /// Nil for words that do not begin as a number.
  init?(_ word: some StringProtocol) {
    isNegative = word.hasPrefix("-")
    let rest = Substring(word).drop { $0 == "-" }
    guard rest.first?.isNumber == true else { return nil }
    digits = rest.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? rest : nil
  }

  /// The nearest number of 64 bits, as text; nil if the number has no more, and for other than whole numbers.
  var nearest: String? {
    guard let digits, Int(digits) == nil else { return nil }
    return "\(isNegative ? Int.min : Int.max)"
  }

  /// Arguments whose option ArgumentParser does not refuse for its number.
  /// - Parameter message: what it said.
  /// - Returns: the arguments, and whether they mean what was typed; nil if the message is of something else.
  static func checkable(_ arguments: [String], _ message: String) -> (arguments: [String], isSame: Bool)? {
    let quoted = message.split(separator: "'")
    guard quoted.count > 1 else { return nil }
    var result = arguments
    if message.contains("Missing value for '--") {
      let option = quoted[1].prefix { $0 != " " }
      guard let place = arguments.firstIndex(of: String(option)), place + 1 < arguments.count,
        NumberWord(arguments[place + 1])?.isNegative == true
      else { return nil }
      result[place...place + 1] = ["\(option)=\(arguments[place + 1])"]
      return (result, true)
    }
    guard message.contains("The value '"), let nearest = NumberWord(quoted[1])?.nearest, quoted.count > 3 else {
      return nil
    }
    let option = quoted[3].prefix { $0 != " " }
    for (place, word) in arguments.enumerated() {
      if word == quoted[1], place > 0, arguments[place - 1] == option { result[place] = nearest }
      if word == "\(option)=\(quoted[1])" { result[place] = "\(option)=\(nearest)" }
    }
    return result == arguments ? nil : (result, false)
  }
}
