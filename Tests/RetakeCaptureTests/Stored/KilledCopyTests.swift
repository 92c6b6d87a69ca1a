import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Copies that end before their end leave nothing that looks whole.
@Suite(.long) struct KilledCopyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=400&size=320x240")
  }

  /// Sends a signal once frames are on the disk under the name that a copy has until it is whole.
  private func end(_ words: [String], by signal: Int32, making name: String) throws -> ChildProcess {
    let chunks = folder.path(".partial-\(name)/chunks")
    return try end(words, by: signal) { !Self.names(chunks).isEmpty }
  }

  private func end(_ words: [String], by signal: Int32, when isUnderWay: @escaping () -> Bool) throws -> ChildProcess {
    try ChildProcess.run(
      Checkout.retake, words,
      whileRunning: { process in
        for _ in 0..<60_000 {
          if isUnderWay() { break }
          usleep(1000)
        }
        kill(process, signal)
      })
  }

  private static func names(_ path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  private func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path(name)) }

  private func check(_ words: [String], making name: String, frameSetCount: Int) throws {
    for signal in [SIGTERM, SIGKILL] {
      let ended = try end(words, by: signal, making: name)
      #expect(ended.status == (signal == SIGKILL ? -SIGKILL : 1), "\(ended.errors)")
      #expect(!isThere(name))
      #expect(isThere(".partial-\(name)") == (signal == SIGKILL))
    }
    try CommandLineTool.run(words)
    #expect(isThere(name) && !isThere(".partial-\(name)"))
    let info = try CommandLineTool.json(CommandLineTool.run(["info", folder.path(name), "--json"]).text)
    #expect(info["frame_sets"] as? Int == frameSetCount)
  }

  @Test func `of a recording's part`() throws {
    try check(
      ["trim", folder.path("a.retake"), "--from", "0", "-o", folder.path("b.retake")], making: "b.retake",
      frameSetCount: 400)
  }

  @Test func `of an imported source`() throws {
    try CommandLineTool.run(["export", "mcap", folder.path("a.retake"), "-o", folder.path("a.mcap")])
    try check(
      ["import", folder.path("a.mcap"), "-o", folder.path("c.retake")], making: "c.retake", frameSetCount: 400)
  }

  /// Others list what is in the folder, and a second export goes there.
  @Test(arguments: ["png", "tum"]) func `of pictures`(kind: String) throws {
    let (recording, out) = (folder.path("a.retake"), folder.path("pictures"))
    let words = ["export", kind, recording, "-o", out]
    let killed = try end(words, by: SIGKILL) {
      Self.names(out).contains { !Self.names("\(out)/\($0)").isEmpty }
    }
    #expect(killed.status == -SIGKILL, "\(killed.errors)")
    #expect(Self.names(out).count == 1 && Self.names(out).allSatisfy { $0.hasPrefix(".retake-export-") })
    try CommandLineTool.run(words)
    try CommandLineTool.run(["export", kind, recording, "--to", "0", "-o", folder.path("other")])
    #expect(Self.names(out).sorted() == Self.names(folder.path("other")).sorted())
    #expect(Self.names("\(out)/\(kind == "png" ? "color" : "rgb")").count >= 400)
    let refused = try CommandLineTool.run(words, expecting: 1)
    #expect(refused.errors.contains("not empty"))
    #expect(Self.names(out).allSatisfy { !$0.hasPrefix(".") })
  }

  @Test func `a link in the place of a copy that is being made is not followed`() throws {
    let recording = folder.path("a.retake")
    for (link, output) in [(".partial-b.retake", "b.retake"), ("c.retake", "c.retake")] {
      let target = link == output ? "nowhere" : "a.retake"
      try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
      let refused = try CommandLineTool.run(["trim", recording, "--to", "2", "-o", folder.path(output)], expecting: 1)
      #expect(refused.errors.contains("\(link) is a symbolic link"), "\(refused.errors)")
    }
    let info = try CommandLineTool.json(CommandLineTool.run(["info", recording, "--json"]).text)
    #expect(info["frame_sets"] as? Int == 400)
  }

  @Test func `what is not Retake's in that place is named, and a copy into a recording leaves nothing there`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path(".partial-b.retake/x"), withIntermediateDirectories: true)
    let words = ["trim", folder.path("a.retake"), "--to", "2", "-o"]
    let refused = try CommandLineTool.run(words + [folder.path("b.retake")], expecting: 1)
    #expect(refused.errors.contains(".partial-b.retake, which a killed command left, could not be removed."))
    #expect(isThere(".partial-b.retake/x"))
    try CommandLineTool.run(words + [folder.path("a.retake/new/b.retake")], expecting: 64)
    #expect(!isThere("a.retake/new"))
  }

  @Test func `of two copies to one place, one is made and the other gives way`() throws {
    let words = ["trim", folder.path("a.retake"), "--to", "100", "-o", folder.path("b.retake")]
    for _ in 0..<3 {
      var second: ChildProcess?
      let first = try ChildProcess.run(
        Checkout.retake, words, whileRunning: { _ in second = try ChildProcess.run(Checkout.retake, words) })
      let ends = [first.status, try #require(second).status]
      // One that comes when the other has ended finds its copy.
      #expect(ends.contains(0) && ends.allSatisfy { [0, 1, 73].contains($0) }, "\(ends) \(first.errors)")
      #expect(isThere("b.retake") && !isThere(".partial-b.retake"))
      try FileManager.default.removeItem(atPath: folder.path("b.retake"))
    }
  }
}
