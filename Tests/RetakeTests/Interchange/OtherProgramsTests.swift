import Foundation
import FrameModel
import Kernels
import RecordingStore
import TestSupport
import Testing

/// What other vendors' own programs write, and read of what Retake exports. The guide OtherPrograms.md has the table.
@Suite(.long) struct OtherProgramsTests {
  private let folder: TemporaryFolder
  private var recording: String { folder.path("a.retake") }
  init() throws { folder = try TemporaryFolder() }

  private func python(_ script: String, _ arguments: String...) throws -> [[String: Any]] {
    let path = "\(Checkout.root)/Tests/RetakeTests/\(script)"
    let result = try ChildProcess.run(Checkout.python, [path] + arguments)
    try #require(result.status == 0, "\(result.errors)")
    return try CommandLineTool.jsonLines(result.text)
  }

  @Test func `a recording of RealSense's SDK has its pixels, depth unit, lenses and place`() throws {
    let lines = try python("realsense_sdk.py", folder.path("a.db3"))
    try ForeignFiles.importFile(folder.path("a.db3"), to: recording)
    let found = try ForeignFiles.read(recording)
    for kind in ["depth", "color"] {
      func hashes(_ lines: [[String: Any]]) -> [String] {
        lines.filter { $0["kind"] as? String == kind }.compactMap { $0["sha256"] as? String }
      }
      #expect(hashes(found) == hashes(lines) && hashes(found).count == 5, "\(kind)")
    }
    let streams = try Recording(path: recording).streams
    try #require(streams.map(\.kind) == [.color, .depth])
    #expect(streams[1].settings[StreamDescription.depthUnit] == "100")
    let color = try #require(try CameraIntrinsics(streams[0]))
    let depth = try #require(try CameraIntrinsics(streams[1]))
    #expect([depth[.fx], depth[.fy], depth[.cx], depth[.cy]] == [60.5, 61.5, 31.75, 24.5])
    // A point of depth lies in colour where the SDK projects it.
    let place = try #require(try CameraExtrinsics(streams[1]))
    let millimeters = 2000.0
    let point = [
      (20 - depth[.cx]) / depth[.fx] * millimeters, (30 - depth[.cy]) / depth[.fy] * millimeters, millimeters,
    ]
    let (r, t) = (place.rotation, place.translationMillimeters)
    let moved = (0..<3).map { row in
      r[3 * row] * point[0] + r[3 * row + 1] * point[1] + r[3 * row + 2] * point[2] + t[row]
    }
    let pixel = [moved[0] / moved[2] * color[.fx] + color[.cx], moved[1] / moved[2] * color[.fy] + color[.cy]]
    let expected = try #require(lines.last?["pixel"] as? [Double])
    #expect(zip(pixel, expected).allSatisfy { abs($0 - $1) < 0.001 }, "\(pixel) \(expected)")
  }

  @Test(arguments: [("ros2", "DepthImage"), ("foxglove", "Image")])
  func `Rerun reads an exported MCAP with its pixels, lenses and place`(profile: String, depthKind: String) throws {
    let script = Checkout.root + "/Tests/RetakeTests/calibrated_mcap.py"
    let made = try ChildProcess.run(Checkout.python, [script, "write", folder.path("bag.mcap")])
    try #require(made.status == 0, "\(made.errors)")
    try ForeignFiles.importFile(folder.path("bag.mcap"), to: recording)
    let path = folder.path("out.mcap")
    try CommandLineTool.run(["export", "mcap", recording, "-o", path, "--profile", profile])
    let lines = try python("read_with_rerun.py", path)
    let found = try ForeignFiles.read(recording)
    // Types 6 and 8 are samples of 8 and 16 bits without sign.
    for (stream, kind, type) in [("color", "Image", 6), ("depth", depthKind, 8)] {
      let hashes = found.filter { $0["kind"] as? String == stream }.compactMap { $0["sha256"] as? String }
      let pictures = lines.filter {
        ($0["topic"] as? String ?? "").hasPrefix("/\(stream)/image") && $0["kind"] as? String == kind
      }
      #expect(pictures.compactMap { $0["type"] as? Int } == [type], "\(stream)")
      #expect(pictures.flatMap { $0["hashes"] as? [String] ?? [] } == hashes && hashes.count == 3, "\(stream)")
    }
    let lenses = lines.filter { $0["kind"] as? String == "Pinhole" }.compactMap { $0["numbers"] as? [Double] }
    for (lens, expected) in zip(lenses, [[300, 301, 158.5, 121.2, 320, 240], [140, 141, 79.2, 60.3, 160, 120]]) {
      #expect(zip(lens, expected).allSatisfy { abs($0 - $1) < 1e-4 }, "\(lens)")
    }
    #expect(lenses.count == 2)
    let places = lines.filter { $0["kind"] as? String == "Transform3D" }.compactMap { $0["numbers"] as? [Double] }
    #expect(places.count == 1 && zip(places[0], [0.025, -0.004, 0.006]).allSatisfy { abs($0 - $1) < 1e-6 })
  }
}
