import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Every mistake gets one sentence that names the thing, the next step, and the right exit code.
@Suite(.long) struct BadInputTests {
  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=3&size=64x48")
  }

  private func expectError(
    _ arguments: [String], _ status: Int32, _ words: [String], location: SourceLocation = #_sourceLocation
  ) throws {
    let result = try CommandLineTool.run(arguments, expecting: status, location: location)
    for word in words {
      #expect(result.errors.contains(word), "\(result.errors) lacks \(word)", sourceLocation: location)
    }
    let errors = result.errors.split(separator: "\n").filter { $0.lowercased().hasPrefix("error: ") }
    #expect(errors.count == 1, "\(result.errors)", sourceLocation: location)
    #expect(result.output.isEmpty, sourceLocation: location)
  }

  @Test(arguments: ["0", "0/1", "3/2", "1/0", "-1/2", "half", "", "1/2/3", "0.5"])
  func `a fraction that is none`(text: String) throws {
    try expectError(["replay", recording, "--set", "depth.rate=\(text)"], 64, ["depth.rate", "hint: ", "1/2"])
  }

  @Test func `an unknown parameter, preset, tap or output names the nearest`() throws {
    try expectError(["replay", recording, "--set", "matte.blurr=3"], 64, ["matte.blurr", "did you mean matte.blur"])
    try expectError(["replay", recording, "--set", "matte.blur"], 64, ["matte.blur", "name=value"])
    try expectError(["replay", recording, "--set", "matte.blur=65"], 64, ["0 to 64", "nearest valid value is 64"])
    try expectError(["replay", recording, "--set", "matte.blur=nan"], 64, ["nan", "matte.blur"])
    try expectError(["replay", recording, "--preset", "truedepth"], 64, ["'truedepth'", "truedepth-backdrop"])
    try expectError(["parameters", "--preset", "x"], 64, ["'x'", "truedepth-backdrop"])
    try expectError(["replay", recording, "--tap", "mate"], 64, ["'mate'", "matte"])
    try expectError(["replay", recording, "--output", "pgn:x"], 64, ["'pgn'", "png"])
    try expectError(["replay", recording, "--output", "png"], 64, ["has no file name"])
    try expectError(["replay", recording, "--output", "png:-"], 64, ["standard output"])
    try expectError(["replay", recording, "--output", "y4m:-", "--json"], 64, ["standard output"])
    try expectError(["replay", recording, "--threads", "0"], 64, ["--threads"])
    try expectError(["replay", recording, "--from", "5", "--to", "2"], 64, ["--from"])
    try expectError(["replay", recording, "--from", "3"], 1, [recording, "0 to 2"])
  }

  @Test func `an unknown device or option`() throws {
    let out = folder.path("new.retake")
    try expectError(["record", "-o", out], 64, ["--device"])
    try expectError(["record", "--device", "webcam", "-o", out], 64, ["'webcam'", "simulated"])
    try expectError(["record", "--device", "simulated?sise=3x3", "-o", out], 64, ["sise", "size"])
    try expectError(["record", "--device", "simulated?size=0x3", "-o", out], 64, ["size=0x3"])
    try expectError(["record", "--device", "simulated?fps=x", "-o", out], 64, ["fps=x"])
    try expectError(["record", "--device", "simulated?fps", "-o", out], 64, ["name=value"])
    try expectError(["record", "--device", "simulated", "--duration=-3s", "-o", out], 64, ["-3s"])
    try expectError(
      ["record", "--device", "tum:\(folder.path("none"))", "-o", out], 1, [folder.path("none"), "hint: "])
    try expectError(["record", "--device", "kinect:7", "-o", out], 1, ["Kinect", "hint: "])
    #expect(!FileManager.default.fileExists(atPath: out))
  }

  @Test func `comparing what is no file of digests, and words that do not go together`() throws {
    let text = folder.path("text.jsonl")
    try Data("hello\n".utf8).write(to: URL(fileURLWithPath: text))
    let digests = folder.path("a.jsonl")
    try CommandLineTool.run(["replay", recording, "--output", "digests:\(digests)", "--quiet"])
    try expectError(["compare", digests, folder.path("no.jsonl")], 1, ["no.jsonl", "hint: "])
    try expectError(["compare", digests, text], 1, [text, "not a file of digests", "hint: "])
    try expectError(
      ["compare", digests, recording], 1,
      [recording, "it is a recording", "'retake replay \(recording) --output NAME.jsonl'"])
    try expectError(["compare", digests], 64, ["<b>"])
    try expectError(["compare", "-", "-"], 64, ["standard input"])
    try expectError(["compare", digests, digests, "--picture", "x.png"], 64, ["--recording"])
    let jpeg = ["compare", digests, digests, "--recording", digests, "--picture", "x.jpg"]
    try expectError(jpeg, 64, ["'x.jpg' is no name of one", "end it in .png"])
    try expectError(["compare", digests, digests, "--threads", "0"], 64, ["--threads"])
    try expectError(
      ["compare", digests, digests] + Array(repeating: ["--recording", recording], count: 3).flatMap { $0 }, 64,
      ["--recording"])
    try expectError(
      ["compare", digests, digests, "--recording", folder.path("no.retake")], 1, ["no.retake", "hint: "])
  }

  @Test func `a missing or foreign folder, and a damaged index`() throws {
    for command in ["info", "replay"] {
      try expectError([command, folder.path("none.retake")], 1, ["none.retake", "hint: "])
      try expectError([command, folder.path], 1, [folder.path, "not a recording", "hint: "])
    }
    try Data("no database".utf8).write(to: URL(fileURLWithPath: recording + "/index.sqlite"))
    try expectError(["info", recording], 1, ["index.sqlite", "recover"])
  }

  @Test func `a picture that cannot be read, and places that cannot be written`() throws {
    let notPicture = folder.path("text.png")
    try Data("hello".utf8).write(to: URL(fileURLWithPath: notPicture))
    try expectError(["replay", recording, "--background", notPicture], 1, [notPicture, "PNG or JPEG"])
    try expectError(["replay", recording, "--background", folder.path("no.png")], 1, ["no.png", "hint: "])
    try expectError(["replay", recording, "--output", "mp4:/sys/x.mp4"], 1, ["/sys/x.mp4"])
    try expectError(["replay", recording, "--output", "sheet:/sys/x.png"], 1, ["/sys/x.png", "hint: "])
    try expectError(["replay", recording, "--output", "png:/sys/x"], 1, ["/sys/x", "hint: "])
    try expectError(
      ["record", "--device", "simulated?frames=2", "-o", "/sys/x.retake"], 1, ["/sys/x.retake", "hint: "])
    // A recording is never written over.
    try expectError(
      ["record", "--device", "simulated?frames=2", "-o", recording], 1,
      [recording, "not empty", "hint: name another folder"])
  }

  @Test func `a source that fails halfway leaves what it gave, and exit code 3`() throws {
    let dataSet = folder.path("tum")
    for (name, tap) in [("rgb", "original"), ("depth", "depth")] {
      try CommandLineTool.run(["replay", recording, "--tap", tap, "--output", "png:\(folder.path(name))"])
      try FileManager.default.createDirectory(atPath: "\(dataSet)/\(name)", withIntermediateDirectories: true)
      for frame in 0..<3 {
        try FileManager.default.moveItem(
          atPath: folder.path(name) + "/00000\(frame).png", toPath: "\(dataSet)/\(name)/\(frame + 1).000000.png")
      }
    }
    try Data("no picture".utf8).write(to: URL(fileURLWithPath: dataSet + "/rgb/3.000000.png"))
    let path = folder.path("half.retake")
    let result = try CommandLineTool.run(["record", "--device", "tum:\(dataSet)", "-o", path], expecting: 3)
    #expect(result.errors.contains("3.000000.png"))
    let info = try CommandLineTool.json(CommandLineTool.run(["info", path, "--json"]).text)
    #expect(info["is_closed"] as? Bool == true)
    #expect(info["frame_sets"] as? Int == 2)
  }

  @Test func `a recording that others may only read is read`() throws {
    for name in ["", "/chunks", "/index.sqlite", "/chunks/000000.mcap"] {
      let mode = name.contains(".") ? 0o444 : 0o555
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: recording + name)
    }
    try CommandLineTool.run(["replay", recording, "--output", "none"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: recording).sorted() == ["chunks", "index.sqlite"])
    for name in ["", "/chunks"] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: recording + name)
    }
  }
}
