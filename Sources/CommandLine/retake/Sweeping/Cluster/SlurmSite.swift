import Support

/// What a Slurm site allows, asked of its own commands.
struct SlurmSite {
  struct Partition {
    let name: String
    let isDefault: Bool
    let isUp: Bool
    /// Nil for any time.
    let longestMinutes: Int?
  }

  let highestArrayIndex: Int
  let partitions: [Partition]

  /// Slurm's own default.
  private static let usualArraySize = 1001
  private static let noSlurm = RetakeError(
    .notFound, "There is no sbatch on this computer.",
    hint:
      "run this where jobs are submitted, look at the commands with --print, or give other computers with --hosts FILE")

  static func ask() throws(RetakeError) -> SlurmSite {
    guard ShellCommand.exists("sbatch") else { throw noSlurm }
    let config = try answer(["scontrol", "show", "config"])
    let size = config.split(separator: "\n").first { $0.hasPrefix("MaxArraySize") }
      .flatMap { $0.split(separator: "=").last }.flatMap { Int($0.filter(\.isNumber)) }
    let partitions = try answer(["scontrol", "show", "partition", "-o"]).split(separator: "\n").compactMap(partition)
    return SlurmSite(highestArrayIndex: (size ?? usualArraySize) - 1, partitions: partitions)
  }

  private static func answer(_ words: [String]) throws(RetakeError) -> String {
    let answer = try ShellCommand.run(words)
    guard answer.isGood else {
      throw RetakeError(
        .childProcess, "Slurm does not answer '\(ShellWord.joined(words))': \(answer.lastLine)",
        hint: "try that command; Slurm's controller may be down")
    }
    return answer.text
  }

  private static func partition(_ line: Substring) -> Partition? {
    var values: [Substring: Substring] = [:]
    for word in line.split(separator: " ") {
      let halves = word.split(separator: "=", maxSplits: 1)
      if halves.count == 2 { values[halves[0]] = halves[1] }
    }
    guard let name = values["PartitionName"] else { return nil }
    return Partition(
      name: String(name), isDefault: values["Default"] == "YES", isUp: values["State"] == "UP",
      longestMinutes: values["MaxTime"].flatMap { minutes(String($0)) })
  }

  /// "30", "30:00", "1:30:00", "2-12", "2-12:00" or "2-12:00:00", rounded up; nil for anything else, such as UNLIMITED.
  static func minutes(_ text: String) -> Int? {
    let halves = text.split(separator: "-", maxSplits: 1).map(String.init)
    let numbers = (halves.last ?? "").split(separator: ":").map { Int($0) }
    guard (1...2).contains(halves.count), (1...3).contains(numbers.count) else { return nil }
    let known = numbers.compactMap { $0 }.filter { (0..<1 << 30).contains($0) }
    guard known.count == numbers.count else { return nil }
    if halves.count == 2 {
      guard let days = Int(halves[0]), (0..<1 << 20).contains(days) else { return nil }
      let (hours, minutes, seconds) = (known[0], known.count > 1 ? known[1] : 0, known.count > 2 ? known[2] : 0)
      return days * 1440 + hours * 60 + minutes + (seconds + 59) / 60
    }
    switch known.count {
    case 1: return known[0]
    case 2: return known[0] + (known[1] + 59) / 60
    default: return known[0] * 60 + known[1] + (known[2] + 59) / 60
    }
  }

  /// The partition that jobs with these options of sbatch go to.
  /// - Throws: `.usage` for one that is not there or down, and for a time that it does not allow.
  func partition(_ options: SbatchOptions) throws(RetakeError) -> Partition? {
    let names = options.partitions
    for name in names where !partitions.contains(where: { $0.name == name }) {
      let near = Spelling.guess(name, in: partitions.map(\.name))
      throw RetakeError(
        .usage, "Slurm has no partition '\(name)' here.",
        hint: "\(near)There are: \(partitions.map(\.name).joined(separator: ", "))")
    }
    let chosen = partitions.filter { names.isEmpty ? $0.isDefault : names.contains($0.name) }
    if let down = chosen.first, chosen.allSatisfy({ !$0.isUp }) {
      throw RetakeError(
        .usage, "The partition '\(down.name)' takes no jobs now.",
        hint: "choose another with --sbatch '-p NAME', or ask the site's administrators")
    }
    let longest = chosen.max { ($0.longestMinutes ?? .max) < ($1.longestMinutes ?? .max) }
    if let longest, let limit = longest.longestMinutes, let wanted = options.minutes, wanted > limit {
      throw RetakeError(
        .usage, "A job of \(wanted) minutes would wait for ever: the partition '\(longest.name)' allows \(limit).",
        hint: "give --sbatch '-t \(limit)' or less; a part that reaches its time is queued again")
    }
    return longest
  }
}

/// Options of sbatch, as the user gave them.
struct SbatchOptions {
  let words: [String]

  /// - Throws: `.usage` for a quote without its end, and for options that 'submit' gives itself.
  init(_ text: String) throws(RetakeError) {
    guard let words = ShellWord.split(text) else {
      throw RetakeError(.usage, "--sbatch has a quote without its end: \(text)", hint: "close it")
    }
    for word in words where ["-a", "--array", "-d", "--dependency"].contains(word.prefix { $0 != "=" }) {
      throw RetakeError(
        .usage, "--sbatch may not contain \(word): 'retake sweep submit' gives it itself.", hint: "leave it out")
    }
    self.words = words
  }

  var partitions: [String] { (value("-p", "--partition") ?? "").split(separator: ",").map(String.init) }
  var minutes: Int? { value("-t", "--time").flatMap(SlurmSite.minutes) }

  /// The last one counts.
  private func value(_ short: String, _ long: String) -> String? {
    var found: String?
    for (place, word) in words.enumerated() {
      if word == short || word == long, place + 1 < words.count { found = words[place + 1] }
      if word.hasPrefix(long + "=") { found = String(word.dropFirst(long.count + 1)) }
      if word.hasPrefix(short), !word.hasPrefix("--"), word.count > short.count {
        found = String(word.dropFirst(short.count))
      }
    }
    return found
  }
}
