import Foundation
import TestSupport
import Testing

/// Commands that are stopped by a signal say what that means for their work.
@Suite(.long) struct StoppedTests {
  /// Starts a command that waits for its input or its output, which never come, and ends it when it listens to signals.
  private static let script = """
    mkfifo "$1/in" "$1/out"
    # Open for both, so that input never ends, and full, so that the first write waits.
    exec 0<> "$1/in" 1<> "$1/out"
    head -c 65536 /dev/zero
    shift
    exec "$@"
    """

  /// Sends a signal as soon as it is waited for.
  private static func stop(_ process: Int32) throws {
    let folder = "/proc/\(process)/fd"
    for _ in 0..<600 {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let places = files.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
      if places.contains(where: { $0.contains("signalfd") }) { break }
      usleep(100_000)
    }
    kill(process, SIGTERM)
  }

  @Test(arguments: [
    (["recover", "-"], "nothing is lost, and 'retake recover' starts again."),
    (["verify", "-"], "the rest was not verified."),
    (["sweep", "report", "r.sqlite", "-o", "-", "--no-pictures"], "no page was written."),
  ])
  func `a command that is stopped says so`(words: [String], sentence: String) throws {
    let swept = try SweptFolder("frames=6&size=64x48")
    try swept.sweep(["--list", "matte.blur=1,2"])
    let arguments = words.map { $0 == "r.sqlite" ? swept.path($0) : $0 }
    let result = try ChildProcess.run(
      "/bin/bash", ["-c", Self.script, "bash", swept.folder.path("")] + [Checkout.retake] + arguments,
      whileRunning: Self.stop)
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.errors.contains("Stopped before the end: \(sentence)"), "\(result.errors)")
  }
}
