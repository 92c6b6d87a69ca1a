import CommandTestSupport
import Foundation
import Glibc
import RecordingStore
import TestSupport
import Testing

/// Several cameras in one recording, and flags that hold for all of them.
/// One after the other, since cameras in real time need the machine to be quick.
@Suite(.serialized, .long) struct SeveralCamerasTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  private func record(
    _ name: String, _ cameras: [String], _ options: [String] = [], expecting status: Int32 = 0
  ) throws -> ChildProcess {
    try CommandLineTool.run(
      ["record", "-o", folder.path(name), "--keep-free", "0"] + cameras.flatMap { ["--device", $0] } + options,
      expecting: status)
  }

  @Test func `three cameras with different rates lie on one time line`() throws {
    let camera = "simulated?size=64x48&alpha=0&backlog=1000"
    try CommandLineTool.run(
      ["record", "-o", folder.path("a.retake"), "--keep-free", "0", "--queue", "10000", "--duration", "2s"]
        + ["--device", camera, "--device", camera + "&fps=15&seed=2", "--device", camera + "&fps=25&drift=500&seed=3"])
    let recording = try Recording(path: folder.path("a.retake"))
    #expect(recording.streams.map(\.name) == ["color", "depth", "color-1", "depth-1", "color-2", "depth-2"])
    #expect(Set(recording.streams.map(\.device)) == ["simulated", "simulated#1", "simulated#2"])
    var starts: [Int64] = []
    for (stream, rate) in [30, 30, 15, 15, 25, 25].enumerated() {
      let rows = try recording.frameRows(stream: stream, from: 0, limit: 1000)
      // A frame on the end may lie a little before it, since times are estimates.
      #expect(rows.count > rate && rows.count <= 2 * rate + 1, "\(stream): \(rows.count)")
      let delays = rows.map { row in
        row.timestamps.arrival.nanoseconds - recording.identity.monotonicOrigin.nanoseconds
          - row.timestamps.presentation.nanoseconds
      }
      // When it was taken, on the host's clock: not after it came, nor long before, where nothing held it up.
      #expect((-2_000_000...200_000_000).contains(try #require(delays.min())), "\(stream): \(delays)")
      starts.append(try #require(rows.first).timestamps.presentation.nanoseconds)
    }
    // They were started one after the other, and at once.
    #expect(try #require(starts.max()) - #require(starts.min()) < 1_500_000_000)
    // One set for each frame of the first colour stream.
    #expect(try recording.frameSetCount() == recording.summary().streams[0].frameCount)
    try CommandLineTool.run(["verify", folder.path("a.retake")])
    try CommandLineTool.run(["replay", folder.path("a.retake"), "--output", "none"])
  }

  @Test func `a session of several cameras is split at one moment for all of them`() throws {
    let camera = "simulated?size=64x48&alpha=0&backlog=1000"
    let result = try CommandLineTool.run(
      [
        "record", "-o", folder.path("a.retake"), "--keep-free", "0", "--queue", "10000", "--split", "1s", "--duration",
        "2500ms", "--json",
      ]
        + ["--device", camera, "--device", camera + "&seed=2"])
    let parts = try #require(try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]])
    #expect(parts.count == 3)
    for part in parts {
      let streams = try #require(part["streams"] as? [[String: Any]])
      #expect(streams.map { $0["name"] as? String } == ["color", "depth", "color-1", "depth-1"])
      #expect(streams.allSatisfy { ($0["frames"] as? Int ?? 0) > 0 })
      try CommandLineTool.run(["verify", try #require(part["path"] as? String)])
    }
  }

  @Test func `with --on-mark every camera's frames near the mark are kept`() throws {
    let path = folder.path("a.retake")
    let recorder = try RecorderProcess(
      path,
      ["--device", "simulated?size=64x48&alpha=0&backlog=1000", "--on-mark", "--preroll", "1s", "--postroll", "500ms"])
    try recorder.wait(for: "the recording") { FileManager.default.fileExists(atPath: path) }
    usleep(500_000)
    try recorder.wait(for: "The word that a mark is set") {
      recorder.signal(SIGUSR1)
      usleep(100_000)
      return recorder.errors.contains("mark set")
    }
    try recorder.waitForFrames()
    recorder.signal(SIGINT)
    _ = try recorder.end()
    let streams = try Recording(path: path).summary().streams
    #expect(streams.map(\.description.name) == ["color", "depth", "alpha", "color-1", "depth-1"])
    #expect(streams.allSatisfy { $0.frameCount > 0 }, "\(streams.map(\.frameCount))")
  }

  @Test func `plain flags hold for every camera that says nothing else`() throws {
    try record(
      "a.retake", ["simulated?pace=fast&frames=3&seed=1", "simulated?pace=fast&frames=3&size=32x24&fps=15"],
      ["--size", "64x48", "--fps", "25", "--format", "YUYV", "--control", "depth=raw11"])
    let streams = try Recording(path: folder.path("a.retake")).streams
    #expect(streams.map(\.layout.width) == [64, 64, 64, 32, 32, 32])
    #expect(streams.map(\.rate.description) == ["25", "25", "25", "15", "15", "15"])
    #expect(streams.map(\.layout.format) == [.yuyv, .kinectRaw11, .grey8, .yuyv, .kinectRaw11, .grey8])
  }

  @Test func `a flag is for those cameras that take it`() throws {
    let camera = "simulated?pace=fast&frames=3"
    let mixed = try ChildProcess.run(
      Checkout.retake,
      ["record", "-o", folder.path("b.retake"), "--device", camera, "--device", "kinect:77", "--size", "64x48"])
    // There is no such Kinect, which is another matter.
    #expect(mixed.status != 0 && !mixed.errors.contains("no option"), "\(mixed.errors)")
    let alone = try record("b.retake", ["kinect:77"], ["--size", "64x48"], expecting: 64)
    #expect(alone.errors.contains("no option 'size'"), "\(alone.errors)")
  }

  @Test func `flags that a camera does not know, or that are none, are said before anything is recorded`() throws {
    let camera = "simulated?pace=fast&frames=3"
    for (options, word) in [
      (["--control", "exposure=3"], "no option 'exposure'"), (["--control", "exposure"], "NAME=VALUE"),
      (["--control", "size=3x3"], "--size 3x3"), (["--control", "seed=1", "--control", "seed=2"], "'seed' twice"),
      (["--control", "seed=1&fps=3"], "seed=1&fps=3"), (["--fps", "x"], "fps=x"), (["--format", "MJPG"], "MJPG"),
    ] {
      let result = try record("b.retake", [camera], options, expecting: 64)
      #expect(result.errors.contains(word), "\(result.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("b.retake")))
  }

  @Test func `what is named twice, or has no common time line, is said before anything is recorded`() throws {
    let set = folder.path("set")
    try FileManager.default.createDirectory(atPath: set, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: set)
    let twice = try record("b.retake", ["tum:\(set)", "tum:\(folder.path("link"))"], expecting: 64)
    #expect(twice.errors.contains("is given twice"), "\(twice.errors)")
    for pair in [["v4l2:77", "v4l2:/dev/video77"], ["v4l2:video77", "v4l2:77?fps=30"], ["kinect", "kinect:0"]] {
      let result = try record("b.retake", pair, expecting: 64)
      #expect(result.errors.contains("\(pair[1].prefix { $0 != "?" }) is given twice"), "\(result.errors)")
    }
    let mixed = try record("b.retake", ["simulated", "simulated?pace=fast"], expecting: 64)
    #expect(mixed.errors.contains("no common time line"), "\(mixed.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("b.retake")))
  }
}
