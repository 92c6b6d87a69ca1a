import FrameModel
import Glibc
import Support
import Sweeps

/// Where shared sweeps lie, for the commands that use them.
enum SharedFolder {
  /// This program's own path.
  static var program: String { Folder.absolute("/proc/self/exe") }

  static func scratch(_ given: String?) -> String {
    let names = ["SLURM_TMPDIR", "TMPDIR"]
    let found = names.lazy.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty }
    return given ?? found ?? "/tmp"
  }

  /// The plan of the definition that lies in the folder.
  /// - Throws: `.usage` if it cannot be the one that was submitted.
  static func plan(of shared: SharedSweep) throws -> SweepPlan {
    let isSearch = shared.search != nil
    let plan = try SweepFlags.parse(["--file", shared.definitionPath]).plan(needed: [], isSearch: isSearch).plan
    guard plan.settings.count == shared.identity.settings.count else {
      throw RetakeError(
        .usage,
        "\(shared.definitionPath) is another sweep than the one submitted to \(shared.path): its settings differ.",
        hint: "submit it to another folder")
    }
    return plan
  }

  /// The search that was submitted.
  /// - Throws: `.usage` if the definition is not the one that was submitted.
  static func search(_ request: SharedSearch, of shared: SharedSweep, isQuiet: Bool) throws -> SearchWork {
    let goal = try SearchGoal(
      SweepChoice(request.best), front: try SweepScores.named(request.front) ?? [], recordings: request.over)
    let work = try SearchWork(
      best: request.best, goal: goal, budget: request.budget, mode: request.mode, plan: plan(of: shared),
      isQuiet: isQuiet)
    try shared.check(work.identity, of: shared.definitionPath)
    guard work.run.digest == request.digest else {
      throw RetakeError(
        .usage,
        "\(shared.definitionPath) is another search than the one submitted to \(shared.path): what it tries differs.",
        hint: "submit it to another folder")
    }
    return work
  }
}
