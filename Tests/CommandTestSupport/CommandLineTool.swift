import Foundation
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
  package static var needsDebugBuild: Self {
    .enabled(if: Checkout.hasDebugRetake, "needs a debug build of the program, which Tools/test --all makes")
  }
}

/// The commands as a user runs them.
package enum CommandLineTool {
  /// Runs the release build's `retake` and expects an exit code.
  @discardableResult
  package static func run(
    _ arguments: [String], expecting status: Int32 = 0, environment: [String: String] = [:],
    location: SourceLocation = #_sourceLocation, whileRunning: (Int32) throws -> Void = { _ in }
  ) throws -> ChildProcess {
    let result = try ChildProcess.run(
      Checkout.retake, arguments, environment: environment, whileRunning: whileRunning)
    #expect(
      result.status == status, "retake \(arguments.joined(separator: " ")) said: \(result.errors)",
      sourceLocation: location)
    return result
  }

  /// Records the simulated camera as fast as possible. Each set of options is recorded once; tests get copies.
  package static func recordSimulated(
    _ folder: TemporaryFolder, _ name: String = "a.retake", _ options: String = "frames=30"
  )
    throws -> String
  {
    let path = folder.path(name)
    try FileManager.default.copyItem(atPath: simulated(options), toPath: path)
    return path
  }

  /// Their paths, by the camera's options.
  private static let simulated = MadeOnce<String, String> { options in
    let path = try TemporaryFolder.sharedRecordingPath()
    try run(["record", "--device", "simulated?pace=fast&\(options)", "-o", path, "--keep-free", "0"])
    return path
  }

  package static func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  package static func jsonLines(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { try json(String($0)) }
  }
}
