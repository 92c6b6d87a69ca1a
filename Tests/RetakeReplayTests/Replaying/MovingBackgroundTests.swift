import CommandTestSupport
import Foundation
import FrameModel
import MattePipeline
import Media
import Replay
import TestSupport
import Testing

/// A video or a recording behind the person.
@Suite(.long) struct MovingBackgroundTests {
  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=20&size=64x48")
  }

  /// A lossless video of so many flat pictures, each of its own grey: 10, 20, 30 …
  private func video(_ count: Int, rate: String, size: String = "16x12", name: String = "v.mkv") throws -> String {
    let path = folder.path(name)
    let (width, height) = (Int(size.prefix { $0 != "x" })!, Int(size.drop { $0 != "x" }.dropFirst())!)
    var pictures = Data()
    for i in 1...count { pictures += Data(repeating: UInt8(10 * i), count: width * height * 3) }
    try pictures.write(to: URL(fileURLWithPath: folder.path("raw")))
    let result = try ChildProcess.run(
      "/usr/bin/ffmpeg",
      ["-v", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", size, "-framerate", rate, "-i"]
        + [folder.path("raw"), "-c:v", "ffv1", "-pix_fmt", "bgr0", path])
    #expect(result.status == 0, "\(result.errors)")
    return path
  }

  private func greys(_ source: any BackgroundSource, at milliseconds: [Int]) throws -> [Int] {
    try milliseconds.map {
      let picture = try source.picture(at: PresentationTime(nanoseconds: Int64($0) * 1_000_000))
      return Int(try #require(picture).plane.samples[0])
    }
  }

  @Test func `the picture that shows is the last one due at the moment, and after the last comes the first`() throws {
    let path = try video(5, rate: "10")
    let file = try BackgroundFile(path: path)
    #expect(file.source.size == (16, 12))
    #expect(
      try greys(file.source, at: [-30, 0, 99, 100, 199, 250, 499, 500, 640, 999, 1000, 1400, 7300])
        == [10, 10, 10, 20, 20, 30, 50, 10, 20, 50, 10, 50, 40])
    // A moment far away, at once and with the length unknown.
    #expect(try greys(BackgroundFile(path: path).source, at: [7_300, 7_399, 7_400]) == [40, 40, 50])
    #expect(try greys(BackgroundFile(path: path).source, at: [480, 1480, 86_400_000]) == [50, 50, 10])
    // Back again, as a replay in reverse or one more pass asks, with the length unknown and known.
    #expect(
      try greys(BackgroundFile(path: path).source, at: [480, 100, 99, 1480, 640, 0, 7_300, 250])
        == [50, 20, 10, 50, 20, 10, 40, 30])
    let ntsc = try BackgroundFile(path: video(4, rate: "30000/1001", name: "n.mkv")).source
    #expect(try greys(ntsc, at: [0, 33, 34, 66, 67, 100, 101, 133, 134]) == [10, 10, 20, 20, 30, 30, 40, 40, 10])
  }

  @Test func `a video shows while it plays, and the same at every replay and any number of threads`() throws {
    let path = try video(5, rate: "10")
    // Whose mattes do not depend on those before.
    let replay = ["replay", recording, "--preset", "truedepth-backdrop", "--output", "digests:-"]
    func digests(_ arguments: [String]) throws -> String {
      try CommandLineTool.run(replay + ["--background", path] + arguments).text
    }
    let first = try digests(["--threads", "1"])
    #expect(try digests(["--threads", "5"]) == first)
    #expect(try digests([]) == first)
    // A part of it shows what the whole showed there.
    let lines = try CommandLineTool.jsonLines(first)
    let part = try CommandLineTool.jsonLines(digests(["--from", "7"]))
    for (a, b) in zip(lines[8...20], part.dropFirst()) {
      #expect(a["composite"] as? String == b["composite"] as? String)
    }
    // The same bytes elsewhere are the same background; other ones are not.
    try FileManager.default.copyItem(atPath: path, toPath: folder.path("copy.mkv"))
    let copy = try CommandLineTool.run(
      replay + ["--background", folder.path("copy.mkv")])
    #expect(copy.text == first)
    let frames = folder.path("frames")
    try CommandLineTool.run(["replay", recording, "--background", path, "--output", "png:\(frames)"])
    let corner = try [0, 2, 3, 6, 14, 15].map { number in
      let picture = try PictureFile.readColor(path: "\(frames)/0000\(number < 10 ? "0" : "")\(number).png")
      return Int(picture.pixels[0])
    }
    // 30 frames a second before 10; the last frame of a third may be of the next picture, by its time stamp.
    #expect(corner == [10, 10, 20, 30, 50, 10], "\(corner)")
  }

  @Test func `a recording is a background, and its id is what digests depend on`() throws {
    let other = try CommandLineTool.recordSimulated(folder, "b.retake", "frames=4&size=32x24&fps=15&seed=5")
    let lines = try CommandLineTool.jsonLines(
      CommandLineTool.run(["replay", recording, "--background", other, "--output", "digests:-"]).text)
    let info = try CommandLineTool.json(CommandLineTool.run(["info", other, "--json"]).text)
    #expect(lines[0]["background"] as? String == info["id"] as? String)
    let source = try BackgroundFile(path: other).source
    #expect(source.size == (32, 24))
    var changes: [Int] = []
    var last: Int?
    for millisecond in 0..<600 {
      let picture = try source.picture(at: PresentationTime(nanoseconds: Int64(millisecond) * 1_000_000))
      if let number = picture?.number, number != last { changes.append(millisecond) }
      last = picture?.number
    }
    // A picture each 66.7 ms, on from the fourth with the first.
    #expect(changes.count == 9)
    for (number, millisecond) in changes.enumerated() {
      #expect(abs(millisecond - number * 200 / 3) <= 8, "\(changes)")
    }
  }

  @Test(arguments: [("kill -9 $$", "signal 9"), ("exit 3", "could not decode"), ("exit 0", "could not decode")])
  func `an ffmpeg that does not decode to the end is an error, and no end of the video`(end: String, words: String)
    throws
  {
    let path = try video(5, rate: "10")
    // Two pictures of 16x12, or two and a half.
    let tools = folder.path("tools")
    try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
    let script = "#!/bin/sh\n/usr/bin/ffmpeg \"$@\" | /usr/bin/head -c \(end == "exit 0" ? 1440 : 1152)\n\(end)\n"
    let text = folder.path("script")
    try Data(script.utf8).write(to: URL(fileURLWithPath: text))
    // Copied by another process: children that other tests start at this moment would hold it open, and no file that is
    // open for writing can be run.
    #expect(try ChildProcess.run("/usr/bin/install", ["-m", "755", text, tools + "/ffmpeg"]).status == 0)
    let result = try CommandLineTool.run(
      ["replay", recording, "--background", path, "--output", "none"], expecting: 1,
      environment: ["PATH": "\(tools):/usr/bin:/bin"])
    #expect(result.errors.contains(words) && result.errors.contains(path), "\(result.errors)")
    #expect(result.errors.contains("hint: "), "\(result.errors)")
  }

  @Test func `a playlist is refused: its bytes say nothing of its pictures`() throws {
    _ = try video(3, rate: "10")
    for (name, text) in [
      ("list.ffconcat", "ffconcat version 1.0\nfile v.mkv\n"),
      ("list.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:0.3,\nv.mkv\n#EXT-X-ENDLIST\n"),
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
      let result = try CommandLineTool.run(["replay", recording, "--background", folder.path(name)], expecting: 1)
      #expect(result.errors.contains("nor a video") && result.errors.contains("playlist"), "\(result.errors)")
    }
  }

  @Test func `a video that gives its clock's ticks for its rate is refused`() throws {
    let path = try video(3, rate: "90000", name: "v.nut")
    let result = try CommandLineTool.run(["replay", recording, "--background", path], expecting: 1)
    #expect(result.errors.contains("at most 1000 frames per second"), "\(result.errors)")
  }

  @Test func `what shows nothing is refused with its name`() throws {
    func expectError(_ path: String, _ words: [String]) throws {
      let result = try CommandLineTool.run(["replay", recording, "--background", path], expecting: 1)
      for word in [path] + words { #expect(result.errors.contains(word), "\(result.errors) lacks \(word)") }
    }
    try Data("no video".utf8).write(to: URL(fileURLWithPath: folder.path("a.mp4")))
    try expectError(folder.path("a.mp4"), ["nor a video", "hint: "])
    try Data().write(to: URL(fileURLWithPath: folder.path("empty.mp4")))
    try expectError(folder.path("empty.mp4"), ["empty"])
    try expectError(folder.path, ["not a recording"])
    try expectError(folder.path("none.mp4"), ["There is no"])
    // A header, and nothing that can be decoded.
    let whole = try Data(contentsOf: URL(fileURLWithPath: video(3, rate: "10")))
    try whole.prefix(whole.count / 8).write(to: URL(fileURLWithPath: folder.path("cut.mkv")))
    try expectError(folder.path("cut.mkv"), [])
    // Without ffmpeg.
    let path = try video(2, rate: "10")
    let result = try CommandLineTool.run(
      ["replay", recording, "--background", path], expecting: 1, environment: ["PATH": folder.path])
    #expect(result.errors.contains("apt-get install ffmpeg"), "\(result.errors)")
  }
}
