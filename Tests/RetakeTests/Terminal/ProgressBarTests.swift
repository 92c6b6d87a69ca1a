import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// The bars that commands show on a terminal.
@Suite(.long) struct ProgressBarTests {
  private let folder: TemporaryFolder
  private let recording: String
  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=8&size=96x72")
  }

  /// The states of all bars that a command showed.
  private func bars(_ arguments: [String], expecting status: Int32 = 0) throws -> [String] {
    let terminal = try TerminalProcess(arguments, columns: 120)
    #expect(try terminal.end() == status, "\(terminal.output)")
    let lines = terminal.output.replacing("\u{1B}[2K", with: "").split(whereSeparator: \.isNewline)
    return lines.map(String.init).filter { $0.contains("█") || $0.contains("░") }
  }

  @Test func `a bar tells rate and time left once it has a rate, and nothing of an unknown total`() throws {
    let video = folder.path("a.mp4")
    try CommandLineTool.run(["replay", recording, "--output", video])
    let bundled = try bars(["bundle", recording, "-o", folder.path("a.retake-bundle")])
    let imported = try bars(["import", video, "-o", folder.path("b.retake")])
    for shown in [bundled, imported] {
      #expect(shown.contains { $0.contains("8/8  ") && $0.contains(" left") && $0.contains(" frames/s") }, "\(shown)")
      for bar in shown {
        #expect(!bar.contains("/0"), "\(bar)")
        if bar.contains(" 0/") { #expect(!bar.contains("left") && !bar.contains("/s"), "\(bar)") }
      }
    }
    #expect(bundled.contains { $0.hasSuffix(" 0/8") }, "\(bundled)")
  }

  @Test func `a comparison's bars count to the frame that differs, and no further`() throws {
    let digests = try ["a", "b"].map { name in
      let path = folder.path(name + ".jsonl")
      try CommandLineTool.run(
        ["replay", recording, "--preset", "truedepth-backdrop", "--output", path]
          + (name == "b" ? ["--at", "2", "matte.blur=9"] : []))
      return path
    }
    let shown = try bars(["compare"] + digests + ["--recording", recording], expecting: 1)
    for side in ["A", "B"] {
      #expect(shown.contains { $0.hasPrefix("replay of \(side)") && $0.contains(" 3/3  0.0 s left") }, "\(shown)")
    }
    #expect(shown.allSatisfy { $0.contains("/3") }, "\(shown)")
  }
}
