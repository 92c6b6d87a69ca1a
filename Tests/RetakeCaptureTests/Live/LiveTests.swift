import CommandTestSupport
import Foundation
import Glibc
import Media
import TestSupport
import Testing

/// `retake live` on the simulated camera. One after the other, since cameras in real time need the machine to be quick.
@Suite(.serialized, .long) struct LiveTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func live(_ camera: String, _ arguments: [String], expecting status: Int32 = 0) throws -> ChildProcess {
    try CommandLineTool.run(["live", "--device", "simulated?\(camera)"] + arguments, expecting: status)
  }

  private func frames(_ path: String) throws -> [[String: Any]] {
    try CommandLineTool.jsonLines(String(contentsOfFile: path, encoding: .utf8)).filter { $0["frame"] != nil }
  }

  @Test(arguments: [
    ("frames=40&size=160x120&depth-size=80x60&face-lost=5-9", [String]()),
    ("frames=40&size=160x120&depth-fps=15", ["--set", "depth.rate=1/3"]),
    ("frames=40&size=160x120&depth-fps=10&drop=0.1&late=0.1&duplicate=0.05&damage=0.05&seed=3", []),
    ("frames=20&size=101x57&format=YUYV&depth=raw11&depth-size=50x28", ["--set", "depth.look-ahead=2"]),
    ("frames=20&size=160x120", ["--preset", "avcam-filter"]),
  ])
  func `what is shown live is what a replay of its recording shows, frame by frame and stage by stage`(
    camera: String, arguments: [String]
  ) throws {
    let (recording, shown, replayed) = (folder.path("a.retake"), folder.path("live"), folder.path("replay"))
    let losesFrames = camera.contains("drop=")
    _ = try live(
      "pace=fast&\(camera)", ["--record", recording, "--output", "digests:\(shown)"] + arguments,
      expecting: losesFrames ? 3 : 0)
    try CommandLineTool.run(["replay", recording, "--output", "digests:\(replayed)"] + arguments)
    let (a, b) = (try frames(shown), try frames(replayed))
    #expect(a.count == b.count)
    #expect(a.count > 10)
    for (x, y) in zip(a, b) { #expect(x as NSDictionary == y as NSDictionary) }
    try CommandLineTool.run(["verify", recording])
  }

  @Test func `it counts what it shows, tells latency, and ends with the camera`() throws {
    let result = try CommandLineTool.json(
      live("frames=30&size=64x48&alpha=0", ["--output", "none", "--json", "--quiet", "--timeout", "60s"]).text)
    let sets = try #require(result["frame_sets"] as? Int)
    let shown = try #require(result["shown"] as? Int)
    #expect(sets <= 30 && shown > 0)
    let skipped = try #require(result["skipped"] as? Int)
    #expect(shown + skipped + (try #require(result["left_out"] as? Int)) == sets)
    #expect(try #require(result["latency_median_ms"] as? Double) > 0)
    let streams = try #require(result["streams"] as? [[String: Any]])
    #expect(streams.map { $0["name"] as? String } == ["color", "depth"])
    for stream in streams {
      #expect(try #require(stream["frames"] as? Int) + (try #require(stream["lost"] as? Int)) == 30)
    }
  }

  @Test func `video goes to a pipe, and to a file in time with what was filmed`() throws {
    let piped = try live("pace=fast&frames=5&size=64x48", ["--output", "y4m:-", "--quiet"])
    let header = Data("YUV4MPEG2 W64 H48 F30:1 Ip A1:1 C444\n".utf8)
    #expect(piped.output.starts(with: header))
    #expect(piped.output.count == header.count + 5 * (6 + 64 * 48 * 3))
    // Every second frame is left out, and the file is in time all the same.
    let path = folder.path("a.mp4")
    let thinned = try live(
      "pace=fast&frames=30&size=64x48&fps=30", ["--max-fps", "15", "--output", "mp4:\(path)", "--output", "none"])
    #expect(thinned.errors.contains("15 beyond --max-fps"), "\(thinned.errors)")
    let probe = try ChildProcess.run(
      "/usr/bin/ffprobe",
      ["-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames,r_frame_rate", "-of", "csv=p=0", path])
    #expect(probe.text.trimmingCharacters(in: .whitespacesAndNewlines) == "15/1,15")
  }

  @Test func `an output that is slow holds up no camera: the newest frames win and the others are counted`() throws {
    // Nobody reads the pipe for more than a second of recording.
    let record = folder.path("a.retake")
    let result = try ChildProcess.run(
      "/bin/bash",
      [
        "-o", "pipefail", "-c",
        "\"$0\" live --device 'simulated?frames=60&size=320x240&alpha=0' --record \"$1\" --output y4m:- "
          + "| (for i in {1..1200}; do [ -e \"$1/index.sqlite\" ] && break; sleep 0.05; done; sleep 1.5; cat) | wc -c",
        Checkout.retake, record,
      ])
    #expect(result.status == 0 || result.status == 3, "\(result.errors)")
    let words = try #require(result.errors.split(separator: "\n").first { $0.contains("left out") })
    #expect(!words.contains("; 0 left out"), "\(words)")
    let info = try CommandLineTool.json(CommandLineTool.run(["info", record, "--json"]).text)
    let stream = try #require((info["streams"] as? [[String: Any]])?.first)
    // The recorder saw what the camera delivered, however slow the picture was.
    #expect(try #require(stream["frames"] as? Int) > 40)
  }

  @Test func `a viewer that is closed ends the show, which is no failure`() throws {
    let result = try ChildProcess.run(
      "/bin/bash",
      [
        "-c",
        "\"$0\" live --device 'simulated?size=64x48&alpha=0' --duration 60s | head -c 100000 > /dev/null; "
          + "exit ${PIPESTATUS[0]}", Checkout.retake,
      ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(!result.errors.contains("error:") && result.errors.contains("shown in"), "\(result.errors)")
  }

  @Test func `a camera that goes away is named, and shown again when it is back`() throws {
    let result = try live(
      "unplug=10:15&frames=50&size=64x48&alpha=0", ["--output", "none", "--json"])
    #expect(result.errors.contains("was lost: "), "\(result.errors)")
    #expect(result.errors.contains("The show continues without this device"), "\(result.errors)")
    #expect(result.errors.contains("back"), "\(result.errors)")
    let shown = try #require(CommandLineTool.json(result.text)["shown"] as? Int)
    #expect(shown > 10)
  }

  @Test func `a signal ends it cleanly, with the recording whole`() throws {
    let record = folder.path("a.retake")
    let result = try CommandLineTool.run(
      ["live", "--device", "simulated?size=64x48&alpha=0&backlog=1000", "--record", record, "--output", "none"],
      whileRunning: { process in
        for _ in 0..<600 where !FileManager.default.fileExists(atPath: record + "/index.sqlite") { usleep(50_000) }
        usleep(1_000_000)
        kill(process, SIGINT)
      })
    #expect(result.errors.contains("frames shown"))
    try CommandLineTool.run(["verify", record])
  }

  @Test func `a duration ends it, of a camera without a clock by its own time, shown and recorded alike`() throws {
    let (record, shown, replayed) = (folder.path("a.retake"), folder.path("live"), folder.path("replay"))
    let result = try CommandLineTool.json(
      live(
        "pace=fast&size=32x24",
        ["--record", record, "--output", "digests:\(shown)", "--duration", "1s", "--json", "--quiet"]
      ).text)
    #expect(result["shown"] as? Int == 30)
    #expect(result["frame_sets"] as? Int == 30)
    try CommandLineTool.run(["replay", record, "--output", "digests:\(replayed)"])
    let (a, b) = (try frames(shown), try frames(replayed))
    #expect(a.count == 30 && b.count == 30)
    for (x, y) in zip(a, b) { #expect(x as NSDictionary == y as NSDictionary) }
  }

  @Test func `an output that nobody reads keeps neither the duration nor the recording from their end`() throws {
    let (record, pipe) = (folder.path("a.retake"), folder.path("pipe"))
    try #require(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(reader >= 0)
    defer { close(reader) }
    let result = try live(
      "size=320x240&alpha=0", ["--record", record, "--output", "y4m:\(pipe)", "--duration", "2s", "--json"],
      expecting: 1)
    #expect(result.errors.contains("No program is reading from \(pipe)."), "\(result.errors)")
    let counts = try CommandLineTool.json(result.text)
    let accounted = try ["shown", "skipped", "failed", "left_out", "thinned"].map { try #require(counts[$0] as? Int) }
    #expect(accounted.reduce(0, +) == counts["frame_sets"] as? Int, "\(counts)")
    try CommandLineTool.run(["verify", record])
    #expect(
      try !FileManager.default.contentsOfDirectory(atPath: record + "/chunks").contains { $0.hasSuffix(".partial") })
  }

  @Test func `a viewer that is closed ends neither the recording nor the other outputs`() throws {
    let (record, video) = (folder.path("a.retake"), folder.path("a.mp4"))
    let result = try ChildProcess.run(
      "/bin/bash",
      [
        "-o", "pipefail", "-c",
        "\"$0\" live --device 'simulated?pace=fast&frames=40&size=160x120' --record \"$1\" --output y4m:- "
          + "--output \"mp4:$2\" | head -c 1000 | wc -c",
        try Checkout.retake, record, video,
      ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("The program that reads the pictures has exited"), "\(result.errors)")
    #expect(result.errors.contains("wrote \(video)"), "\(result.errors)")
    let info = try CommandLineTool.json(CommandLineTool.run(["info", record, "--json"]).text)
    let streams = try #require(info["streams"] as? [[String: Any]])
    #expect(streams.prefix(2).map { $0["frames"] as? Int } == [40, 40])
    let probe = try ChildProcess.run(
      "/usr/bin/ffprobe",
      ["-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", video])
    #expect(probe.text.trimmingCharacters(in: .whitespacesAndNewlines) == "40")
  }

  @Test func `killed while it makes a video, it leaves nothing in the temporary folder`() throws {
    let (temporary, pipe) = (folder.path("tmp"), folder.path("pipe"))
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
    try #require(mkfifo(pipe, 0o600) == 0)
    // It waits for a reader of the last output, when the others are open.
    let digests = folder.path(".partial-digests")
    try CommandLineTool.run(
      [
        "live", "--device", "simulated?pace=fast&frames=3&size=32x24", "--output", "mp4:\(folder.path("a.mp4"))",
        "--output", "digests:\(folder.path("digests"))", "--output", "y4m:\(pipe)",
      ], expecting: -SIGKILL, environment: ["TMPDIR": temporary],
      whileRunning: { process in
        for _ in 0..<6000 where !FileManager.default.fileExists(atPath: digests) { usleep(10_000) }
        kill(process, SIGKILL)
      })
    #expect(FileManager.default.fileExists(atPath: digests))
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
  }

  @Test func `video on standard output is told where it was not asked for by name`() throws {
    let (camera, said) = ("pace=fast&frames=2&size=32x24", "writing Y4M to standard output")
    let result = try live(camera, [])
    #expect(result.errors.split(separator: "\n").filter { $0.hasPrefix(said) }.count == 1, "\(result.errors)")
    #expect(result.output.starts(with: Array("YUV4MPEG2".utf8)))
    for words in [["--output", "-"], ["--quiet"], ["--output", "none"]] {
      let errors = try live(camera, words).errors
      #expect(!errors.contains(said), "\(errors)")
    }
  }

  @Test func `mistakes are told before anything is made`() throws {
    let record = folder.path("a.retake")
    func expectError(_ arguments: [String], _ status: Int32, _ words: [String]) throws {
      let result = try CommandLineTool.run(["live"] + arguments, expecting: status)
      for word in words { #expect(result.errors.contains(word), "\(result.errors) lacks \(word)") }
      #expect(result.output.isEmpty)
    }
    let camera = ["--device", "simulated?pace=fast&frames=3&size=32x24"]
    try expectError([], 64, ["--device"])
    try expectError(["--device", "webcam"], 64, ["'webcam'", "simulated"])
    try expectError(camera + ["--output", "sheet:x.png"], 64, ["no contact sheet", "as in a.mp4"])
    try expectError(camera + ["--output", "v4l2:"], 64, ["has no file name"])
    try expectError(camera + ["--output", "v4l2:/dev/null"], 1, ["/dev/null is not a video device", "v4l2loopback"])
    try expectError(camera + ["--output", "v4l2:/dev/video99"], 1, ["/dev/video99"])
    try expectError(camera + ["--output", "y4m:-", "--json"], 64, ["standard output"])
    try expectError(camera + ["--max-fps", "0"], 64, ["--max-fps"])
    try expectError(camera + ["--duration", "0s"], 64, ["--duration"])
    try expectError(camera + ["--tap", "mate"], 64, ["'mate'"])
    try expectError(camera + ["--set", "matte.blur=99"], 64, ["64"])
    try expectError(camera + ["--background", folder.path("no.png"), "--output", "none"], 1, ["no.png"])
    try expectError(camera + ["--record", "/sys/a.retake", "--output", "none"], 1, ["/sys/a.retake"])
    try expectError(
      camera + ["--record", record, "--output", "mp4:/sys/x.mp4"], 1, ["/sys/x.mp4"])
    #expect(!FileManager.default.fileExists(atPath: record))
    try Data([1]).write(to: URL(fileURLWithPath: folder.path("file")))
    try expectError(camera + ["--record", folder.path, "--output", "none"], 1, ["hint: name another folder\n"])
  }
}
