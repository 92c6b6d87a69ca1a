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
    return try ChildProcess.run(
      Checkout.retake, words,
      whileRunning: { process in
        for _ in 0..<60_000 {
          if let files = try? FileManager.default.contentsOfDirectory(atPath: chunks), !files.isEmpty { break }
          usleep(1000)
        }
        kill(process, signal)
      })
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
}
