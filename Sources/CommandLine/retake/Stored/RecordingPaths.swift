import Support

/// Recordings that a command names, where - stands for lines of standard input, as 'retake find' prints them.
enum RecordingPaths {
  private static let countLimit = 100_000

  /// - Throws: `.usage` for an empty or repeated -, or no recordings at all.
  static func expanded(_ words: [String]) throws(RetakeError) -> [String] {
    guard words.contains("-") else { return words }
    guard words.firstIndex(of: "-") == words.lastIndex(of: "-") else {
      throw RetakeError(.usage, "- occurs twice.", hint: "standard input can be read only once")
    }
    var paths: [String] = []
    while let line = readLine() {
      guard !line.isEmpty else { continue }
      guard paths.count < countLimit else {
        throw RetakeError(.usage, "Standard input names more than \(countLimit) recordings.", hint: "name fewer")
      }
      paths.append(line)
    }
    let all = words.flatMap { $0 == "-" ? paths : [$0] }
    guard !all.isEmpty else {
      throw RetakeError(
        .usage, "Standard input names no recording.", hint: "give paths, one a line, as 'retake find' prints them")
    }
    return all
  }
}
