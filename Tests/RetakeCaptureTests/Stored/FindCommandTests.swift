import CommandTestSupport
import Foundation
import RecordingStore
import Support
import TestSupport
import Testing

@Suite(.long) struct FindCommandTests {
  private let folder: TemporaryFolder
  private let root: String

  init() throws {
    folder = try TemporaryFolder()
    root = folder.path("all")
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    for name in ["a", "b c"] {
      _ = try CommandLineTool.recordSimulated(folder, "all/\(name).retake", "frames=12&size=160x120")
    }
  }

  @discardableResult
  private func run(_ arguments: [String], expecting status: Int32 = 0) throws -> ChildProcess {
    try CommandLineTool.run(arguments, expecting: status, environment: ["XDG_CACHE_HOME": folder.path("cache")])
  }

  @Test func `tags are shown, found, changed and removed`() throws {
    let path = "\(root)/a.retake"
    #expect(try run(["tag", path]).errors.contains("has no tags"))
    try run(["tag", path, "dark", "take=3", "--note", "The lamp was moved.", "--quiet"])
    #expect(try run(["tag", path]).text == "dark\ntake=3\nnote: The lamp was moved.\n")
    let info = try run(["info", path]).text
    #expect(info.contains("tags: dark, take=3") && info.contains("note: The lamp was moved."))
    #expect(try run(["find", root, "tag:take=3 lamp"]).text == path + "\n")
    try run(["tag", path, "--remove", "dark", "--note", ""])
    let none = try run(["find", root, "tag:dark lamp"])
    #expect(none.text.isEmpty, "\(none)")
    #expect(none.errors == "There is no recording with tag:dark and lamp in '\(root)'.\n")
    #expect(try run(["tag", path, "--remove", "tak"], expecting: 64).errors.contains("did you mean take?"))
    #expect(try run(["tag", path, "a b"], expecting: 64).errors.contains("hint: "))
  }

