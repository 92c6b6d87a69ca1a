import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// The line that a recorder shows on a terminal, and what it says of losses.
@Suite(.serialized, .long) struct RecorderLineTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Everything that a terminal of some columns showed.
  private func show(_ arguments: [String], columns: Int) throws -> String {
    let words = (try [Checkout.retake] + arguments).map { "'\($0)'" }.joined(separator: " ")
    return try ChildProcess.run(
      "/usr/bin/script", ["-qec", "stty cols \(columns) rows 24; exec \(words)", "/dev/null"]
    ).text
  }

  @Test func `60 columns show losses, rate, queue and disk of four cameras`() throws {
    let cameras = (1...4).flatMap { ["--device", "simulated?size=64x48&backlog=1000&seed=\($0)"] }
    let shown = try show(
      ["record", "-o", folder.path("a.retake"), "--keep-free", "0", "--queue", "10000", "--duration", "1500ms"]
        + cameras, columns: 60)
    let lines = shown.split { "\u{1B}\r\n".contains($0) }.filter { $0.contains("●") }.map { line in
      line.drop { $0 != "●" }
    }
    #expect(lines.count > 2, "\(shown)")
    for line in lines {
      #expect(line.count < 60, "\(line)")
      let start = line.firstMatch(of: /^● 0 lost  [0-9.]+ .?B\/s  queue [0-9]+  (disk|free) [0-9.]+ [a-zA-Z]+/)
      #expect(start != nil, "\(line)")
    }
    // The recording's own line: twelve streams are not listed one by one.
    let wide = try show(
      ["record", "-o", folder.path("b.retake"), "--keep-free", "0", "--duration", "600ms"] + cameras, columns: 120)
    #expect(wide.contains("12 streams, "), "\(wide)")
  }

  @Test func `46 columns show the time that has passed, in place of an empty queue`() throws {
    let shown = try show(
      ["record", "--device", "simulated?size=64x48", "-o", folder.path("c.retake"), "--keep-free", "0"]
        + ["--duration", "1500ms"], columns: 46)
    let lines = shown.split { "\u{1B}\r\n".contains($0) }.filter { $0.contains("●") }
    let told = lines.filter { $0.contains(/0 lost  [0-9.]+ .?B\/s  (disk|free) [0-9.]+ [a-zA-Z]+  [0-9.]+ s/) }
    #expect(told.count > 2 && lines.allSatisfy { $0.drop { $0 != "●" }.count < 46 }, "\(shown)")
  }

  @Test func `a recording's size is told alike at its end and later`() throws {
    let path = folder.path("size.retake")
    let said = try CommandLineTool.run(
      ["record", "--device", "simulated?pace=fast&frames=20&size=64x48", "--keep-free", "0", "-o", path]
    ).errors
    let size = try #require(said.firstMatch(of: /frames; ([0-9.]+ k?B, [0-9.]+ times smaller than raw)\.\n/), "\(said)")
    let info = try CommandLineTool.run(["info", path]).text
    #expect(info.contains(", \(size.1), in 1 chunk file\n"), "\(size.1): \(info)")
  }

  @Test func `losses are told as frame sets with their stage, and what to do`() throws {
    let camera = "simulated?pace=fast&frames=60&size=64x48&seed=3&drop=0.1"
    let path = folder.path("lossy.retake")
    let said = try CommandLineTool.run(
      ["record", "--device", camera, "--keep-free", "0", "-o", path], expecting: 3
    ).errors
    let told = try #require(said.firstMatch(of: /([0-9]+) frame sets are incomplete: ([0-9]+) at the stage 'device'/))
    #expect(told.1 == told.2)
    #expect(
      said.contains("'retake info' shows where.") && said.contains("\nhint: this machine renders too slowly"), "\(said)"
    )
    // As many as the stream that lost most has losses.
    let info = try CommandLineTool.json(CommandLineTool.run(["info", path, "--json"]).text)
    let events = try #require(info["events"] as? [[String: Any]])
    let lost = events.filter { $0["reason"] as? String == "dropped" }.compactMap { $0["count"] as? Int }
    #expect(lost.max() == Int(told.1), "\(events)")
  }
}
