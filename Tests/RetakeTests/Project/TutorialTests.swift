import Foundation
import TestSupport
import Testing

/// The tutorial's commands, typed in their order in one folder.
///
/// `kinect:0` is the simulated camera, with small pictures and 3 s instead of 30 s. A command is left out if it needs a browser
/// (`retake studio`), a window (`ffplay`) or ffmpeg (`.mp4`). It exits 0 unless a comment in it says "exits 1".
@Suite(.long) struct TutorialTests {
  private static let pages = ["CaptureWell", "Tune", "ReportBugs", "GateInCI"]
  private static let leftOut = ["retake studio", "ffplay", ".mp4"]
  private static let camera = "'simulated?pace=fast&size=160x120'"

  @Test func `every command of the tutorial works`() throws {
    let folder = try TemporaryFolder()
    let bin = folder.path("bin")
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: "\(bin)/retake", withDestinationPath: Checkout.retake)
    var commands: [String] = []
    for page in Self.pages {
      let path = Checkout.root + "/Sources/CommandLine/Guides/\(page).md"
      let found = Self.commands(of: try String(contentsOfFile: path, encoding: .utf8))
      #expect(!found.isEmpty, "\(page) has no commands")
      commands += found
    }
    commands.removeAll { command in Self.leftOut.contains { command.contains($0) } }
    #expect(commands.count >= 20, "\(commands.count)")
    for command in commands {
      let typed = command.replacing("kinect:0", with: Self.camera).replacing("--duration 30s", with: "--duration 3s")
      let result = try ChildProcess.run(
        "/bin/bash", ["-c", "cd '\(folder.path)' && PATH='\(bin)':$PATH\n\(typed)"])
      let expected: Int32 = command.contains("exits 1") ? 1 : 0
      #expect(result.status == expected, "\(typed) said: \(result.errors)")
      guard result.status == expected else { return }
    }
  }

  /// Commands of the blocks marked `sh`; one that ends in a backslash goes on in the next line.
  static func commands(of page: String) -> [String] {
    var commands: [String] = []
    var isInside = false
    var isContinued = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.hasPrefix("```") {
        isInside = text == "```sh"
      } else if isInside && !text.isEmpty {
        if isContinued { commands[commands.count - 1] += "\n" + text } else { commands.append(text) }
        isContinued = text.hasSuffix("\\")
      }
    }
    return commands
  }
}
