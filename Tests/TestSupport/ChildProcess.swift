import Foundation

/// A program that ran, and what it said.
package struct ChildProcess: Sendable {
  package let status: Int32
  package let output: Data
  package let errors: String

  package var text: String { String(decoding: output, as: UTF8.self) }

  package struct Missing: Error, CustomStringConvertible {
    package let description: String
    package init(description: String) { self.description = description }
  }

  /// Runs a program to its end.
  /// - Parameters:
  ///   - environment: added to this process's own.
  ///   - whileRunning: called once it has started, with its process id.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:],
    whileRunning: (Int32) throws -> Void = { _ in }
  ) throws -> ChildProcess {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    // Files, not pipes: a child may write more than a pipe holds.
    let folder = try TemporaryFolder()
    for name in ["out", "err"] { try Data().write(to: URL(fileURLWithPath: folder.path(name))) }
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path("out")))
    let errors = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path("err")))
    (process.standardOutput, process.standardError) = (output, errors)
    let hasEnded = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in hasEnded.signal() }
    try process.run()
    // The child has its own. A Process keeps its files open for longer than it runs.
    try output.close()
    try errors.close()
    do { try whileRunning(process.processIdentifier) } catch {
      kill(process.processIdentifier, SIGKILL)
      // A zombie would hide the ends of tests that run in processes of their own.
      hasEnded.wait()
      throw error
    }
    // Not `waitUntilExit`, which looks only every 50 ms. A program that hangs fails its own test only.
    if hasEnded.wait(timeout: .now() + .seconds(600)) == .timedOut {
      kill(process.processIdentifier, SIGKILL)
      hasEnded.wait()
    }
    let signalled = process.terminationReason == .uncaughtSignal
    return ChildProcess(
      status: signalled ? -process.terminationStatus : process.terminationStatus,
      output: try Data(contentsOf: URL(fileURLWithPath: folder.path("out"))),
      errors: String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder.path("err"))), as: UTF8.self))
  }
}

/// Where things lie in this checkout.
package enum Checkout {
  package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The command line tool as users run it: the release build's, which the optimiser may have changed. `RETAKE_PROGRAM`
  /// names another, such as one built with a sanitizer.
  package static var retake: String {
    get throws {
      let given = ProcessInfo.processInfo.environment["RETAKE_PROGRAM"]
      return try executable(given ?? root + "/.build/release/retake", from: "swift build -c release --product retake")
    }
  }

  /// The debug build's, to compare its results with those of the release build.
  package static var debugRetake: String {
    get throws { try executable(root + "/.build/debug/retake", from: "swift build --product retake") }
  }
  /// Whether `Tools/test --all` has just made that build: one that lies there may be old.
  package static let hasDebugRetake =
    ProcessInfo.processInfo.environment["CI"] == "true"
    || ProcessInfo.processInfo.environment["RETAKE_DEBUG_BUILD"] == "new"

  package static var chromium: String {
    get throws {
      let programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
      guard let program = programs.first(where: FileManager.default.isExecutableFile) else {
        throw ChildProcess.Missing(description: "There is no Chromium: run 'Tools/setup --tests', which installs it.")
      }
      return program
    }
  }

  /// A Python with mcap, numpy, zstandard, pillow and cv2.
  package static var python: String {
    get throws {
      let given = ProcessInfo.processInfo.environment["RETAKE_PYTHON"]
      return try executable(given ?? root + "/.python/bin/python", from: "Tools/setup --tests")
    }
  }

  /// A folder of real data beside the checkout: it is not part of the project, and a clone lacks it.
  package static func fixture(_ name: String) -> String { root + "/../shared/fixtures/" + name }

  /// Whether a test can read a fixture, for `.enabled(if:)`. CI must have every fixture: there the test runs, and fails when
  /// the fixture is missing.
  package static func hasFixture(_ name: String) -> Bool {
    ProcessInfo.processInfo.environment["CI"] == "true" || FileManager.default.fileExists(atPath: fixture(name))
  }

  private static func executable(_ path: String, from command: String) throws -> String {
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw ChildProcess.Missing(description: "There is no \(path): run '\(command)', or Tools/test, which does.")
    }
    return path
  }
}
