import CommandTestSupport
import Foundation
import Media
import TestSupport
import Testing

/// `retake compare`, as a user runs it.
@Suite(.long) struct CompareCommandTests {
  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=8&size=96x72")
  }

  private func digests(_ name: String, _ arguments: [String] = [], of recording: String? = nil) throws -> String {
    let path = folder.path(name)
    let replay = ["replay", recording ?? self.recording, "--preset", "truedepth-backdrop", "--quiet"]
    try CommandLineTool.run(replay + ["--output", "digests:\(path)"] + arguments)
    return path
  }

  @Test func `equal digests exit 0 and differing ones 1, by name of parameter, frame and stage`() throws {
    let a = try digests("a.jsonl")
    let same = try CommandLineTool.run(["compare", a, try digests("same.jsonl", ["--threads", "1"])])
    #expect(same.text == "8 frames equal in every stage\n")
    let b = try digests("b.jsonl", ["--set", "matte.blur=6"])
    let found = try CommandLineTool.run(["compare", a, b], expecting: 1)
    for words in ["matte.blur: 5 / 6", "frame 0, stage matte\n", "8 of 8 frames differ: matte of 8, composite of 8"] {
      #expect(found.text.contains(words), "\(found.text)")
    }
    #expect(found.errors.isEmpty && found.text.firstMatch(of: /[0-9a-f]{32}/) == nil, "\(found.text)")
    #expect(try CommandLineTool.run(["compare", a, b, "--quiet"], expecting: 1).text.isEmpty)
    // Headers may differ where no picture does.
    let held = try CommandLineTool.run(["compare", a, try digests("held.jsonl", ["--set", "depth.phase=0"])])
    #expect(held.text.contains("depth.phase: -1 / 0") && held.text.contains("equal in every stage"))
  }

  @Test func `with the recording at hand it says by how much, as what was replayed has it, and draws it`() throws {
    let (a, b) = (try digests("a.jsonl"), try digests("b.jsonl", ["--set", "matte.blur=6"]))
    let picture = folder.path("d.png")
    let found = try CommandLineTool.run(
      ["compare", a, b, "--recording", recording, "--picture", picture, "--json", "--quiet"], expecting: 1)
    let pixels = try #require(try CommandLineTool.json(found.text)["pixels"] as? [String: Any])

    func matte(_ name: String, _ arguments: [String]) throws -> [UInt8] {
      let path = folder.path(name)
      try CommandLineTool.run(
        ["replay", recording, "--preset", "truedepth-backdrop", "--tap", "matte", "--to", "0"] + arguments
          + ["--output", "png:\(path)"])
      // A grey picture is read as three equal samples a pixel.
      let rgb = try PictureFile.readColor(path: "\(path)/000000.png").pixels
      return stride(from: 0, to: rgb.count, by: 3).map { rgb[$0] }
    }
    let differences = zip(try matte("a", []), try matte("b", ["--set", "matte.blur=6"])).map { abs(Int($0) - Int($1)) }
    #expect(differences.count == 96 * 72)
    #expect(pixels["maximum"] as? Int == differences.max())
    #expect(pixels["differing_pixels"] as? Int == differences.filter { $0 > 0 }.count)
    let sum = differences.reduce(0, +)
    #expect(pixels["mean_thousandths"] as? Int == (2000 * sum + differences.count) / (2 * differences.count))
    let place = try #require(differences.firstIndex { $0 == differences.max() })
    #expect(pixels["maximum_x"] as? Int == place % 96 && pixels["maximum_y"] as? Int == place / 96)
    #expect(pixels["unit"] as? String == "levels")
    let size = try PictureFile.size(path: picture)
    #expect(size.width > 3 * 96 && size.height > 72)
  }

  @Test func `a file on standard input, other parts, and a file that was cut off`() throws {
    let a = try digests("a.jsonl")
    let part = try digests(
      "part.jsonl", ["--from", "2", "--to", "4", "--set", "mask.kind=cutoff", "--set", "mask.cutoff=0.9"])
    let found = try CommandLineTool.json(CommandLineTool.run(["compare", a, part, "--json"], expecting: 1).text)
    #expect((found["only_a"] as? [String: Any])?["frames"] as? String == "0-1, 5-7")
    #expect(found["frames_compared"] as? Int == 3)
    #expect((found["first_difference"] as? [String: Any])?["stage"] as? String == "mask")

    let cut = folder.path("cut.jsonl")
    let lines = try String(contentsOfFile: a, encoding: .utf8).split(separator: "\n")
    try Data((lines.prefix(4).joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: cut))
    let text = try CommandLineTool.run(["compare", a, cut], expecting: 1).text
    #expect(text.contains("cut.jsonl ends after frame 2 without its last line: it was cut off."), "\(text)")
    #expect(text.contains("only A has 5 frames: 3-7"), "\(text)")

    let shell = try ChildProcess.run(
      "/bin/sh", ["-c", "cat \"$1\" | \"$2\" compare - \"$1\"", "sh", a, try Checkout.retake])
    #expect(shell.status == 0 && shell.text == "8 frames equal in every stage\n", "\(shell.errors)")
  }

  @Test func `two recordings are told apart by their ids, whatever their order`() throws {
    let other = try CommandLineTool.recordSimulated(folder, "b.retake", "frames=8&size=96x72&seed=2")
    let (a, b) = (try digests("a.jsonl"), try digests("b.jsonl", of: other))
    for recordings in [[recording, other], [other, recording]] {
      let found = try CommandLineTool.run(
        ["compare", a, b, "--recording", recordings[0], "--recording", recordings[1]], expecting: 1)
      #expect(
        found.text.contains("frame 0, stage source_color") && found.text.contains("levels, at x"), "\(found.text)")
      #expect(found.text.contains("they are of two recordings, compared by frame number"), "\(found.text)")
      #expect(!found.errors.contains("It is used anyway."))
    }
    // The wrong one is tried, told of, and found out.
    let wrong = try CommandLineTool.run(["compare", a, b, "--recording", recording], expecting: 1)
    #expect(wrong.errors.contains("b.jsonl was made from recording") && wrong.errors.contains("It is used anyway."))
    #expect(wrong.text.contains("does not reproduce B"), "\(wrong.text)")
    #expect(!wrong.text.contains("does not reproduce A"), "\(wrong.text)")
  }

  @Test func `digests of another version that this one does not reproduce are told, with the side`() throws {
    let (a, b) = (try digests("a.jsonl"), try digests("b.jsonl", ["--set", "matte.blur=6"]))
    // As if a kernel had rounded otherwise: the same lines, under a header that they are not of.
    let header = try String(contentsOfFile: a, encoding: .utf8).split(separator: "\n")[0]
    var lines = try String(contentsOfFile: b, encoding: .utf8).split(separator: "\n")
    lines[0] = header
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: b))
    let found = try CommandLineTool.run(["compare", a, b, "--recording", recording], expecting: 1)
    #expect(found.text.contains("does not reproduce B: its digest is now "), "\(found.text)")
    #expect(found.text.contains("so the size of the difference is unknown"))
    let json = try CommandLineTool.json(
      CommandLineTool.run(["compare", a, b, "--recording", recording, "--json"], expecting: 1).text)
    #expect((json["pixels"] as? [String: Any])?["not_reproduced"] as? [String] == ["b"])
  }

  @Test func `a file that a stranger's header names is not looked at`() throws {
    let (a, b) = (try digests("a.jsonl"), try digests("b.jsonl", ["--set", "matte.blur=6"]))
    let secret = folder.path("secret.png")
    try Data("secret".utf8).write(to: URL(fileURLWithPath: secret))
    for path in [a, b] {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let other = text.replacing("\"composite.background\":\"\"", with: "\"composite.background\":\"\(secret)\"")
        .replacing("\"mask.model\":\"\"", with: "\"mask.model\":\"\(secret)\"")
      #expect((other != text) == true)
      try Data(other.utf8).write(to: URL(fileURLWithPath: path))
    }
    let found = try CommandLineTool.run(["compare", a, b, "--recording", recording], expecting: 1)
    #expect(found.text.contains("levels, at x"), "\(found.text) \(found.errors)")
    #expect(!found.errors.contains("secret"), "\(found.errors)")
  }

  @Test func `one frame differs, and a picture's place is looked at before anything is replayed`() throws {
    let a = try digests("a.jsonl", ["--to", "0"])
    let b = try digests("b.jsonl", ["--to", "0", "--set", "matte.blur=6"])
    let found = try CommandLineTool.run(["compare", a, b], expecting: 1)
    #expect(found.text.contains("1 of 1 frame differs: "), "\(found.text)")
    for (picture, said) in [
      (a + "/d.png", a), (folder.path, "is a folder"),
    ] {
      let bad = try CommandLineTool.run(
        ["compare", a, b, "--recording", recording, "--picture", picture], expecting: 1)
      #expect(bad.errors.contains(said) && bad.text.isEmpty, "\(bad.errors)")
    }
  }

  @Test func `a background counts by its contents, and has to be named`() throws {
    let pictures = folder.path("p")
    try CommandLineTool.run(["replay", recording, "--tap", "original", "--output", "png:\(pictures)"])
    let (one, two) = (pictures + "/000000.png", pictures + "/000006.png")
    let (a, b) = (try digests("a.jsonl", ["--background", one]), try digests("b.jsonl", ["--background", two]))
    let without = try CommandLineTool.run(["compare", a, b, "--recording", recording], expecting: 1)
    #expect(without.errors.contains("but none is given") && without.errors.contains("--background"))
    #expect(without.text.contains("frame 0, stage composite") && without.text.contains("background: "))
    let found = try CommandLineTool.run(
      ["compare", a, b, "--recording", recording, "--background", two, "--background", one], expecting: 1)
    #expect(found.text.contains("levels, at x"), "\(found.text) \(found.errors)")
  }
}
