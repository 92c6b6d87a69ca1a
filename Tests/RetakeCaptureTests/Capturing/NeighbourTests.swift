import CommandTestSupport
import Foundation
import Glibc
import Support
import TestSupport
import Testing

/// Recordings that get in each other's way, and commands that look at one that is being made.
@Suite(.long) struct NeighbourTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func `a recording in the place of one that was moved away is not written into by it`() throws {
    let first = try RecorderProcess(folder.path("a.retake"), ["--duration", "4s"])
    try first.waitForFrames()
    try FileManager.default.moveItem(atPath: first.path, toPath: folder.path("b.retake"))
    let second = try RecorderProcess(folder.path("a.retake"), ["--duration", "4s"])
    _ = try first.end()
    #expect(try second.end() == 0, "\(second.errors)")
    for name in ["a.retake", "b.retake"] {
      try CommandLineTool.run(["info", folder.path(name)])
      try CommandLineTool.run(["verify", folder.path(name)])
    }
  }

  @Test func `a largest size is that of a session that is split too`() throws {
    let result = try CommandLineTool.run(
      ["record", "--device", "simulated?pace=fast&size=160x120&frames=300", "-o", folder.path("a.retake")]
        + ["--keep-free", "0", "--split", "1MiB", "--max-size", "2MiB"])
    #expect((2...3).contains(result.text.split(separator: "\n").count), "\(result.text)")
    var byteCount = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".retake") {
      let chunks = folder.path("\(name)/chunks")
      for file in try FileManager.default.contentsOfDirectory(atPath: chunks) {
        byteCount += try FileBytes.read("\(chunks)/\(file)").count
      }
    }
    #expect((1_500_000...2 << 20).contains(byteCount), "\(byteCount)")
  }

  @Test func `trimming to the end keeps a mark that was set after the last frame`() throws {
    let path = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=90&size=64x48")
    // The last frame is of 2.967 s; whoever presses Return and then Ctrl-C sets such a mark.
    try CommandLineTool.run(["mark", path, "--at", "2.99s", "--label", "end"])
    try CommandLineTool.run(["trim", path, "--from", "1s", "-o", folder.path("b.retake")])
    #expect(try CommandLineTool.run(["mark", folder.path("b.retake"), "--list"]).text == "1.990 s  end\n")
  }

  @Test func `verify says that a recorder is at work, not that there is something to recover`() throws {
    let recorder = try RecorderProcess(folder.path("a.retake"))
    try recorder.waitForFrames()
    let result = try CommandLineTool.run(["verify", recorder.path], expecting: 73)
    #expect(
      result.errors.contains("a recorder or another 'retake' command has locked it"), "\(result.errors)\(result.text)")
    #expect(!result.text.contains("recover"))
    recorder.signal(SIGINT)
    _ = try recorder.end()
  }
}
