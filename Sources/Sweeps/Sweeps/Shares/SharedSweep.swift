import FrameModel
import Glibc
import Parameters
import Support

/// The folder of a sweep whose parts run on several computers that all see it.
///
///     definition.yaml   what was submitted, for people and for the parts
///     plan.sqlite       results without runs: everything that results depend on
///     share.yaml        the number of parts, and what was forecast
///     job.sh, merge.sh  what a scheduler starts
///     jobs.txt          what was given to Slurm
///     logs/, parts/     of each part a log, its results, and how far it is
///     result.sqlite     all parts, merged
///
/// A search has step.sh in place of merge.sh, and a folder for each round in `rounds/` in place of `parts/`.
package struct SharedSweep {
  /// Absolute.
  package let path: String
  /// Of a search: of its round, or before the first one the most that a round may have.
  package private(set) var partCount: Int
  /// Nil for a sweep without search.
  package let search: SharedSearch?
  /// Of a search: which of its rounds the parts belong to; 0 before the first.
  package private(set) var round = 0
  /// CPU time of the whole sweep, as forecast; nil if it was not.
  package let forecastSeconds: Double?
  package let identity: SweepIdentity

  package static let partRange = 1...100_000
  private static let hint = "give the folder that 'retake sweep submit' made"

  package var definitionPath: String { path + "/definition.yaml" }
  package var jobPath: String { path + "/job.sh" }
  package var mergePath: String { path + "/merge.sh" }
  package var stepPath: String { path + "/step.sh" }
  package var jobsPath: String { path + "/jobs.txt" }
  package var resultPath: String { path + "/result.sqlite" }
  /// Of a search: what it found, as text and as parameters.
  package var foundPath: String { path + "/found.txt" }
  package var bestPath: String { path + "/best.yaml" }
  package func logPath(_ name: String) -> String { "\(path)/logs/\(name).log" }
  package func partPath(_ number: Int) -> String { "\(partsFolder)/part-\(number).sqlite" }
  var partsFolder: String { search == nil ? path + "/parts" : roundPath(round) }
  func roundPath(_ number: Int) -> String { "\(path)/rounds/\(number)" }
  private static func planPath(_ path: String) -> String { path + "/plan.sqlite" }
  private static func sharePath(_ path: String) -> String { path + "/share.yaml" }

  package static func exists(_ path: String) -> Bool { access(planPath(path), F_OK) == 0 }

  /// Makes the folder, or completes one whose making was interrupted.
  /// - Throws: `.inputOutput` for a folder with other contents; disk errors.
  package static func create(
    _ path: String, _ identity: SweepIdentity, definition: String, partCount: Int, forecastSeconds: Double?,
    search: SharedSearch? = nil
  ) throws(RetakeError) -> SharedSweep {
    try Folder.makeEmpty(path)
    for name in ["logs", search == nil ? "parts" : "rounds/0"] { try Folder.make("\(path)/\(name)") }
    try FileBytes.write(Array(definition.utf8), to: path + "/definition.yaml")
    var lines = ["# Written by 'retake sweep submit'.", "parts: \(partCount)"]
    if let forecastSeconds { lines.append("seconds: \(forecastSeconds)") }
    if let search { lines += search.yamlLines }
    try FileBytes.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: sharePath(path))
    // Last: what has it is complete.
    let own = planPath(path) + ".new"
    unlink(own)
    try SweepResultsFile.create(own, identity).close()
    guard SystemCall.rename(own, planPath(path)) == 0 else { throw FileBytes.failure("write", planPath(path)) }
    return try SharedSweep(path)
  }

  /// - Throws: `.usage` for a folder that is not of a submitted sweep; `.corrupt` for a damaged one.
  package init(_ path: String) throws(RetakeError) {
    guard Self.exists(path) else {
      throw RetakeError(.usage, "\(path) has no submitted sweep.", hint: Self.hint)
    }
    self.path = path
    identity = try SweepResultsFile.open(Self.planPath(path)).identity
    let share = try YAMLDocument(path: Self.sharePath(path), hint: Self.hint)
    func number(_ key: String) -> Double? { share.value(key).flatMap(Double.init) }
    guard let parts = number("parts").flatMap({ Int(exactly: $0) }), Self.partRange.contains(parts) else {
      throw RetakeError(
        .corrupt, "\(Self.sharePath(path)) is damaged: it has no valid number of parts.",
        hint: "submit the sweep to another folder")
    }
    (partCount, forecastSeconds) = (parts, number("seconds"))
    search = try SharedSearch(share).map { found in
      var found = found
      found.partLimit = parts
      return found
    }
  }

  /// The parts of a round.
  func withParts(ofRound number: Int, count: Int) -> SharedSweep {
    var other = self
    (other.round, other.partCount) = (number, count)
    return other
  }

  /// Checks what a part or another submission would run against what was submitted.
  /// - Parameters:
  ///   - what: such as "DIR/definition.yaml".
  ///   - maker: what has the version of `other`.
  ///   - expected: instead of what was submitted.
  package func check(
    _ other: SweepIdentity, of what: String, maker: String = "this program", expected: SweepIdentity? = nil
  ) throws(RetakeError) {
    let identity = expected ?? identity
    guard let difference = identity.difference(from: other) else { return }
    switch difference {
    case .version, .pipelineRevision:
      throw RetakeError(
        .usage, "\(path) was submitted with Retake \(identity.build), but \(maker) is of \(other.build).",
        hint: "use the same program on all computers, or submit the sweep to another folder")
    default:
      throw RetakeError(
        .usage, "\(what) is another sweep than the one submitted to \(path): \(difference.words).",
        hint: "submit it to another folder")
    }
  }

  package func checkPart(_ number: Int) throws(RetakeError) {
    guard (1...partCount).contains(number) else {
      throw RetakeError(
        .usage, "\(path) has parts 1 to \(partCount), not \(number).", hint: "'retake sweep status' lists them")
    }
  }
}

extension SweepIdentity {
  fileprivate var build: String { "\(version), pipeline revision \(pipelineRevision.map { "\($0)" } ?? "unknown")" }
}
