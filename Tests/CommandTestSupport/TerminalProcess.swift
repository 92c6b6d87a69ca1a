import Foundation
import Glibc
import TestSupport

/// A `retake` in a terminal of its own, with keys that can be pressed. Whatever a test throws, it ends with its owner.
package final class TerminalProcess {
  private let process = Process()
  private let log: TemporaryFolder
  private let keyboard = Pipe()
  /// Whether a shell says at the end that everything has been shown, and waits for Return.
  private let hasFarewell: Bool
  /// Generous: what a loaded machine needs, and never waited for by a test that passes.
  private static let limitSeconds = 60

  /// - Parameters:
  ///   - columns: the terminal's width; 0 for one that does not tell.
  ///   - after: what a shell does in the same terminal when it has ended, in place of its exit code.
  package init(
    _ arguments: [String], columns: Int = 0, environment: [String: String] = [:], after: String? = nil
  ) throws {
    log = try TemporaryFolder()
    let path = log.path("out")
    try Data().write(to: URL(fileURLWithPath: path))
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    process.standardError = process.standardOutput
    process.standardInput = keyboard
    let words = (try [Checkout.retake] + arguments).map { "'\($0)'" }.joined(separator: " ")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/script")
    // A shell that stays would get the terminal's Ctrl-C too, unless it is told not to end of it.
    // `script` leaves with its child, whatever the terminal still holds: the child waits until that has been seen.
    hasFarewell = after != nil
    let line =
      after.map { "trap : INT; \(words); \($0); echo $((6 * 7))-left; read -r _" }
      ?? "stty cols \(columns); exec \(words)"
    process.arguments = ["-qefc", line, "/dev/null"]
    // At a crash in a terminal, a developer's machine would show a backtrace for minutes.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      .merging(environment) { $1 }
    try process.run()
  }

  deinit {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    // A zombie would hide the ends of tests that run in processes of their own.
    process.waitUntilExit()
  }

  /// Everything that the terminal showed so far.
  package var output: String { (try? String(contentsOfFile: log.path("out"), encoding: .utf8)) ?? "" }

  /// Whether the last `stty -a` after a text found a terminal in which keys are shown, lines end and Ctrl-C ends programs.
  package func hasUsualModes(after text: String) -> Bool {
    guard let place = output.range(of: text, options: .backwards) else { return false }
    let words = output[place.upperBound...].split { " ;\r\n".contains($0) }
    return ["icanon", "echo", "isig", "opost"].allSatisfy { words.contains($0) }
  }

  package func type(_ text: String) throws { try keyboard.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  /// Waits until the terminal has shown a text.
  package func wait(for text: String) throws {
    for _ in 0..<Self.limitSeconds * 100 {
      if output.contains(text) { return }
      guard process.isRunning else { break }
      usleep(10_000)
    }
    guard output.contains(text) else {
      throw ChildProcess.Missing(description: "'\(text)' never came; the terminal showed: \(output)")
    }
  }

  /// - Returns: the exit code, or minus the signal that ended it.
  package func end() throws -> Int32 {
    if hasFarewell {
      try wait(for: "42-left")
      try type("\n")
    }
    for _ in 0..<Self.limitSeconds * 100 where process.isRunning { usleep(10_000) }
    guard !process.isRunning else {
      kill(process.processIdentifier, SIGKILL)
      throw ChildProcess.Missing(description: "It hangs; the terminal showed: \(output)")
    }
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
  }
}
