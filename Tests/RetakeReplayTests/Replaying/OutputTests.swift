import CommandTestSupport
import Foundation
import FrameModel
import Kernels
import Media
import Support
import TestSupport
import Testing

@Suite(.long) struct OutputTests {
  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=8&size=101x57&depth-size=50x28")
  }

  @Test func `one replay writes every kind of output`() throws {
    try CommandLineTool.run([
      "replay", recording, "--output", "sheet:\(folder.path("s.png"))", "--output", "mp4:\(folder.path("v.mp4"))",
      "--output", "y4m:\(folder.path("v.y4m"))", "--output", "digests:\(folder.path("d.jsonl"))", "--output",
      "png:\(folder.path("frames"))",
    ])
    let sheet = try PictureFile.size(path: folder.path("s.png"))
    #expect(sheet.width == 5 * 328 + 8)
    #expect(sheet.height == 28 + 6 * (20 + 8 + 320 * 57 / 101))
    let y4m = try Data(contentsOf: URL(fileURLWithPath: folder.path("v.y4m")))
    let header = Data("YUV4MPEG2 W101 H57 F30:1 Ip A1:1 C444\n".utf8)
    #expect(y4m.prefix(header.count) == header)
    #expect(y4m.count == header.count + 8 * (6 + 101 * 57 * 3))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("frames")).count == 8)
    // ffprobe counts the frames that can be decoded.
    for (name, size) in [("v.mp4", "102,58"), ("v.y4m", "101,57")] {
      let probe = try ChildProcess.run(
        "/usr/bin/ffprobe",
        ["-v", "error", "-count_frames", "-show_entries", "stream=width,height,nb_read_frames", "-of", "csv=p=0"]
          + [folder.path(name)])
      #expect(probe.text.trimmingCharacters(in: .whitespacesAndNewlines) == "\(size),8")
    }
  }

  @Test(arguments: ["original", "depth", "mask", "matte", "composite"])
  func `a tap's pictures hold the pipeline's own samples`(tap: String) throws {
    let path = folder.path("frames")
    try CommandLineTool.run(["replay", recording, "--tap", tap, "--to", "0", "--output", "png:\(path)"])
    let picture = path + "/000000.png"
    let size = try PictureFile.size(path: picture)
    #expect(size == (tap == "depth" || tap == "mask" ? (50, 28) : (101, 57)))
    let bytes: [UInt8]
    switch tap {
    case "depth":
      let samples = try PictureFile.readGrey16(path: picture).samples
      #expect(samples.contains(0))
      #expect(samples.contains { (500...4500).contains($0) })
      bytes = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    case "mask", "matte":
      let pixels = try PictureFile.readColor(path: picture).pixels
      bytes = stride(from: 0, to: pixels.count, by: 3).map { pixels[$0] }
      if tap == "mask" { #expect(Set(bytes) == [0, 255]) }
    default: bytes = try PictureFile.readColor(path: picture).pixels
    }
    let digests = try CommandLineTool.run(["replay", recording, "--to", "0", "--output", "digests:-"])
    let first = try #require(try CommandLineTool.jsonLines(digests.text).first { $0["frame"] as? Int == 0 })
    #expect(first[tap == "original" ? "source_color" : tap] as? String == bytes.withRawBytes(Checksum.xxh3Hex128))
  }

  @Test func `an output's kind is known by its name`() throws {
    let (video, sheet, digests, pictures) = (
      folder.path("a.mp4"), folder.path("a.png"), folder.path("a.jsonl"), folder.path("frames/")
    )
    let arguments = [video, sheet, digests, pictures].flatMap { ["--output", $0] }
    let result = try CommandLineTool.run(["replay", recording, "--to", "1"] + arguments)
    for path in [video, sheet, digests, pictures] {
      #expect(result.errors.contains("wrote \(path)\n"), "\(result.errors)")
      #expect(FileManager.default.fileExists(atPath: path))
    }
    #expect(FileManager.default.fileExists(atPath: pictures + "000001.png"))
    let piped = try CommandLineTool.run(["replay", recording, "--to", "1", "--output", "-", "--quiet"])
    #expect(piped.output.starts(with: Data("YUV4MPEG2".utf8)))
    let unknown = try CommandLineTool.run(["replay", recording, "--output", "a.foo"], expecting: 64)
    #expect(unknown.errors.contains("'a.foo' does not tell what kind of output it is."), "\(unknown.errors)")
    #expect(unknown.errors.contains(".mp4, .mkv, .webm, .mov, .y4m or .jsonl (digests)"), "\(unknown.errors)")
  }

  @Test(arguments: ["replay", "live"]) func `help shows outputs as they are typed`(verb: String) throws {
    let help = try CommandLineTool.run([verb, "--help"]).text.split { $0.isWhitespace }.joined(separator: " ")
    #expect(help.contains("The output: FILE.mp4 (or .mkv, .webm, .mov), "), "\(help)")
  }

  @Test func `without an output, a contact sheet beside the recording that replaces none`() throws {
    let own = try CommandLineTool.recordSimulated(folder, "own.retake", "frames=3&size=64x48")
    for name in ["own-sheet.png", "own-sheet-2.png"] {
      let result = try CommandLineTool.run(["replay", own])
      #expect(result.errors.contains("wrote \(folder.path(name))\n"), "\(result.errors)")
      #expect(FileManager.default.fileExists(atPath: folder.path(name)))
    }
    let tapped = ["replay", own, "--tap", "matte", "-o", folder.path("tapped.png")]
    let note = "No output is of --tap matte: contact sheets show every stage, and digests are of all.\n"
    #expect(try CommandLineTool.run(tapped).errors.contains(note))
    #expect(
      !(try CommandLineTool.run(tapped + ["--force", "-o", folder.path("tapped/")]).errors.contains("No output is of")))
    try CommandLineTool.run(["replay", own, "--json"])
    #expect(!FileManager.default.fileExists(atPath: folder.path("own-sheet-3.png")))
  }

  @Test func `parameters are found by a word`() throws {
    let text = try CommandLineTool.run(["parameters", "matte.bl"]).text
    #expect(text.contains("matte.blur") && !text.contains("mask.kind"), "\(text)")
    let json = try CommandLineTool.json(CommandLineTool.run(["parameters", "matte.bl", "--json"]).text)
    #expect((json["parameters"] as? [[String: Any]])?.map { $0["name"] as? String } == ["matte.blur"])
    let all = try CommandLineTool.json(CommandLineTool.run(["parameters", "blur", "--json"]).text)
    let named = try #require(all["parameters"] as? [[String: Any]]).map {
      ($0["name"] as? String ?? "").contains("blur")
    }
    #expect(named.contains(true) && named.contains(false) && named == named.sorted { $0 && !$1 }, "\(named)")
    let slip = try CommandLineTool.run(["parameters", "blurr"])
    #expect(slip.text.contains("blurred") && slip.errors.contains("did you mean matte.blur?"), "\(slip.errors)")
    #expect(try CommandLineTool.run(["parameters", "blur"]).errors.isEmpty)
    let none = try CommandLineTool.run(["parameters", "matte.blurr"], expecting: 1)
    #expect(none.errors.contains("did you mean matte.blur?"), "\(none.errors)")
  }

  @Test func `results go to standard output and nothing else does`() throws {
    let digests = try CommandLineTool.run(["replay", recording, "--output", "digests:-"])
    #expect(try CommandLineTool.jsonLines(digests.text).count == 10)
    let quiet = try CommandLineTool.run(["replay", recording, "--output", "none", "--quiet"])
    #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
    let video = try CommandLineTool.run(["replay", recording, "--output", "y4m:-", "--quiet"])
    #expect(video.output.starts(with: Data("YUV4MPEG2".utf8)))
  }

  @Test func `an output without a picture is no output, and is told with what to change`() throws {
    let nothing = ["replay", recording, "--set", "fault.color-drop=1"]
    for output in ["mp4:\(folder.path("v.mp4"))", "png:\(folder.path("frames"))", "sheet:\(folder.path("s.png"))"] {
      let result = try CommandLineTool.run(nothing + ["--output", output], expecting: 1)
      #expect(result.errors.contains("The replay gave no picture: all 8 frames were dropped."), "\(result.errors)")
      #expect(result.errors.contains("hint: set fault.color-drop lower"), "\(result.errors)")
      #expect(!result.errors.contains("wrote"), "\(result.errors)")
    }
    let counted = try CommandLineTool.run(
      nothing + ["--json", "--output", "y4m:\(folder.path("v.y4m"))"], expecting: 1)
    #expect(try CommandLineTool.json(counted.text)["color_dropped"] as? Int == 8)
    // The file is written, but it has nothing that could be compared.
    let list = try CommandLineTool.run(nothing + ["--output", "digests:\(folder.path("d.jsonl"))"], expecting: 1)
    #expect(list.errors.contains("The replay gave no picture") && list.errors.contains("wrote "), "\(list.errors)")
    // Whoever makes nothing of the pictures wants to know that there were none all the same.
    for words in [[], ["--output", "none"], ["--loop", "--output", "none"]] {
      let result = try CommandLineTool.run(nothing + words, expecting: 1)
      #expect(result.errors.contains("error: The replay gave no picture"), "\(result.errors)")
    }
  }

  @Test func `a reader that goes away ends a replay, without a word and without a crash`() throws {
    let result = try ChildProcess.run(
      "/bin/bash",
      ["-o", "pipefail", "-c", "\"$0\" replay \"$1\" --output y4m:- --quiet | head -c 100 >/dev/null"]
        + [Checkout.retake, recording])
    #expect(result.status == 1)
    #expect(result.errors.isEmpty, "\(result.errors)")
  }

  @Test func `devices, parameters, info and record print their facts as JSON`() throws {
    let devices = try CommandLineTool.json(CommandLineTool.run(["devices", "--json"]).text)
    #expect((devices["kinds"] as? [[String: Any]])?.count == 5)
    let parameters = try CommandLineTool.json(CommandLineTool.run(["parameters", "--json"]).text)
    let list = try #require(parameters["parameters"] as? [[String: Any]])
    #expect(list.count >= 8)
    for entry in list {
      for key in ["name", "value", "default", "unit", "range", "help"] { #expect(entry[key] is String) }
    }
    let info = try CommandLineTool.json(CommandLineTool.run(["info", recording, "--json"]).text)
    #expect((info["streams"] as? [[String: Any]])?.count == 3)
    let recorded = try CommandLineTool.run([
      "record", "--device", "simulated?pace=fast&frames=2&size=32x24", "-o", folder.path("j.retake"), "--json",
    ])
    #expect(try CommandLineTool.json(recorded.text)["frame_sets"] as? Int == 2)
  }

  @Test func `every command explains itself`() throws {
    let overview = try CommandLineTool.run(["--help"]).text
    let list = try #require(overview.range(of: "SUBCOMMANDS:"))
    let commands = overview[list.upperBound...].split(separator: "\n").compactMap { line in
      line.hasPrefix("  ") && !line.hasPrefix("   ") ? line.split(separator: " ").first.map(String.init) : nil
    }.filter { $0 != "See" }
    #expect(commands.count >= 17 && commands.contains("record") && commands.contains("parameters"), "\(commands)")
    for command in [[]] + commands.map({ [$0] }) {
      let help = try CommandLineTool.run(command + ["--help"])
      #expect(help.text.contains("USAGE: \((["retake"] + command).joined(separator: " "))"), "\(command)")
      #expect(help.text.contains("--version"), "\(command)")
    }
  }

  @Test func `two cameras are recorded into one folder, each with its streams`() throws {
    let path = folder.path("two.retake")
    try CommandLineTool.run([
      "record", "--device", "simulated?pace=fast&frames=5&size=32x24", "--device",
      "simulated?pace=fast&frames=5&size=48x32&seed=2&alpha=0", "-o", path, "--keep-free", "0",
    ])
    let info = try CommandLineTool.json(CommandLineTool.run(["info", path, "--json"]).text)
    let streams = try #require(info["streams"] as? [[String: Any]])
    #expect(streams.map { $0["name"] as? String } == ["color", "depth", "alpha", "color-1", "depth-1"])
    #expect(streams.map { $0["frames"] as? Int } == [5, 5, 5, 5, 5])
  }
}
