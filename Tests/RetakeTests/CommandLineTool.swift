import Foundation
import TestSupport
import Testing

/// The commands as a user runs them.
enum CommandLineTool {
  /// Runs the debug build's `retake` and expects an exit code.
  @discardableResult
  static func run(
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

  /// The same of a recorder of a live camera, which ends in order.
  @discardableResult
  static func runLive(
    _ arguments: [String], location: SourceLocation = #_sourceLocation, whileRunning: (Int32) throws -> Void = { _ in }
  ) throws -> ChildProcess {
    let result = try ChildProcess.run(Checkout.retake, arguments, whileRunning: whileRunning)
    #expect(
      isInOrder(result.status, result.text + result.errors),
      "retake \(arguments.joined(separator: " ")) ended with \(result.status): \(result.errors)",
      sourceLocation: location)
    return result
  }

  /// With 0, or with 3 where nothing but frames was lost, as those of a live camera are on a machine that is too busy for it.
  static func isInOrder(_ status: Int32, _ said: String) -> Bool {
    status == 0 || (status == 3 && said.contains(" lost; 'retake info' says where.") && !said.contains("error: "))
  }

  /// Records the simulated camera as fast as it goes.
  static func recordSimulated(_ folder: TemporaryFolder, _ name: String = "a.retake", _ options: String = "frames=30")
    throws -> String
  {
    let path = folder.path(name)
    try run(["record", "--device", "simulated?pace=fast&\(options)", "-o", path, "--keep-free", "0"])
    return path
  }

  static func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  static func jsonLines(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { try json(String($0)) }
  }
}
