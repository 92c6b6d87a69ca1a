import CommandTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

/// However a replay is watched, what it gives is the same.
@Suite(.long) struct ReplayControlTests {
  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=12&size=64x48")
  }

  private func digests(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }
  private func frameCount(_ name: String) throws -> Int {
    try CommandLineTool.jsonLines(digests(name)).count { $0["frame"] != nil }
  }

  @Test func `in time, paused and stepped, or as fast as possible: the same digests`() throws {
    try CommandLineTool.run(["replay", recording, "--output", "digests:\(folder.path("fast"))"])
    let fast = try digests("fast")
    #expect(try frameCount("fast") == 12)
    let timed = try CommandLineTool.run(
      ["replay", recording, "--speed", "4", "--output", "digests:\(folder.path("timed"))", "--json"])
    #expect(try digests("timed") == fast)
    let counts = try CommandLineTool.json(timed.text)
    #expect(counts["video_frames"] as? Int == 12)
    #expect(counts["is_complete"] as? Bool == true)
    #expect(try #require(counts["late"] as? Int) <= 12)

    let player = try TerminalProcess(
      ["replay", recording, "--paused", "--output", "digests:\(folder.path("stepped"))"])
    try player.wait(for: "1/12  frame 0  0.000 s  as fast as possible  paused")
    try player.type(".")
    try player.wait(for: "2/12  frame 1")
    // The arrow comes in parts.
    try player.type("\u{1B}[")
    try player.type("C")
    try player.wait(for: "3/12  frame 2  0.067 s")
    try player.type("x\u{1B}[D-")
    try player.wait(for: "10×  paused")
    try player.type("+?")
    try player.wait(for: "q quits")
    try player.type(" ")
    #expect(try player.end() == 0, "\(player.output)")
    #expect(try digests("stepped") == fast)
    #expect(player.output.contains("12 frames, depth delivered 12"), "\(player.output)")
  }

  @Test func `parts, every n-th, backwards and over again, each pass with the same bits`() throws {
    func numbers(_ name: String, _ words: [String]) throws -> [Int] {
      try CommandLineTool.run(["replay", recording, "--output", "digests:\(folder.path(name))"] + words)
      return try CommandLineTool.jsonLines(digests(name)).compactMap { $0["frame"] as? Int }
    }
    #expect(try numbers("a", ["--every", "5", "--reverse"]) == [11, 6, 1])
    #expect(try numbers("b", ["--every", "4", "--from", "3", "--to", "10"]) == [3, 7])
    #expect(try numbers("c", ["--passes", "3", "--reverse", "--speed", "10"]) == (0..<36).map { 11 - $0 % 12 })
    let lines = try digests("c").split(separator: "\n").filter { $0.contains("\"frame\"") }
    #expect(lines.prefix(12) == lines.dropFirst(12).prefix(12))
    #expect(lines.prefix(12) == lines.suffix(12))
    // A video of every third picture takes as long as one of all of them.
    try CommandLineTool.run(["replay", recording, "--every", "3", "--output", "y4m:\(folder.path("v"))"])
    let video = try Data(contentsOf: URL(fileURLWithPath: folder.path("v")))
    let header = Data("YUV4MPEG2 W64 H48 F30:3 Ip A1:1 C444\n".utf8)
    #expect(video.starts(with: header))
    #expect(video.count == header.count + 4 * (6 + 64 * 48 * 3))
  }

  @Test func `raw streams: what no device can show, and options of the pipeline, are refused`() throws {
    let cases: [(words: [String], status: Int32, said: String)] = [
      (["--raw", "color=/dev/null"], 1, "/dev/null is not a video device"),
      (["--raw", "color=v4l2:\(folder.path("none"))"], 1, "There is no"),
      (["--raw", "colour=/dev/video9"], 1, "it has color, depth"),
      (["--raw", "/dev/video9"], 64, "as in --raw depth=/dev/video11"),
      (["--raw", "color=/dev/video9", "--raw", "depth=/dev/video9"], 64, "twice"),
      (["--raw", "color=/dev/video9", "--tap", "depth"], 64, "--tap does not apply"),
      (["--raw", "color=/dev/video9", "--set", "matte.blur=1"], 64, "--set does not apply"),
      (["--raw", "color=/dev/video9", "--output", "none"], 64, "--output does not apply"),
    ]
    for (words, status, said) in cases {
      let result = try CommandLineTool.run(["replay", recording] + words, expecting: status)
      #expect(result.errors.contains(said) && result.errors.contains("hint: "), "\(words): \(result.errors)")
    }
  }

  @Test func `what is no V4L2 output is refused before anything is played`() throws {
    for (path, said) in [("/dev/null", "is not a video device"), (folder.path("none"), "There is no")] {
      let result = try CommandLineTool.run(["replay", recording, "--output", "v4l2:\(path)"], expecting: 1)
      #expect(result.errors.contains(said) && result.errors.contains("hint: "), "\(result.errors)")
    }
  }

  @Test(arguments: [("q", 0), ("\u{3}", 1)])
  func `a key ends it and leaves what was shown, and the terminal as it was`(key: String, status: Int) throws {
    let player = try TerminalProcess(
      ["replay", recording, "--paused", "--output", "digests:\(folder.path("d"))", "--json"],
      after: "echo \"ended $?\"; stty -a")
    try player.wait(for: "paused")
    try player.type(".")
    try player.wait(for: "2/12  frame 1")
    try player.type(key)
    _ = try player.end()
    #expect(player.output.contains("ended \(status)"), "\(player.output)")
    #expect(player.output.contains("\"video_frames\":2,") && player.output.contains("\"is_complete\":false"))
    #expect(try frameCount("d") == 2)
    #expect(player.hasUsualModes(after: "ended"), "\(player.output)")
  }

  @Test func `an error gives the terminal back too`() throws {
    let player = try TerminalProcess(
      ["replay", recording, "--speed", "1", "--output", "y4m:/dev/full"], after: "echo \"ended $?\"; stty -a")
    _ = try player.end()
    #expect(player.output.contains("ended 1"), "\(player.output)")
    #expect(player.hasUsualModes(after: "ended"), "\(player.output)")
  }

  @Test func `a pipe that nobody reads does not hold up Ctrl-C`() throws {
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    // Held open, so that it has a reader, and never read.
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    // Too small for one frame: it is full only amid one. Between two frames a replay would end like any other.
    let setPipeSize: Int32 = 1031  // F_SETPIPE_SZ, which Glibc's module leaves out
    #expect(fcntl(reader, setPipeSize, 8192) == 8192)
    var full = pollfd(fd: open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC), events: Int16(POLLOUT), revents: 0)
    defer { close(full.fd) }
    let recording = try CommandLineTool.recordSimulated(folder, "b.retake", "frames=4&size=160x120")
    let result = try CommandLineTool.run(["replay", recording, "--loop", "--output", "y4m:\(pipe)"], expecting: 1) {
      process in
      var isFull = false
      for _ in 0..<6000 where !isFull {
        usleep(10_000)
        isFull = poll(&full, 1, 0) == 0
      }
      #expect(isFull)
      kill(process, SIGINT)
    }
    #expect(result.errors.contains("No program is reading from \(pipe)"), "\(result.errors)")
  }

  @Test func `wrong words for playing get one sentence, and no file is touched`() throws {
    var wrong = [
      (["--every", "0"], "--every takes 1 to"), (["--every", "-1"], "--every"),
      (["--passes", "0"], "--passes takes 1 to"),
      (["--passes", "1000001"], "--passes takes 1 to"),
      (["--loop", "--passes", "2"], "Use either --loop or --passes, not both"),
      (["--speed", "0"], "--speed takes 0.1 to 10"), (["--speed", "10.01"], "--speed takes 0.1 to 10"),
      (["--speed", "nan"], "--speed takes 0.1 to 10"), (["--speed", "fast"], "--speed takes 0.1 to 10"),
      (["--paused"], "needs a terminal"), (["--loop", "-o", "none", "-o", "digests:"], "has no file name"),
    ]
    wrong.append((["--passes", "2", "-o", "none", "-o", "png:\(folder.path("x"))"], "again in each pass"))
    for kind in ["png", "sheet", "mp4", "y4m", "digests"] {
      wrong.append((["--loop", "-o", "\(kind):\(folder.path("x"))"], "never ends"))
    }
    for (words, said) in wrong {
      let result = try CommandLineTool.run(["replay", recording] + words, expecting: 64)
      #expect(result.errors.contains(said), "\(words): \(result.errors)")
      #expect(result.text.isEmpty)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.retake"])
  }
}
