import FrameModel
import Glibc
import Support
import Sweeps

/// Where shared sweeps lie, for the commands that use them.
enum SharedFolder {
  /// The same path on every computer, without a slash at its end.
  static func absolute(_ path: String) -> String {
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    return trimmed.hasPrefix("/") ? trimmed : current + "/" + trimmed
  }

  static var current: String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }

  /// This program's own path.
  static var program: String { absolute("/proc/self/exe") }

  static func scratch(_ given: String?) -> String {
    let names = ["SLURM_TMPDIR", "TMPDIR"]
    let found = names.lazy.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty }
    return given ?? found ?? "/tmp"
  }

  /// The plan of the definition that lies in the folder.
  /// - Throws: `.usage` if it cannot be the one that was submitted.
  static func plan(of shared: SharedSweep) throws -> SweepPlan {
    let plan = try SweepFlags.parse(["--file", shared.definitionPath]).plan(needed: []).plan
    guard plan.settings.count == shared.identity.settings.count else {
      throw RetakeError(
        .usage,
        "\(shared.definitionPath) is another sweep than the one submitted to \(shared.path): its settings differ.",
        hint: "submit it to another folder")
    }
    return plan
  }
}
