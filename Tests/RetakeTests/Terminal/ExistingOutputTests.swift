import CommandTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

/// No command replaces a file that is there without being told to, and none damages it.
@Suite(.long) struct ExistingOutputTests {
  private let folder: TemporaryFolder
  private let recording: String
  private static let old = "what somebody wants to keep\n"

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=4&size=48x32")
  }

  private func oldFile(_ name: String) throws -> String {
    try Self.old.write(toFile: folder.path(name), atomically: false, encoding: .utf8)
    return folder.path(name)
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  private func expectRefused(
    _ arguments: [String], _ path: String, location: SourceLocation = #_sourceLocation
  ) throws {
    let refused = try CommandLineTool.run(arguments, expecting: 1, location: location)
    #expect(
      refused.errors.contains("\(path) already exists.") && refused.errors.contains("--force"), "\(refused.errors)",
      sourceLocation: location)
    #expect(try text(path) == Self.old, sourceLocation: location)
  }

  private func expectReplaced(
    _ arguments: [String], _ path: String, expecting status: Int32 = 0, location: SourceLocation = #_sourceLocation
  ) throws {
    try CommandLineTool.run(arguments + ["--force"], expecting: status, location: location)
    #expect(try text(path) != Self.old, sourceLocation: location)
  }

  @Test(arguments: ["sheet", "mp4", "y4m", "digests"])
  func `replay and live keep a file that is there, but for --force`(kind: String) throws {
    let path = try oldFile("out.mp4")
    let replay = ["replay", recording, "--output", "\(kind):\(path)"]
    try expectRefused(replay, path)
    if kind != "sheet" {
      try expectRefused(["live", "--device", "simulated?pace=fast&frames=2&size=32x24", "-o", "\(kind):\(path)"], path)
    }
    try expectReplaced(replay, path)
    // Nothing is lost with an empty file, as 'mktemp' makes it.
    try Data().write(to: URL(fileURLWithPath: path))
    try CommandLineTool.run(replay)
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path(""))) == ["a.retake", "out.mp4"])
  }

  @Test func `pictures of an earlier replay are kept, or replaced all together`() throws {
    let path = folder.path("pictures")
    let replay = ["replay", recording, "--output", "png:\(path)"]
    try CommandLineTool.run(replay)
    let refused = try CommandLineTool.run(replay + ["--to", "1"], expecting: 1)
    #expect(refused.errors.contains("\(path) already contains pictures") && refused.errors.contains("--force"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 4)
    try CommandLineTool.run(replay + ["--to", "1", "--force"])
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: path)) == ["000000.png", "000001.png"])
    try Self.old.write(toFile: path + "/notes.txt", atomically: false, encoding: .utf8)
    let other = try CommandLineTool.run(replay + ["--force"], expecting: 1)
    #expect(other.errors.contains("notes.txt"), "\(other.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 3)
  }

  @Test func `one file is not two outputs`() throws {
    let result = try CommandLineTool.run(
      ["replay", recording, "-o", "digests:\(folder.path("a"))", "-o", "y4m:\(folder.path("a"))"], expecting: 64)
    #expect(result.errors.contains("Two outputs go to"), "\(result.errors)")
    let spelled = try CommandLineTool.run(
      ["replay", recording, "-o", folder.path("a.png"), "-o", folder.path("./a.png")], expecting: 64)
    #expect(spelled.errors.contains("Two outputs go to"), "\(spelled.errors)")
    let forced = try CommandLineTool.run(
      ["replay", recording, "-o", "digests:\(try oldFile("a"))", "-o", "y4m:\(folder.path("a"))", "--force"],
      expecting: 64)
    #expect(forced.errors.contains("Two outputs go to"), "\(forced.errors)")
    let swept = try CommandLineTool.run(
      [
        "sweep", recording, "--set", "matte.blur=1", "-o", folder.path("r.sqlite"), "--csv", folder.path("table"),
        "--json",
      ]
        + [folder.path("./table")], expecting: 64)
    #expect(swept.errors.contains("Two outputs go to"), "\(swept.errors)")
  }

  @Test func `not even --force replaces a part of a recording, a bundle or results`() throws {
    let (bundle, results) = (folder.path("a.retake-bundle"), folder.path("r.sqlite"))
    try CommandLineTool.run(["bundle", recording, "--to", "0", "-o", bundle, "--quiet"])
    try CommandLineTool.run(["sweep", recording, "--set", "matte.blur=1", "-o", results, "--quiet"])
    for (path, kind) in [
      (recording + "/chunks/000000.mcap", "a part of the recording"),
      (recording + "/index.sqlite", "a part of the recording"),
      (bundle, "a bug bundle"), (results, "results of a sweep"),
    ] {
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let refused = try CommandLineTool.run(
        ["replay", recording, "--output", "digests:\(path)", "--force"], expecting: 1)
      #expect(refused.errors.contains("\(path) is \(kind)"), "\(refused.errors)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
    // However it is named.
    let chunk = recording + "/chunks/000000.mcap"
    let before = try Data(contentsOf: URL(fileURLWithPath: chunk))
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: chunk)
    for line in [
      "cd a.retake/chunks; $0 replay .. -o digests:000000.mcap --force", "$0 replay a.retake -o digests:link --force",
    ] {
      let refused = try ChildProcess.run("/bin/sh", ["-c", "cd \(folder.path); \(line)", Checkout.retake])
      #expect(refused.status == 1 && refused.errors.contains("is a part of the recording"), "\(refused.errors)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: chunk)) == before)
    }
    // What others have put there is not Retake's.
    try expectReplaced(
      ["replay", recording, "-o", "digests:\(try oldFile("a.retake/notes"))"], folder.path("a.retake/notes"))
  }

  @Test func `not even --force replaces a file that the command line names twice`() throws {
    let picture = folder.path("room.png")
    try CommandLineTool.run(["replay", recording, "-o", picture])
    let before = try Data(contentsOf: URL(fileURLWithPath: picture))
    let values = folder.path("values.yaml")
    try "composite: {background: room.png}\n".write(toFile: values, atomically: true, encoding: .utf8)
    for words in [
      ["--background", picture], ["--background=\(picture)"], ["--set", "composite.background=\(picture)"],
      ["--parameters", values],
    ] {
      let result = try CommandLineTool.run(
        ["replay", recording, "--force", "-o", folder.path("./room.png")] + words, expecting: 64)
      #expect(
        result.errors.contains(
          "is named twice, on the command line or in a YAML file, so --force does not replace it."),
        "\(result.errors)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: picture)) == before)
    }
    try CommandLineTool.run(["replay", recording, "--background", picture, "-o", folder.path("other.png")])

    let pictures = folder.path("pictures/")
    try CommandLineTool.run(["replay", recording, "-o", pictures])
    let within = try CommandLineTool.run(
      ["replay", recording, "-o", pictures, "--background", pictures + "000002.png", "--force"], expecting: 64)
    #expect(within.errors.contains("000002.png is named twice"), "\(within.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: pictures).count == 4)
  }

  @Test func `compare keeps a picture that is there, but for --force`() throws {
    let path = try oldFile("difference.png")
    for (name, blur) in [("a", "1"), ("b", "6")] {
      try CommandLineTool.run(
        [
          "replay", recording, "--preset", "truedepth-backdrop", "--set", "matte.blur=\(blur)", "-o",
          "digests:\(folder.path(name))",
        ])
    }
    let compare = ["compare", folder.path("a"), folder.path("b"), "--recording", recording, "--picture", path]
    try expectRefused(compare, path)
    try expectReplaced(compare, path, expecting: 1)
  }

  @Test func `sweeps keep tables, reports and the best, but for --force; the same sweep writes its own again`() throws {
    let results = folder.path("sweep.sqlite")
    let sweep = ["sweep", recording, "--list", "matte.blur=1,4", "-o", results, "--best", "iou"]
    for option in ["--csv", "--json", "--write-best"] {
      try expectRefused(sweep + [option, try oldFile("table")], folder.path("table"))
      #expect(!FileManager.default.fileExists(atPath: results), "There was work before the refusal.")
    }
    let best = folder.path("best.yaml")
    let again = sweep + ["--csv", folder.path("new.csv"), "--write-best", best]
    try CommandLineTool.run(again)
    let written = try text(best)
    try CommandLineTool.run(again)
    #expect(try text(best) == written)
    try expectRefused(again, try oldFile("best.yaml"))
    try expectReplaced(again, best)
    for command in [["best", results, "--by", "iou", "-o"], ["report", results, "--no-pictures", "-o"]] {
      let path = try oldFile("result")
      try expectRefused(["sweep"] + command + [path], path)
      try expectReplaced(["sweep"] + command + [path], path)
    }
  }

  /// A limit on the length of files, which fails a write as a full disk does.
  @Test func `a write that fails keeps the file that is there, and leaves no part`() throws {
    let results = folder.path("sweep.sqlite")
    try CommandLineTool.run(["sweep", recording, "--list", "matte.blur=1,4", "-o", results])
    let path = try oldFile("out")
    for arguments in [
      ["replay", recording, "--output", "y4m:\(path)", "--force"],
      ["replay", recording, "--output", "sheet:\(path)", "--force"],
      ["replay", recording, "--output", "digests:\(path)", "--force"],
      ["sweep", "report", results, "-o", path, "--no-pictures", "--force"],
    ] {
      let result = try ChildProcess.run(
        "/bin/bash", ["-c", "ulimit -f 1; exec \"$@\"", "bash", Checkout.retake] + arguments)
      #expect(result.status == 1, "\(arguments): \(result.errors)")
      #expect(result.errors.contains("Could not write \(path)"), "\(arguments): \(result.errors)")
      #expect(try text(path) == Self.old, "\(arguments)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    #expect(!names.contains { $0.hasPrefix(".partial") }, "\(names)")
  }

  /// Pictures that are written fit into what ffmpeg keeps in memory; its end finds the disk full.
  @Test func `a video that does not fit is an error, and the file that is there stays`() throws {
    let long = try CommandLineTool.recordSimulated(folder, "b.retake", "frames=60&size=320x240")
    let path = try oldFile("out.mp4")
    for arguments in [
      ["replay", long, "--output", path, "--force"],
      ["export", "video", long, "--stream", "color", "-o", folder.path("new.mkv")],
    ] {
      // Without the signal, a write beyond the limit fails as on a full disk.
      let result = try ChildProcess.run(
        "/bin/bash", ["-c", "trap '' XFSZ; ulimit -f 16; exec \"$@\"", "bash", Checkout.retake] + arguments)
      #expect(result.status == 1, "\(arguments): \(result.errors)")
    }
    #expect(try text(path) == Self.old)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    #expect(Set(names) == ["a.retake", "b.retake", "out.mp4"])
  }

  @Test func `pictures that do not fit leave no folder`() throws {
    let path = folder.path("pictures")
    for arguments in [
      ["replay", recording, "--output", "png:\(path)"], ["export", "png", recording, "-o", path],
      ["export", "tum", recording, "-o", path],
    ] {
      let result = try ChildProcess.run(
        "/bin/bash", ["-c", "ulimit -f 1; exec \"$@\"", "bash", Checkout.retake] + arguments)
      #expect(result.status == 1, "\(arguments): \(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: path), "\(arguments)")
    }
  }

  @Test func `what another program is writing is left to it`() throws {
    let pictures = folder.path("pictures")
    try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: false)
    for name in [".partial-new.png", ".partial-new.mcap", ".partial-new.mkv"] { _ = try oldFile(name) }
    let locked = try ["pictures", ".partial-new.png", ".partial-new.mcap", ".partial-new.mkv"].map { name in
      let descriptor = open(folder.path(name), O_RDONLY)
      try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
      return descriptor
    }
    defer { for descriptor in locked { close(descriptor) } }
    for (arguments, path) in [
      (["replay", recording, "--output", "png:"], pictures), (["export", "png", recording, "-o", ""], pictures),
      (["replay", recording, "--output", "sheet:"], folder.path("new.png")),
      (["export", "mcap", recording, "-o", ""], folder.path("new.mcap")),
      (["export", "video", recording, "--stream", "color", "-o", ""], folder.path("new.mkv")),
    ] {
      let result = try CommandLineTool.run(arguments.dropLast() + [(arguments.last ?? "") + path], expecting: 73)
      #expect(result.errors.contains("Another program is writing \(path)."), "\(arguments): \(result.errors)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: pictures).isEmpty)
  }

  @Test func `a replay that fails leaves no file of digests`() throws {
    for output in ["digests", "y4m", "mp4", "sheet"] {
      let path = folder.path("part.mp4")
      let result = try CommandLineTool.run(
        ["replay", recording, "--output", "\(output):\(path)", "--output", "y4m:/dev/full"], expecting: 1)
      #expect(result.errors.contains("/dev/full"), "\(result.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")) == ["a.retake"], "\(output)")
    }
  }
}
