/// Joins both words of `--at 120 matte.still=0`: ArgumentParser cannot repeat two-word options.
enum PairedArguments {
  /// Separates the words if the first contains spaces. U+001F is not typed by accident.
  static let separator: Character = "\u{1F}"
  private static let names: Set<String> = ["--at"]
  static let commands: Set<String> = ["replay", "bundle"]

  static func joined(_ arguments: [String]) -> [String] {
    guard let command = arguments.first, commands.contains(command) else { return arguments }
    var result: [String] = []
    var position = 0
    while position < arguments.count {
      let word = arguments[position]
      if word == "--" { return result + arguments[position...] }
      result.append(word)
      position += 1
      if names.contains(where: { word.hasPrefix($0 + "=") }), position < arguments.count,
        !word.contains(" "), arguments[position].contains("="), !arguments[position].hasPrefix("-")
      {
        result[result.count - 1] = "\(word)\(separator)\(arguments[position])"
        position += 1
        continue
      }
      guard names.contains(word), position + 1 < arguments.count, arguments[position + 1].contains("=") else {
        continue
      }
      let divider = arguments[position].contains(" ") ? separator : " "
      result.append("\(arguments[position])\(divider)\(arguments[position + 1])")
      position += 2
    }
    return result
  }
}
