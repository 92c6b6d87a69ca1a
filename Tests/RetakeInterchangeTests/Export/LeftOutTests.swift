import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// What an export cannot hold is named.
@Suite(.long) struct LeftOutTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func leftOut(_ recording: String, _ words: [String]) throws -> [String] {
    let output = folder.path(words[0] == "png" ? "out" : "out.\(words[0])")
    try? FileManager.default.removeItem(atPath: output)
    let result = try CommandLineTool.run(["export", words[0], recording, "-o", output, "--json"] + words.dropFirst())
    let names = try #require(try CommandLineTool.json(result.text)["left_out_streams"] as? [String])
    let said = try CommandLineTool.run(
      ["export", words[0], recording, "-o", folder.path("again.\(words[0])\(words.count)")] + words.dropFirst())
    #expect(
      said.errors.contains("not exported: \(names.joined(separator: ", "))\n") == !names.isEmpty, "\(said.errors)")
    return names
  }

  @Test func `faces, marks, tags, the note, the alignment and counts of losses are named where they stay behind`()
    throws
  {
    let path = folder.path("a.retake")
    try CommandLineTool.run(
      ["record", "--device", "simulated?pace=fast&frames=40&size=160x120&drop=0.1", "-o", path, "--keep-free", "0"],
      expecting: 3)
    try CommandLineTool.run(["mark", path, "--at", "0.2s", "--label", "fall"])
    try CommandLineTool.run(["tag", path, "dark", "--note", "The lamp was moved."])
    let alignment =
      #"{"format":"retake-alignment-1","shift_x":1000,"shift_y":0,"uncertainty":500,"frames":64}"#
    try Data(alignment.utf8).write(to: URL(fileURLWithPath: path + "/alignment.json"))
    #expect(try leftOut(path, ["png"]) == ["faces", "marks", "tags", "note", "events"])
    #expect(
      try String(contentsOfFile: folder.path("out/streams.json"), encoding: .utf8).contains("x=1000 y=0"))
    #expect(try leftOut(path, ["tum"]) == ["faces", "marks", "tags", "note", "alignment", "events"])
    #expect(try leftOut(path, ["mcap"]) == ["events"])
    #expect(try leftOut(path, ["mcap", "--profile", "ros2"]) == ["faces", "events"])
    // Marks of another part are not left out.
    #expect(!(try leftOut(path, ["png", "--from", "20"])).contains("marks"))
  }

  @Test func `where nothing stays behind nothing is named`() throws {
    let path = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=10&size=160x120&faces=off")
    for words in [["png"], ["tum"], ["mcap"], ["mcap", "--profile", "ros2"]] {
      #expect(try leftOut(path, words).isEmpty, "\(words)")
    }
  }
}
