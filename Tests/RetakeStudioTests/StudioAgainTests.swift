import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// What the page of 'retake studio' keeps when the program is started again: see browse_again.py.
@Suite(.long) struct StudioAgainTests {
  private struct Setting: Decodable, Equatable {
    var preset: String
    var values: [String: String]
  }

  private struct Start: Decodable {
    var a: Setting
    var b: Setting
    var notice: String
    var badge: String
    var undone: Setting
  }

  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=4&size=160x120")
  }

  @Test
  func `options of the command line are laid over what a person tuned, and files that are not named are left out`()
    throws
  {
    try CommandLineTool.run([
      "replay", recording, "--tap", "matte", "--to", "0", "--output", "png:" + folder.path("behind"),
    ])
    let script = Checkout.root + "/Tests/RetakeStudioTests/browse_again.py"
    let result = try ChildProcess.run(
      Checkout.python,
      [script, Checkout.chromium, Checkout.retake, recording, folder.path("behind/000000.png")])
    try #require(result.status == 0, "\(result.errors.suffix(1500))")
    let starts = try JSONDecoder().decode([String: Start].self, from: result.output)

    let tuned = Setting(preset: "desk", values: ["mask.offset": "0.1"])
    let without = try #require(starts["without"])
    #expect(without.a == tuned && without.b == Setting(preset: "desk", values: [:]) && without.badge == "exact")
    #expect(without.notice == "A and B are without 000000.png, which the command line did not name.")
    let same = try #require(starts["same"])
    #expect(same.a == tuned && same.notice.isEmpty && same.badge == "exact")
    let other = try #require(starts["other"])
    #expect(other.a == Setting(preset: "desk", values: ["mask.offset": "0.1", "matte.blur": "3"]))
    #expect(other.undone == tuned && other.notice.isEmpty)
    // The usual preset, which the page had left, was asked for.
    let (handheld, asked) = (Setting(preset: "handheld", values: [:]), try #require(starts["asked"]))
    #expect(asked.a == Setting(preset: "desk", values: [:]) && asked.undone == handheld)
    let preset = try #require(starts["preset"])
    #expect(preset.a == handheld && preset.undone == asked.a)
    #expect(preset.notice.hasPrefix("A is what the command line names."))
    let background = try #require(starts["background"])
    let path = folder.path("behind/000000.png")
    #expect(background.a.values["composite.background"] == path && background.b.values["composite.background"] == path)
    let unkept = try #require(starts["unkept"])
    #expect(unkept.notice.hasPrefix("Settings of this page are not kept: "), "\(unkept.notice)")
  }
}
