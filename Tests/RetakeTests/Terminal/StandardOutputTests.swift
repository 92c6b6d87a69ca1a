import CommandTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

/// A result that could not be written is a failure of the command.
@Suite(.long) struct StandardOutputTests {
  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=4&size=48x32")
  }

  /// Runs a command with a full disk as its standard output.
  private func runFull(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess.run(
      "/bin/bash", ["-c", "exec \"$@\" > /dev/full", "bash", Checkout.retake] + arguments,
      environment: ["HOME": folder.path("")])
  }

  private func expectFailure(_ arguments: [String]) throws {
    let result = try runFull(arguments)
    #expect(result.status == 1, "\(arguments): \(result.errors)")
    #expect(
      result.errors.contains("The disk is full: standard output could not be written."),
      "\(arguments): \(result.errors)")
  }

  @Test func `commands that look at recordings notice a full disk on standard output`() throws {
    try CommandLineTool.run(["mark", recording, "--label", "a", "--at", "0"])
    try CommandLineTool.run(["replay", recording, "-o", "digests:\(folder.path("d"))"])
    let d = folder.path("d")
    for arguments in [
      ["info", recording], ["info", recording, "--json"], ["verify", recording, "--json"],
      ["mark", recording, "--list"], ["mark", recording, "--list", "--json"],
      ["compare", d, d], ["compare", d, d, "--json"], ["replay", recording, "-o", "none", "--json"],
      ["replay", recording, "-o", "digests:-"], ["replay", recording, "-o", "y4m:-"],
    ] { try expectFailure(arguments) }
  }

  @Test func `commands that make recordings and files notice it too`() throws {
    let device = "simulated?pace=fast&frames=2&size=32x24"
    let bundle = folder.path("b.retake-bundle")
    for arguments in [
      ["record", "--device", device, "-o", folder.path("r1.retake")],
      ["record", "--device", device, "-o", folder.path("r2.retake"), "--json"],
      ["live", "--device", device, "-o", "none", "--json"],
      ["trim", recording, "--to", "1", "-o", folder.path("t.retake")],
      ["join", recording, recording, "--gap", "1s", "-o", folder.path("j.retake"), "--json"],
      ["pack", recording, "-o", folder.path("p.retake")],
      ["bundle", recording, "-o", bundle], ["reproduce", bundle], ["reproduce", bundle, "--json"],
      ["export", "png", recording, "-o", folder.path("p"), "--json"],
      ["faces", recording, "--detector", "lbp", "--replace"], ["recover", recording], ["recover", recording, "--json"],
    ] { try expectFailure(arguments) }
  }

  @Test func `so do lists, help and completions`() throws {
    for arguments in [
      ["devices"], ["devices", "--json"], ["parameters"], ["parameters", "--json"], ["parameters", "--yaml"],
      ["devices", "--probe", "simulated?pace=fast&frames=2&size=32x24"],
      ["--version"], ["--help"], ["help", "replay"], ["--generate-completion-script", "bash"],
    ] { try expectFailure(arguments) }
  }

  @Test func `so do sweeps`() throws {
    let (a, part) = (folder.path("s.sqlite"), folder.path("p.sqlite"))
    let sweep = ["sweep", recording, "--list", "matte.blur=1,4"]
    try expectFailure(sweep + ["-o", a, "--best", "iou"])
    try CommandLineTool.run(sweep + ["-o", part, "--shard", "1/1"])
    for arguments in [
      sweep + ["-o", a, "--dry-run"], sweep + ["-o", a, "--csv", "-"], ["sweep", "best", a, "--by", "iou"],
      ["sweep", "best", a, "--by", "iou", "-o", "-"], ["sweep", "best", a, "--by", "iou", "--json"],
      ["sweep", "table", a], ["sweep", "table", a, "--csv", "--frames"], ["sweep", "compare", a, a],
      ["sweep", "report", a, "--no-pictures", "-o", "-"],
      ["sweep", "report", a, "--no-pictures", "-o", folder.path("r.html")],
      ["sweep", "merge", part, "-o", folder.path("m.sqlite")],
    ] { try expectFailure(arguments) }
  }

  @Test func `a reader that has seen enough ends a command without a word`() throws {
    let help = ["--help", "help record", "sweep --help", "--version"].map { ($0, 0) }
    let results = ["parameters", "replay \(recording) -o - -q", "info \(recording) --json"].map { ($0, 1) }
    for (words, status) in help + results {
      // The pipe is closed before the command begins.
      let line = "{ sleep 0.2; \(try Checkout.retake) \(words); echo $? > \(folder.path("rc")); } | true"
      let result = try ChildProcess.run("/bin/bash", ["-c", line])
      #expect(result.errors.isEmpty, "\(words): \(result.errors)")
      #expect(try String(contentsOfFile: folder.path("rc"), encoding: .utf8) == "\(status)\n", "\(words)")
    }
  }

  /// Where few files may be open, a command works or says why it does not.
  @Test func `few file descriptors end in a sentence and never in a crash`() throws {
    var failures = 0
    for limit in 8...26 {
      for arguments in [
        ["replay", recording, "--quiet", "--force", "-o", "mp4:\(folder.path("v.mp4"))"],
        ["info", recording, "--json"],
      ] {
        let result = try ChildProcess.run(
          "/bin/bash", ["-c", "ulimit -n \(limit); exec \"$@\"", "bash", Checkout.retake] + arguments)
        if result.status == 0 { continue }
        failures += 1
        #expect(result.status == 1, "\(limit) \(arguments): \(result.status) \(result.errors)")
        #expect(result.errors.contains("too many files are open"), "\(limit) \(arguments): \(result.errors)")
        #expect(
          result.errors.contains("hint: raise the limit with 'ulimit -n"), "\(limit) \(arguments): \(result.errors)")
      }
    }
    #expect(failures > 0)
    try CommandLineTool.run(["replay", recording, "--quiet", "--force", "-o", "mp4:\(folder.path("v.mp4"))"])
  }
}
