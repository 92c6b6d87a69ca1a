import FrameModel
import Glibc
import Support
import Sweeps

/// The jobs of a shared sweep that Slurm still knows.
struct SlurmQueue {
  /// By part: "running", "waiting" or Slurm's own word.
  private(set) var states: [Int: String] = [:]
  private(set) var isMergeQueued = false
  /// Slurm's word for the step of a search; nil if none is queued.
  private(set) var step: String?
  /// Arrays whose parts are queued.
  private(set) var arrays: [String] = []

  private static let byteLimit = 1 << 20
  private static let words = [
    "PENDING": "waiting", "RUNNING": "running", "COMPLETING": "ending", "REQUEUED": "waiting",
  ]

  /// Nobody's job if Slurm was never used.
  /// - Throws: `.childProcess` if Slurm does not answer.
  init(_ sweep: SharedSweep) throws(RetakeError) {
    var purposes: [Substring: Substring] = [:]
    let text =
      (try? FileBytes.read(sweep.jobsPath, limit: Self.byteLimit)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 3, words[0] == "slurm" { purposes[words[1]] = words[2] }
    }
    guard !purposes.isEmpty else { return }
    let answer = try ShellCommand.run(["squeue", "-h", "-r", "-u", "\(getuid())", "-o", "%F %K %T"])
    guard answer.isGood else {
      throw RetakeError(
        .childProcess, "Slurm does not answer 'squeue': \(answer.lastLine)",
        hint: "run this where jobs are submitted; Slurm's controller may be down")
    }
    for line in answer.text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let purpose = purposes[words[0]] else { continue }
      if purpose == "merge" { isMergeQueued = true }
      if purpose == "step" { step = Self.words[String(words[2])] ?? words[2].lowercased() }
      // Parts of a round that is over are of no interest.
      guard let part = Int(words[1]), purpose == (sweep.round == 0 ? "parts" : "round-\(sweep.round)") else { continue }
      if !arrays.contains(String(words[0])) { arrays.append(String(words[0])) }
      states[part] = Self.words[String(words[2])] ?? words[2].lowercased()
    }
  }

  /// Notes a job, so that a later command finds it.
  static func note(_ job: String, _ purpose: String, of sweep: SharedSweep) throws(RetakeError) {
    let before = (try? FileBytes.read(sweep.jobsPath, limit: byteLimit)) ?? []
    try FileBytes.write(before + Array("slurm \(job) \(purpose)\n".utf8), to: sweep.jobsPath)
  }

  /// "1-3,7,9-12".
  static func array(_ parts: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for part in parts.sorted() {
      if let last = ranges.last, last.upperBound + 1 == part {
        ranges[ranges.count - 1] = last.lowerBound...part
      } else {
        ranges.append(part...part)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(
      separator: ",")
  }
}
