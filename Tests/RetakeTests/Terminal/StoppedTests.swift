import Foundation
import TestSupport
import Testing

/// Commands that are stopped by a signal say what that means for their work.
@Suite(.long) struct StoppedTests {
  /// Starts a command that waits for its input or its output, which never come, and ends it when it listens to signals.
  private static let script = """
    mkfifo "$1/in" "$1/out"
    # Numbers that are free: among the lower ones may be one by which the test sees the end.
    exec {in}<> "$1/in" {out}<> "$1/out"
    folder=$1
    shift
    # A pipe that is full makes the first write wait.
    timeout 1 cat /dev/zero >&$out
    "$@" <&$in >&$out 2> "$folder/err" &
    for try in $(seq 600); do
      ls -l /proc/$!/fd 2> /dev/null | grep -q signalfd && break
      sleep 0.1
    done
    kill -TERM $!
    wait $!
    status=$?
    cat "$folder/err" >&2
    exit $status
    """

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
      "/bin/bash", ["-c", Self.script, "bash", swept.folder.path("")] + [Checkout.retake] + arguments)
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.errors.contains("Stopped before the end: \(sentence)"), "\(result.errors)")
  }
}
