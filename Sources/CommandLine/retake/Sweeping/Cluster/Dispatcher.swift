import Support
import Sweeps

/// Starts parts of a shared sweep by Slurm, by GNU parallel, or by a command of the user's.
struct Dispatcher {
  let sweep: SharedSweep
  let target: SweepSubmitCommand.Target
  let options: SbatchOptions
  let hosts: String?
  let template: String?
  let printOnly: Bool
  let isQuiet: Bool

  /// Looks for what is needed, before any folder is made.
  static func check(_ target: SweepSubmitCommand.Target, hosts: String?) throws(RetakeError) {
    guard target == .parallel, let hosts else { return }
    guard ShellCommand.exists("parallel") else {
      throw RetakeError(
        .notFound, "GNU parallel is not installed on this computer.",
        hint: "install it with 'apt-get install parallel', or use --template")
    }
    guard FileReplacement.replaces(hosts) else {
      throw RetakeError(
        .notFound, "There are no computers in \(hosts).", hint: "write one on each line, as for ssh, or N/host")
    }
  }

  func start(_ parts: [Int]) throws {
    switch target {
    case .slurm: try startSlurm(parts)
    case .parallel: try startParallel(parts)
    case .command: try startTemplate(parts)
    }
  }

  /// Submits the given parts of a round of a search, and the step behind the round.
  /// - Parameter running: jobs of the round that Slurm still has.
  func startRound(_ parts: [Int], after running: [String] = []) throws {
    let round = "\(sweep.round)"
    let array =
      ["sbatch", "--parsable"] + options.words + ["--array=\(SlurmQueue.array(parts))", sweep.jobPath, round]
    func step(_ jobs: [String]) -> [String] {
      let after = jobs.isEmpty ? [] : ["--dependency=afterany:\(jobs.joined(separator: ":"))"]
      return ["sbatch", "--parsable"] + options.words + after + [
        sweep.stepPath, round, ShellWord.joined(options.words),
      ]
    }
    if printOnly {
      if !parts.isEmpty { try print(ShellWord.joined(array)) }
      return try print(ShellWord.joined(step(running + (parts.isEmpty ? [] : ["JOB"]))))
    }
    var jobs = running
    if !parts.isEmpty {
      let job = try submit(array)
      try SlurmQueue.note(job, "round-\(round)", of: sweep)
      jobs.append(job)
    }
    try SlurmQueue.note(submit(step(jobs)), "step", of: sweep)
  }

  private func startSlurm(_ parts: [Int]) throws {
    let array = ["sbatch", "--parsable"] + options.words + ["--array=\(SlurmQueue.array(parts))", sweep.jobPath]
    func merge(_ job: String) -> [String] {
      ["sbatch", "--parsable"] + options.words + ["--dependency=afterany:\(job)", sweep.mergePath]
    }
    if printOnly {
      try print(ShellWord.joined(array))
      return try print(ShellWord.joined(merge("JOB")))
    }
    let job = try submit(array)
    try SlurmQueue.note(job, "parts", of: sweep)
    try SlurmQueue.note(submit(merge(job)), "merge", of: sweep)
  }

  private func submit(_ words: [String]) throws -> String {
    let answer = try ShellCommand.run(words)
    // "123", or "123;cluster" where a site has several.
    guard answer.isGood, let job = answer.lastLine.split(separator: ";").first, job.allSatisfy(\.isNumber) else {
      throw RetakeError(
        .childProcess, "Slurm did not take the job: \(answer.lastLine)",
        hint: "the command was: \(ShellWord.joined(words))")
    }
    return String(job)
  }

  /// One line for sh. Parts that fail are tried once more, perhaps on another computer.
  private func startParallel(_ parts: [Int]) throws {
    let log = ShellWord.quoted(sweep.path + "/logs/")
    let words = [
      "parallel", "--sshloginfile", hosts ?? "", "--retries", "2", "--joblog", sweep.path + "/logs/parallel.txt",
      "bash \(ShellWord.quoted(sweep.jobPath)) {} >>\(log)part-{}.log 2>&1", ":::",
    ]
    let line = ShellWord.joined(words + parts.map { "\($0)" })
    let merge = "bash \(ShellWord.quoted(sweep.mergePath))"
    let whole = "\(line); \(merge)"
    if printOnly { return try print(whole) }
    let answer = try ShellCommand.run(
      text: "setsid nohup sh -c \(ShellWord.quoted(whole)) </dev/null >>\(log)submit.log 2>&1 & echo $!")
    guard answer.isGood else {
      throw RetakeError(.childProcess, "GNU parallel could not be started: \(answer.lastLine)", hint: "try: \(line)")
    }
  }

  private func startTemplate(_ parts: [Int]) throws {
    guard let template else { return }
    for part in parts {
      let line =
        template.replacing("{part}", with: "\(part)").replacing("{job}", with: ShellWord.quoted(sweep.jobPath))
        .replacing("{folder}", with: ShellWord.quoted(sweep.path))
      if printOnly {
        try print(line)
        continue
      }
      let answer = try ShellCommand.run(text: "( \(line) ) 2>&1")
      guard answer.isGood else {
        throw RetakeError(
          .childProcess, "The command for part \(part) failed: \(answer.lastLine)", hint: "the command was: \(line)")
      }
      if !isQuiet && !answer.text.isEmpty { Terminal.say(answer.lastLine) }
    }
    if !isQuiet {
      Terminal.say("When all parts have ended: retake sweep merge \(ShellWord.quoted(sweep.path))")
    }
  }
}
