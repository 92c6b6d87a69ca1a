import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// `replay --at`: parameters that change at a frame.
@Suite(.long) struct ParameterChangeCommandTests {
  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=12&size=160x120")
    try CommandLineTool.run(["mark", recording, "--at", "8", "--label", "the fall"])
  }

  private func digests(_ arguments: [String]) throws -> [[String: Any]] {
    try CommandLineTool.jsonLines(
      CommandLineTool.run(["replay", recording, "--preset", "truedepth-backdrop", "--output", "digests:-"] + arguments)
        .text)
  }

  private func composites(_ arguments: [String]) throws -> [String] {
    try digests(arguments).compactMap { $0["composite"] as? String }
  }

  @Test(arguments: [("5", 5), ("mark:the fall", 8), ("0", 0), ("100ms", 3)])
  func `before its frame a replay is the unchanged one, from there on the changed one`(when: String, frame: Int) throws
  {
    let unchanged = try composites([])
    let changed = try composites(["--set", "matte.blur=9"])
    let both = try composites(["--at", when, "matte.blur=9"])
    #expect(both.count == 12)
    #expect(Array(both[..<frame]) == Array(unchanged[..<frame]))
    #expect(Array(both[frame...]) == Array(changed[frame...]))
    #expect(unchanged[11] != changed[11])
  }

  @Test func `it acts on what holds too: a mask between two depth frames changes at once`() throws {
    let rate = ["--set", "depth.rate=1/6"]
    let both = try composites(rate + ["--at", "3", "matte.blur=9"])
    let changed = try composites(rate + ["--set", "matte.blur=9"])
    #expect(both[3] == changed[3])
    #expect(both[2] != changed[2])
  }

  @Test func `with look-ahead it acts with the frame of its number`() throws {
    let ahead = ["--set", "depth.look-ahead=3"]
    let both = try composites(ahead + ["--at", "6", "matte.blur=9"])
    #expect(Array(both[..<6]) == Array(try composites(ahead)[..<6]))
    #expect(Array(both[6...]) == Array(try composites(ahead + ["--set", "matte.blur=9"])[6...]))
  }

  @Test func `several changes, wherever they stand on the line and in whatever order, are one replay with one digest`()
    throws
  {
    #expect(
      try digests(["--at=2", "matte.blur=9"])[0] as NSDictionary
        == digests(["--at", "2", "matte.blur=9"])[0] as NSDictionary)
    let one = try digests(["--at", "2", "matte.blur=9", "--at", "7", "mask.offset=0.5", "--at", "7", "matte.blur=3"])
    let arguments = [
      "replay", "--at", "7", "matte.blur=3", "--at", "7 mask.offset=0.5", "--at", "2", "matte.blur=9", recording,
      "--preset", "truedepth-backdrop",
    ]
    let other = try CommandLineTool.jsonLines(CommandLineTool.run(arguments + ["--output", "digests:-"]).text)
    for (a, b) in zip(one, other) { #expect(a as NSDictionary == b as NSDictionary) }
    let changes = try #require(one[0]["changes"] as? [[String: Any]])
    #expect(changes.map { $0["frame"] as? Int } == [2, 7, 7])
    #expect(changes.map { $0["name"] as? String } == ["matte.blur", "mask.offset", "matte.blur"])
    #expect(one[0]["parameter_digest"] as? String != (try digests([])[0]["parameter_digest"] as? String))
    // What changes nothing is no change.
    #expect(try digests(["--at", "4", "matte.blur=5"])[0] as NSDictionary == digests([])[0] as NSDictionary)
  }

  @Test func `a replay that begins later begins with what holds there`() throws {
    let whole = try composites(["--at", "3", "matte.blur=9"])
    let part = try composites(["--at", "3", "matte.blur=9", "--from", "6"])
    #expect(part == Array(whole[6...]))
  }

  @Test func `what cannot change is refused with what can, and other mistakes by name`() throws {
    func expectError(_ at: [String], _ status: Int32, _ words: [String]) throws {
      let result = try CommandLineTool.run(["replay", recording, "--at"] + at, expecting: status)
      for word in words { #expect(result.errors.contains(word), "\(result.errors) lacks \(word)") }
      #expect(result.output.isEmpty)
    }
    for name in ["depth.rate=1/2", "depth.look-ahead=1", "depth.decimation=2", "depth.registration=none"] {
      try expectError(["3", name], 64, [String(name.prefix { $0 != "=" }), "cannot be changed", "matte.blur"])
    }
    try expectError(["3", "matte.blurr=1"], 64, ["did you mean matte.blur"])
    try expectError(["3", "matte.blur=99"], 64, ["nearest valid value is 64"])
    try expectError(["mark:nothing", "matte.blur=9"], 1, ["'nothing'", "the fall"])
    try expectError(["3"], 64, ["--at"])
    try expectError(["-1", "matte.blur=9"], 64, ["'-1 matte.blur=9'", "--at", "'-1' is not a moment", "3.5s"])
    try expectError(["soon", "matte.blur=9"], 64, ["--at", "'soon' is not a moment", "3.5s"])
    try expectError(["3.5", "matte.blur=9"], 64, ["'3.5' is not a moment", "mark:LABEL"])
  }

  @Test func `C.13: a replay of the original alone reads no depth`() throws {
    func counts(_ tap: String) throws -> [String: Any] {
      try CommandLineTool.json(
        CommandLineTool.run(
          ["replay", recording, "--tap", tap, "--output", "png:\(folder.path(tap))", "--json"]
        ).text)
    }
    #expect(try counts("original")["depth_delivered"] as? Int == 0)
    #expect(try counts("mask")["depth_delivered"] as? Int == 12)
  }
}
