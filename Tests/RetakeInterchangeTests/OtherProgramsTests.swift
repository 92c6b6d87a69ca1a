import CommandTestSupport
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
    let path = "\(Checkout.root)/Tests/RetakeInterchangeTests/\(script)"
    let result = try ChildProcess.run(Checkout.python, [path] + arguments)
    try #require(result.status == 0, "\(result.errors)")
    return try CommandLineTool.jsonLines(result.text)
  }

  private func values<Value: Equatable>(_ key: String, _ lines: [[String: Any]], _ stream: String) -> [Value] {
    lines.filter { ($0["stream"] ?? $0["kind"]) as? String == stream }.compactMap { $0[key] as? Value }
  }

  /// Pixels of the recording as `lines` has them, and times.
  private func expectFrames(_ lines: [[String: Any]], time: String, as expectedTime: String) throws {
    let found = try ForeignFiles.read(recording)
    for stream in ["color", "depth"] {
      let hashes: [String] = values("sha256", lines, stream)
      #expect(!hashes.isEmpty && values("sha256", found, stream) == hashes, "\(stream)")
      let times: [Int] = values(expectedTime, lines, stream)
      #expect(times.count == hashes.count && values(time, found, stream) == times, "\(stream)")
    }
  }

  @Test(arguments: ["db3", "bag"])
  func `a recording of RealSense's SDK has its pixels, times, depth unit, lenses and place`(ending: String) throws {
    let source = folder.path("a." + ending)
    let lines = try python("realsense_sdk.py", source)
    try ForeignFiles.importFile(source, to: recording)
    try expectFrames(lines, time: "tick", as: "tick")
    let frameCount = try Recording(path: recording).summary().streams.map(\.frameCount)
    #expect(frameCount == [5, 5])
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

  @Test func `a picture without the camera's time in RealSense's metadata has none, and the others keep theirs`()
    throws
  {
    let source = folder.path("a.db3")
    let lines = try python("realsense_sdk.py", source)
    let script = """
      import sqlite3, sys, zstandard
      database = sqlite3.connect(sys.argv[1])
      def of(camera):
          tables = "messages JOIN topics ON topics.id = topic_id"
          query = f"SELECT messages.id, data FROM {tables} WHERE name LIKE ? ORDER BY messages.id"
          return list(database.execute(query, (f"%{camera}_0/image/metadata",)))
      rows = [row for row, _ in of("Depth")]
      with database:
          # As version 2.58 does.
          for row, data in of("Color"):
              packed = zstandard.ZstdCompressor().compress(data)
              database.execute("UPDATE messages SET data = ? WHERE id = ?", (packed, row))
          database.execute("DELETE FROM messages WHERE id = ?", (rows[1],))
          for row, text in zip(rows[2:], ["timestamp=99999999999999999999.0", "x" * 100_000 + ";timestamp=1.0"]):
              data = bytes([0, 1, 0, 0]) + len(text + " ").to_bytes(4, "little") + text.encode() + bytes(1)
              database.execute("UPDATE messages SET data = ? WHERE id = ?", (data, row))
      """
    let changed = try ChildProcess.run(Checkout.python, ["-c", script, source])
    try #require(changed.status == 0, "\(changed.errors)")
    try ForeignFiles.importFile(source, to: recording)
    let found = try ForeignFiles.read(recording)
    for stream in ["color", "depth"] {
      let hashes: [String] = values("sha256", lines, stream)
      #expect(values("sha256", found, stream) == hashes && hashes.count == 5, "\(stream)")
    }
    let (color, depth): ([Int], [Int]) = (values("tick", found, "color"), values("tick", found, "depth"))
    #expect(color == [1_000_000_000, 1_033_300_000, 1_066_600_000, 1_099_900_000, 1_133_200_000])
    #expect(depth == [1_000_000_000, 1_133_200_000])
  }

  // MARK: Open3D

  @Test(arguments: [
    ("recorder", ["--fps", "20", "--scale", "1mm"]), ("pictures", ["--fps", "20", "--scale", "1mm"]),
    ("tum", ["--scale", "1000"]),
  ])
  func `pictures of Open3D come in with equal pixels and times, and Open3D reads them back from exports`(
    layout: String, options: [String]
  ) throws {
    let source = folder.path("set")
    let lines = try python("open3d_files.py", "write", source, layout)
    let messages = try ForeignFiles.importFile(source, to: recording, options).errors
    #expect(!messages.contains("left out"), "\(messages)")
    try expectFrames(lines, time: "presentation", as: "nanoseconds")
    let lenses = try Recording(path: recording).streams.compactMap { $0.settings["intrinsics"] }
    let lens = "fx=60.5 fy=61.25 cx=25.25 cy=18.75"
    #expect(lenses == (layout == "recorder" ? [lens, lens] : []))
    for (kind, scale) in [("png", ""), ("tum", "1000")] {
      let pictures = folder.path("out-" + kind)
      try CommandLineTool.run(
        ["export", kind, recording, "-o", pictures] + (scale.isEmpty ? [] : ["--scale", scale]))
      let read = try python("open3d_files.py", "read", pictures)
      // JPEG is exported decoded, or as it is.
      for stream in layout == "recorder" ? ["depth"] : ["color", "depth"] {
        let hashes: [String] = values("sha256", lines, stream)
        #expect(values("sha256", read, stream) == hashes && hashes.count == 5, "\(kind) \(stream)")
      }
    }
    guard layout == "tum" else { return }
    // The benchmark's unit, which Open3D assumes.
    try CommandLineTool.run(["export", "tum", recording, "-o", folder.path("benchmark")])
    let read = try python("open3d_files.py", "meters", folder.path("benchmark"))
    for stream in ["color", "depth"] {
      let hashes: [String] = values("sha256", lines, stream)
      #expect(values("sha256", read, stream) == hashes, "\(stream)")
    }
  }

  @Test func `frames that Open3D saves of a RealSense recording bring their lens, unit and rate`() throws {
    let (bag, frames) = (folder.path("a.bag"), folder.path("frames"))
    _ = try python("realsense_sdk.py", bag)
    let lines = try python("open3d_files.py", "save", bag, frames)
    let messages = try ForeignFiles.importFile(frames, to: recording).errors
    #expect(!messages.contains("left out"), "\(messages)")
    try expectFrames(lines, time: "presentation", as: "nanoseconds")
    let streams = try Recording(path: recording).streams
    #expect(streams.map(\.rate.description) == ["30", "30"])
    #expect(streams.allSatisfy { $0.settings["intrinsics"] == "fx=90.25 fy=91.25 cx=47.75 cy=32.5" })
    #expect(streams[1].settings[StreamDescription.depthUnit] == "100")
    // The user's word counts for more.
    let given = folder.path("given.retake")
    try ForeignFiles.importFile(frames, to: given, ["--fps", "15", "--scale", "1mm"])
    let other = try Recording(path: given).streams
    #expect(other.map(\.rate.description) == ["15", "15"] && other[1].layout.format == .depthMillimeters16)
  }

  @Test func `a lens in Open3D's JSON is for pictures of its size`() throws {
    let (source, lens) = (folder.path("set"), folder.path("lens.json"))
    _ = try python("open3d_files.py", "write", source, "pictures")
    _ = try python("open3d_files.py", "lens", lens)
    let options = ["--fps", "20", "--scale", "1mm"]
    // Depth of this folder is smaller.
    let refused = try ForeignFiles.importFile(
      source, to: recording, options + ["--intrinsics", lens], expecting: 64)
    #expect(refused.errors.contains("lens of pictures of 51x37, but these are 41x29"), "\(refused.errors)")
    try ForeignFiles.importFile(source, to: recording, options + ["--calibration", lens])
    let lenses = try Recording(path: recording).streams.map { $0.settings["intrinsics"] }
    #expect(lenses == ["fx=60.5 fy=61.25 cx=25.25 cy=18.75", nil])
    let text = try String(contentsOfFile: lens, encoding: .utf8)
    for (old, new, words) in [
      ("60.5", "-60.5", "fx = -60.5"), ("25.25", "1e9", "cx = 1000000000.0"), ("1.0 ],", "2.0 ],", "2.0 in row 3"),
      (": 51", ": 52", "52x37, but these are 51x37"),
    ] {
      let bad = text.replacing(old, with: new)
      try #require(bad != text)
      try Data(bad.utf8).write(to: URL(fileURLWithPath: lens))
      let result = try CommandLineTool.run(["calibrate", recording, "--calibration", lens, "--force"], expecting: 64)
      #expect(result.errors.contains(words) && result.errors.contains("hint: "), "\(result.errors)")
    }
  }

  // MARK: Rerun

  @Test(arguments: [("ros2", "DepthImage"), ("foxglove", "Image")])
  func `Rerun reads an exported MCAP with its pixels, lenses and place`(profile: String, depthKind: String) throws {
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/calibrated_mcap.py"
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
