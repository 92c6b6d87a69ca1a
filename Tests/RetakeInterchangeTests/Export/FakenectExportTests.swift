import CommandTestSupport
import Foundation
import FrameModel
import RecordingStore
import TestSupport
import Testing

/// What `retake export fakenect` writes, libfreenect's fakenect replays byte for byte.
@Suite(.long) struct FakenectExportTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Replays a session through fakenect and records that.
  private func recordSession(_ session: String, _ name: String) throws -> String {
    let path = folder.path(name)
    try CommandLineTool.run(
      ["record", "--device", "kinect:0", "-o", path, "--keep-free", "0"],
      environment: ["LD_LIBRARY_PATH": FakenectSession.libraryFolder, "FAKENECT_PATH": session])
    return path
  }

  @Test func `a simulated Kinect's frames come back from fakenect`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "depth=raw11&frames=20")
    let session = folder.path("session")
    let result = try CommandLineTool.run(["export", "fakenect", source, "-o", session, "--json"])
    let facts = try CommandLineTool.json(result.text)
    #expect(facts["frames"] as? [String: Int] == ["color": 20, "depth": 20])
    #expect(facts["left_out_streams"] as? [String] == ["alpha", "faces"])
    let back = try recordSession(session, "b.retake")
    for stream in ["color", "depth"] {
      let frames = try RecordedFrames.bytes(of: stream, in: source)
      #expect(frames.count == 20)
      #expect(areSame(frames, try RecordedFrames.bytes(of: stream, in: back)), "\(stream)")
    }
  }

  @Test func `a Kinect's session comes back with its ticks and its motion`() throws {
    let original = folder.path("original")
    try FakenectSession.write(to: original, frames: 12)
    let first = try recordSession(original, "a.retake")
    let session = folder.path("session")
    try CommandLineTool.run(["export", "fakenect", first, "-o", session, "--quiet"])
    let second = try recordSession(session, "b.retake")
    let recordings = try [Recording(path: first), Recording(path: second)]
    #expect(recordings[0].streams.map(\.name) == ["color", "depth", "motion"])
    for (index, stream) in recordings[0].streams.enumerated() {
      let frames = try RecordedFrames.bytes(of: stream.name, in: first)
      #expect(frames.count == (stream.kind == .motion ? 4 : 12))
      #expect(areSame(frames, try RecordedFrames.bytes(of: stream.name, in: second)), "\(stream.name)")
      let ticks = try recordings.map { recording in
        try recording.frameRows(stream: index, from: 0, limit: 100).map(\.timestamps.deviceTick)
      }
      #expect(ticks[0] == ticks[1])
    }
  }

  @Test(arguments: ["frames=1", "frames=1&depth=raw11&size=320x240"])
  func `what fakenect cannot replay is refused in one sentence`(options: String) throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", options)
    let session = folder.path("session")
    let result = try CommandLineTool.run(["export", "fakenect", source, "-o", session], expecting: 1)
    #expect(result.errors.contains("fakenect takes"))
    #expect(result.errors.contains("hint: ") && result.errors.contains("simulated?depth=raw11"))
    #expect(!FileManager.default.fileExists(atPath: session))
  }

  @Test func `a unit is for data sets alone`() throws {
    let result = try CommandLineTool.run(
      ["export", "fakenect", "x.retake", "-o", folder.path("x"), "--scale", "1000"], expecting: 64)
    #expect(result.errors.contains("--scale is for tum"))
  }
}