  @Test func `several recordings get the same tags, or none of them does`() throws {
    let paths = ["\(root)/a.retake", "\(root)/b c.retake"]
    #expect(try run(["tag"] + paths + ["lab"]).text == paths.map { "\($0): lab\n" }.joined())
    #expect(
      try run(["find", root, "tag:lab state:whole lost<1 length<1h size<1gb"]).text == paths.map { $0 + "\n" }.joined())
    #expect(try run(["tag", paths[0], "two words", paths[1]], expecting: 64).errors.contains("behind a tag"))
    let list = try #require(
      try JSONSerialization.jsonObject(with: run(["tag"] + paths + ["--json"]).output) as? [[String: Any]])
    #expect(list.map { $0["path"] as? String } == paths)
    for words in [["\(root)/typo.retake", paths[0], "x"], [paths[0], "\(root)/typo.retake", "x"]] {
      #expect(try ChildProcess.run(Checkout.retake, ["tag"] + words).status != 0)
    }
    #expect(try run(["find", root, "tag:x"]).text.isEmpty)
    try run(["tag"] + paths + ["fine", "not fine"], expecting: 64)
    #expect(try run(["find", root, "tag:fine"]).text.isEmpty)
  }

  @Test func `what two recordings lack is mended in one go, and a lost chunk file is asked for`() throws {
    let paths = ["\(root)/a.retake", "\(root)/b c.retake"]
    for path in paths { try FileManager.default.removeItem(atPath: path + "/index.sqlite") }
    let report = try run(["recover"] + paths)
    #expect(report.text == paths.map { "\($0): 1 chunk file, color 12, depth 12, alpha 12 frames\n" }.joined())
    try run(["verify"] + paths)
    let none = "\(root)/none.retake"
    let mixed = try JSONSerialization.jsonObject(
      with: run(["recover", none] + paths + ["--json"], expecting: 1).output)
    let entries = try #require(mixed as? [[String: Any]])
    #expect(entries.map { $0["path"] as? String } == [none] + paths)
    #expect(entries.map { $0["is_lossless"] as? Bool } == [false, true, true])
    try FileManager.default.removeItem(atPath: paths[0] + "/chunks/000000.mcap")
    let lost = try run(["verify", paths[0]], expecting: 1)
    #expect(lost.errors.contains("restore the chunks folder") && !lost.errors.contains("trim"), "\(lost.errors)")
  }

  @Test func `a list has every recording, as a table and as JSON`() throws {
    try run(["tag", "\(root)/a.retake", "dark"])
    let table = try run(["list", root]).text.split(separator: "\n")
    #expect(table.count == 3 && table[0].hasPrefix("RECORDING"))
    #expect(table[1].contains("all/a.retake") && table[1].hasSuffix("dark") && table[1].contains("whole"))
    let data = try run(["list", root, "--json"]).output
    let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    #expect(list.map { $0["path"] as? String } == ["\(root)/a.retake", "\(root)/b c.retake"])
    #expect(list.allSatisfy { $0["frame_sets"] as? Int == 12 && $0["state"] as? String == "whole" })
    #expect((list[0]["tags"] as? [String: String]) == ["dark": ""])
    #expect(try run(["list", folder.path("none")], expecting: 1).errors.contains("hint: ") == true)
    #expect(try run(["find", root, "drop>0"], expecting: 64).errors.contains("did you mean drops>"))
  }

  @Test func `a terminal that is too narrow for all columns says which it hides`() throws {
    let terminal = try TerminalProcess(
      ["list", root], columns: 60, environment: ["XDG_CACHE_HOME": folder.path("cache")])
    #expect(try terminal.end() == 0)
    let lines = terminal.output.split(separator: "\r\n")
    #expect(lines.allSatisfy { $0.count <= 60 || $0.contains("too narrow") }, "\(terminal.output)")
    #expect(terminal.output.contains("too narrow for faces, streams"), "\(terminal.output)")
  }

  @Test func `verify takes what find prints, from its arguments and from standard input`() throws {
    let paths = try run(["find", root]).text.split(separator: "\n").map(String.init)
    #expect(paths.count == 2)
    try run(["verify"] + paths)
    let program = try Checkout.retake
    let line = "'\(program)' find '\(root)' | '\(program)' verify - --json"
    let environment = ["XDG_CACHE_HOME": folder.path("cache")]
    let piped = try ChildProcess.run("/bin/sh", ["-c", line], environment: environment)
    #expect(piped.status == 0, "\(piped.errors)")
    let reports = try #require(try JSONSerialization.jsonObject(with: piped.output) as? [[String: Any]])
    #expect(reports.map { $0["path"] as? String } == paths)
    // One that is damaged does not hide the others.
    try FileManager.default.removeItem(atPath: paths[0] + "/index.sqlite")
    let result = try run(["verify"] + paths, expecting: 1)
    #expect(result.errors.contains("index.sqlite is missing") && result.errors.contains("\(paths[1]): "))
    #expect(try run(["verify", "-"], expecting: 64).errors.contains("names no recording"))
  }

  @Test func `a copy, an export and a bundle have the tags; a bundle with privacy options has not`() throws {
    let path = "\(root)/a.retake"
    try run(["tag", path, "take=3", "--note", "a note", "--quiet"])
    let expected = "take=3\nnote: a note\n"
    try run(["trim", path, "--from", "2", "--to", "8", "-o", folder.path("cut.retake")])
    #expect(try run(["tag", folder.path("cut.retake")]).text == expected)
    try run(["export", "mcap", path, "-o", folder.path("a.mcap")])
    let bytes = try Data(contentsOf: URL(filePath: folder.path("a.mcap")))
    for text in ["retake.tags", "take", "retake.note", "a note"] { #expect(bytes.range(of: Data(text.utf8)) != nil) }
    for (name, options, text) in [("open", [], expected), ("closed", ["--drop-serials"], "")] {
      let bundle = folder.path("\(name).retake-bundle")
      try run(["bundle", path, "--from", "2", "--to", "8", "-o", bundle] + options)
      try run(["reproduce", bundle, "--keep", folder.path(name)])
      #expect(try run(["tag", folder.path("\(name)/recording.retake")]).text == text)
    }
  }
}
