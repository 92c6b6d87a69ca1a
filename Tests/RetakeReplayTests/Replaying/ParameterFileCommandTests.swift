import CommandTestSupport
import Foundation
import MattePipeline
import TestSupport
import Testing

/// Parameters in YAML, by the commands that take and print them.
@Suite(.long) struct ParameterFileCommandTests {
  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=4&size=64x48")
  }

  private func write(_ text: String, _ name: String = "p.yaml") throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    return folder.path(name)
  }

  private func digests(_ arguments: [String]) throws -> [String] {
    try CommandLineTool.run(["replay", recording, "--output", "digests:-"] + arguments).text.split(separator: "\n").map(
      String.init)
  }

  @Test(arguments: Preset.all.map(\.name))
  func `a preset's YAML reads back as the same`(preset: String) throws {
    let yaml = try CommandLineTool.run(["parameters", "--yaml", "--preset", preset]).text
    #expect(yaml.contains("preset: \(preset)\n"))
    let path = try write(yaml)
    #expect(try CommandLineTool.run(["parameters", "--yaml", "--parameters", path]).text == yaml)
    let direct = try CommandLineTool.run(["parameters", "--json", "--preset", preset]).text
    #expect(try CommandLineTool.run(["parameters", "--json", "--parameters", path]).text == direct)
  }

  @Test func `every parameter has a comment, and what is set is kept`() throws {
    let yaml = try CommandLineTool.run([
      "parameters", "--yaml", "--set", "matte.blur=2.5", "--set", "composite.color=#102030",
    ])
    .text
    #expect(yaml.contains("\n  blur: 2.5\n"))
    #expect(yaml.contains("\n  color: \"#102030\"\n"))
    #expect(yaml.contains("0 to 64 mask px\n  blur: 2.5"))
    let lines = yaml.split(separator: "\n")
    for (before, line) in zip(lines, lines.dropFirst()) where line.hasPrefix("  ") && !line.contains("#") {
      #expect(before.hasPrefix("  # "), "\(line)")
    }
  }

  @Test func `a replay says what of --set has no effect, and what it needs`() throws {
    func said(_ arguments: [String]) throws -> String {
      try CommandLineTool.run(["replay", recording, "--output", "none"] + arguments).errors
    }
    let focus = ["--set", "mask.focus=0.6", "--set", "matte.still=0.3"]
    #expect(try said(focus).contains("mask.focus has no effect here: it needs mask.kind=high-pass or "))
    #expect(try !said(focus).contains("matte.still"))
    #expect(try !said(focus + ["--set", "mask.kind=high-pass"]).contains("no effect"))
    #expect(try !said(focus + ["--at", "2", "mask.kind=high-pass"]).contains("no effect"))
    #expect(
      try said(["--preset", "avcam-filter", "--background", recording]).contains("composite.background has no effect"))
  }

  @Test func `preset, then file, then --set, and groups as dotted names`() throws {
    let nested = try write("preset: truedepth-backdrop\nmatte: {blur: 2, gamma: 0.7}\n")
    let dotted = try write("matte.gamma: 0.7\nmatte.blur: 2\n", "q.yaml")
    let preset = ["--preset", "truedepth-backdrop"]
    let expected = try digests(preset + ["--set", "matte.blur=2", "--set", "matte.gamma=0.7"])
    #expect(try digests(["--parameters", nested]) == expected)
    #expect(try digests(preset + ["--parameters", dotted]) == expected)
    let later = try digests(preset + ["--parameters", dotted, "--set", "matte.blur=3"])
    #expect(later != expected)
    #expect(try later == digests(preset + ["--set", "matte.blur=3", "--set", "matte.gamma=0.7"]))
    // A later file counts more than an earlier one, and a word more than a file.
    let blur = try write("matte.blur: 9\npreset: avcam-filter\n", "r.yaml")
    let values = try CommandLineTool.run(["parameters", "--yaml", "--parameters", nested, "--parameters", blur]).text
    #expect(
      values.contains("preset: avcam-filter\n") && values.contains("\n  blur: 9\n")
        && values.contains("\n  gamma: 0.7\n"))
    let named = try CommandLineTool.run(["parameters", "--yaml", "--parameters", blur, "--preset", "matte-effects"])
      .text
    #expect(named.contains("preset: matte-effects\n"))
  }

  @Test func `a relative path is looked for beside the file, then where the command runs`() throws {
    try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: true)
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path("sub/room.png")))
    let path = try write("composite.background: room.png\nmask.model: 0123456789abcdef\n", "sub/p.yaml")
    let yaml = try CommandLineTool.run(["parameters", "--yaml", "--parameters", path]).text
    #expect(yaml.contains("  background: \"\(folder.path("sub/room.png"))\"\n"), "\(yaml)")
    #expect(yaml.contains("  model: 0123456789abcdef\n"))
  }

  @Test func `what a file says wrong is told with its place`() throws {
    func expectError(_ text: String, _ status: Int32, _ words: [String]) throws {
      let path = try write(text)
      let result = try CommandLineTool.run(["replay", recording, "--parameters", path], expecting: status)
      for word in words { #expect(result.errors.contains(word), "\(result.errors)") }
      #expect(result.errors.contains("\(path):"), "\(result.errors)")
      #expect(result.output.isEmpty)
    }
    try expectError("# one\nmatte:\n  blurr: 3\n", 64, [":3:", "matte.blurr", "did you mean matte.blur"])
    try expectError("matte.blur: 65\n", 64, [":1:", "nearest valid value is 64"])
    try expectError("preset: truedepth\n", 64, [":1:", "truedepth-backdrop"])
    try expectError("a: [\n", 64, ["invalid YAML", "hint: "])
    try expectError("a: &a 1\nb: *a\n", 64, [":2:", "aliases"])
    // Of a file that is hardly meant to be YAML, no line is named.
    let guide = folder.path("README.md")
    try Data("# A & B\nsee &this\n**bold** *words*\n".utf8).write(to: URL(filePath: guide))
    let other = try CommandLineTool.run(["replay", recording, "--parameters", guide], expecting: 64)
    #expect(other.errors.hasPrefix("error: \(guide) is not YAML with a mapping of names to values.\nhint: "))
    let missing = try CommandLineTool.run(["replay", recording, "--parameters", folder.path("no.yaml")], expecting: 1)
    #expect(missing.errors.contains("no.yaml"))
    let large = try write(String(repeating: "# x\n", count: 100_000))
    let tooLarge = try CommandLineTool.run(["replay", recording, "--parameters", large], expecting: 64).errors
    #expect(tooLarge.contains("too large") && tooLarge.contains("hint: "), "\(tooLarge)")
    for (path, words) in [
      (folder.path("."), "is not a YAML file: it is a folder"), ("/dev/null", "not a regular file"),
    ] {
      let errors = try CommandLineTool.run(["parameters", "--parameters", path], expecting: 64).errors
      #expect(errors.contains(words) && errors.contains("hint: "), "\(errors)")
    }
    #expect(try CommandLineTool.run(["parameters", "--set", "matte=5"], expecting: 64).errors.contains("is a group"))
    try Data([0xFF, 0xFE, 0x61, 0]).write(to: URL(fileURLWithPath: folder.path("p.yaml")))
    #expect(
      try CommandLineTool.run(["parameters", "--parameters", folder.path("p.yaml")], expecting: 64).errors.contains(
        "UTF-8"))
  }
}
