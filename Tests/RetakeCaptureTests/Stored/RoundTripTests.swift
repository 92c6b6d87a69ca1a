import CaptureDevices
import CommandTestSupport
import Foundation
import FrameModel
import Support
import Synchronization
import TestSupport
import Testing

/// Collects what a camera delivers.
private final class Collector: CaptureSink {
  let frames = Mutex<[CapturedFrame]>([])
  let ended = DispatchSemaphore(value: 0)
  func deliver(_ frame: CapturedFrame) { frames.withLock { $0.append(frame) } }
  func report(_ loss: CaptureLoss) {}
  func finished(_ error: RetakeError?) { ended.signal() }

  static func collect(_ specification: String) throws -> (streams: [StreamDescription], frames: [CapturedFrame]) {
    let camera = try DeviceCatalog.open(specification)
    let collector = Collector()
    try camera.start(delivering: collector)
    collector.ended.wait()
    camera.stop()
    return (camera.streams, collector.frames.withLock { $0 })
  }
}

/// What the camera gave, PyPI's mcap reads back, byte for byte.
@Suite(.long) struct RoundTripTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func readWithPython(_ recording: String) throws -> [[String: Any]] {
    let script = Checkout.root + "/Tests/RetakeCaptureTests/read_with_mcap.py"
    let result = try ChildProcess.run(Checkout.python, [script, recording])
    #expect(result.status == 0, "\(result.errors)")
    return try CommandLineTool.jsonLines(result.text)
  }

  /// SHA-256 by Python too, of a file with all frames one after the other.
  private func digests(_ frames: [[UInt8]]) throws -> [String] {
    let path = folder.path("frames.bin")
    try Data(frames.flatMap { $0 }).write(to: URL(fileURLWithPath: path))
    let lengths = frames.map { "\($0.count)" }.joined(separator: ",")
    let program = """
      import hashlib, sys
      data = open(sys.argv[1], 'rb').read()
      at = 0
      for n in map(int, sys.argv[2].split(',')):
          print(hashlib.sha256(data[at:at + n]).hexdigest())
          at += n
      """
    let result = try ChildProcess.run(Checkout.python, ["-c", program, path, lengths])
    #expect(result.status == 0, "\(result.errors)")
    return result.text.split(separator: "\n").map(String.init)
  }

  @Test func `the Python package's page works as it stands, tables and results of a sweep too`() throws {
    let recording = try CommandLineTool.recordSimulated(folder, "page.retake", "frames=6&size=64x48")
    try CommandLineTool.run(["mark", recording, "--at", "0.1s", "--label", "here"])
    let script = Checkout.root + "/Tools/python/check_readme.py"
    let result = try ChildProcess.run(Checkout.python, [script, recording, folder.path("page")])
    #expect(result.status == 0, "\(result.errors) \(result.text)")
    for title in ["# Recordings in Python", "NPZ"] { #expect(result.text.contains("ran: \(title)"), "\(result.text)") }
    let results = folder.path("sweep.sqlite")
    try CommandLineTool.run([
      "sweep", recording, "--list", "matte.blur=1,3", "--scores", "area", "-o", results, "--quiet",
    ])
    let program = """
      import sys; sys.path.insert(0, sys.argv[1]); import retake
      recording = retake.Recording(sys.argv[2])
      assert len(retake.faces_table(recording)) == 6 and len(retake.sets_table(recording)) == 6
      assert list(retake.marks_table(recording).label) == ["here"]
      assert len(retake.frames_table(recording, "depth")) == 6
      table = retake.sweep_table(sys.argv[3])
      assert list(table["matte.blur"]) == [1, 3] and table["area"].notna().all(), table
      try: retake.sweep_table(sys.argv[2] + "/index.sqlite")
      except retake.RecordingError as error: assert "not a sweep's results" in str(error)
      else: raise AssertionError
      """
    let read = try ChildProcess.run(
      Checkout.python, ["-c", program, Checkout.root + "/Tools/python", recording, results])
    #expect(read.status == 0, "\(read.errors)")
  }

  @Test(arguments: [
    "size=320x240&frames=12", "size=161x97&frames=7&format=YUYV&depth=raw11",
    "size=161x97&frames=7&format=NV12&depth=disparity", "size=63x41&frames=7&format=GREY&depth-size=31x20",
    "size=160x120&frames=7&format=GRBG8&depth-fps=10", "size=96x64&frames=60&damage=0.2&duplicate=0.2&drop=0.2",
  ])
  func `a simulated camera's frames come back`(options: String) throws {
    let specification = "simulated?pace=fast&\(options)"
    let recording = folder.path("a.retake")
    let lost = options.contains("drop")
    try CommandLineTool.run(
      ["record", "--device", specification, "-o", recording, "--keep-free", "0"], expecting: lost ? 3 : 0)
    let given = try Collector.collect(specification)
    let read = try readWithPython(recording)
    try #require(read.count == given.frames.count)
    for (index, stream) in given.streams.enumerated() {
      let frames = given.frames.filter { $0.streamIndex == index }
      let lines = read.filter { $0["stream"] as? String == stream.name }
      try #require(frames.count == lines.count)
      let expected = try digests(frames.map { Array($0.buffer.copiedBytes.prefix($0.byteCount)) })
      #expect(lines.map { $0["sha256"] as? String } == expected)
      #expect(lines.map { $0["number"] as? Int } == Array(frames.indices))
      #expect(lines.map { $0["tick"] as? Int } == frames.map { $0.deviceTick.map { Int($0) } })
      #expect(lines.allSatisfy { $0["format"] as? String == stream.layout.format.rawValue })
    }
  }

  @Test func `a fakenect session comes back whole, ticks that wrap included, and replays`() throws {
    let session = folder.path("session")
    let count = 40
    try FakenectSession.write(to: session, frames: count)
    let recording = folder.path("kinect.retake")
    try CommandLineTool.run(
      ["record", "--device", "kinect:0", "-o", recording, "--keep-free", "0"],
      environment: [
        "LD_LIBRARY_PATH": FakenectSession.libraryFolder, "FAKENECT_PATH": session,
      ])
    let read = try readWithPython(recording)
    let color = read.filter { $0["stream"] as? String == "color" }
    let depth = read.filter { $0["stream"] as? String == "depth" }
    #expect(color.map { $0["sha256"] as? String } == (try digests((0..<count).map(FakenectSession.colorBytes))))
    #expect(depth.map { $0["sha256"] as? String } == (try digests((0..<count).map(FakenectSession.depthBytes))))
    #expect(color.map { $0["tick"] as? Int } == (0..<count).map { Int(FakenectSession.colorTick($0, of: count)) })
    #expect(depth.map { $0["tick"] as? Int } == (0..<count).map { Int(FakenectSession.depthTick($0, of: count)) })
    // Unwrapped: times grow by about a frame period, over the wrap too. (The offset between the clocks is still being
    // learnt, so not exactly.)
    let times = color.compactMap { $0["presentation"] as? Int }
    for (a, b) in zip(times, times.dropFirst()) { #expect((1...1_000_000_000).contains(b - a)) }
    #expect(abs(times[count - 1] - times[0] - (count - 1) * 33_333_333) < 500_000_000)

    let info = try CommandLineTool.json(CommandLineTool.run(["info", recording, "--json"]).text)
    #expect(info["frame_sets"] as? Int == count)
    let digestsPath = folder.path("kinect.jsonl")
    try CommandLineTool.run(["replay", recording, "--output", "digests:\(digestsPath)", "--set", "mask.start=2"])
    let lines = try CommandLineTool.jsonLines(String(contentsOfFile: digestsPath, encoding: .utf8))
    #expect(lines.count == count + 2)
  }

  @Test func `a TUM data set is recorded and replays to a composite`() throws {
    let dataSet: String
    if Checkout.hasFixture("tum-walking") {
      dataSet = Checkout.fixture("tum-walking")
    } else {
      // A clone has no fixtures: the same layout, made from the simulated camera.
      dataSet = folder.path("tum")
      let source = try CommandLineTool.recordSimulated(folder, "source.retake", "frames=1&size=64x48")
      for (name, tap) in [("rgb", "original"), ("depth", "depth")] {
        try FileManager.default.createDirectory(atPath: "\(dataSet)/\(name)", withIntermediateDirectories: true)
        try CommandLineTool.run(["replay", source, "--tap", tap, "--output", "png:\(folder.path(name))"])
        try FileManager.default.moveItem(
          atPath: folder.path(name) + "/000000.png", toPath: "\(dataSet)/\(name)/1.000000.png")
      }
    }
    let recording = folder.path("tum.retake")
    try CommandLineTool.run(["record", "--device", "tum:\(dataSet)", "-o", recording, "--keep-free", "0"])
    #expect(try readWithPython(recording).count >= 2)
    let pictures = folder.path("composites")
    try CommandLineTool.run(["replay", recording, "--set", "mask.start=1.5", "--output", "png:\(pictures)"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: pictures) == ["000000.png"])
  }
}
