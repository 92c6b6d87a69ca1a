import CommandTestSupport
import Foundation
import FrameModel
import Kernels
import RecordingStore
import TestSupport
import Testing

@Suite(.long) struct CalibrateCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The simulated camera's frames, with depth displaced.
  private func displaced(_ shift: DepthShift, _ options: String = "frames=24&size=320x240&alpha=0") throws -> String {
    let source = try Recording(path: CommandLineTool.recordSimulated(folder, "source.retake", options))
    let reader = try FrameReader(source)
    var pictures: [HandMadeRecording.Picture] = []
    for stream in source.streams.indices {
      for row in try source.frameRows(stream: stream, from: 0, limit: 100) {
        let frame = try reader.frame(row)
        var bytes = Array(frame.bytes)
        if source.streams[stream].kind == .depth {
          let plane = PixelPlane<UInt16>(width: frame.layout.width, height: frame.layout.height)
          plane.samples.update(
            from: frame.bytes.baseAddress!.assumingMemoryBound(to: UInt16.self), count: plane.count)
          shift.apply(to: plane, uncovered: 0)
          bytes = Array(plane.bytes)
        }
        pictures.append(.init(stream: stream, index: row.number, bytes: bytes))
      }
    }
    let path = folder.path("displaced.retake")
    try HandMadeRecording.make(path, streams: source.streams, pictures.sorted { $0.index < $1.index })
    return path
  }

  private func digests(_ path: String, _ arguments: [String] = []) throws -> [[String: Any]] {
    let text = try CommandLineTool.run(["replay", path, "--output", "digests:-"] + arguments).text
    return try CommandLineTool.jsonLines(text)
  }

  private func composites(_ lines: [[String: Any]]) -> [String] { lines.compactMap { $0["composite"] as? String } }

  @Test func `an offset is measured, warned of, stored, used by replays and removed`() throws {
    let path = try displaced(DepthShift(x: -3, y: 2))
    let warning = try CommandLineTool.run(["info", path]).text
    #expect(warning.contains("alignment: depth lies ") && warning.contains("'retake calibrate \(path)'"), "\(warning)")
    let info = try CommandLineTool.json(CommandLineTool.run(["info", path, "--json"]).text)
    #expect(info["uncorrected_alignment"] != nil && info["alignment"] == nil)

    let before = composites(try digests(path))
    let chunks = try Data(contentsOf: URL(fileURLWithPath: path + "/chunks/000000.mcap"))
    let dry = try CommandLineTool.json(CommandLineTool.run(["calibrate", path, "--dry-run", "--json"]).text)
    let (x, y) = (try #require(dry["shift_x"] as? Double), try #require(dry["shift_y"] as? Double))
    #expect(abs(x - 3) <= 0.5 && abs(y + 2) <= 0.5, "\(x), \(y)")
    #expect(dry["moved_x"] as? Int == 3 && dry["moved_y"] as? Int == -2)
    #expect(dry["is_stored"] as? Bool == false)
    #expect(try composites(digests(path)) == before)

    let advice = "not stored; the same by hand: --set depth.shift-x=3 --set depth.shift-y=-2\n"
    #expect(try CommandLineTool.run(["calibrate", path, "--dry-run"]).text.hasSuffix(advice))
    let stored = try CommandLineTool.run(["calibrate", path]).text
    #expect(stored.contains("px left of and ") && stored.contains("px below colour"), "\(stored)")
    #expect(stored.contains("stored: replays move depth 3 px right and 2 px up"))
    #expect(try CommandLineTool.run(["info", path]).text.contains("which replays correct"))
    #expect(try CommandLineTool.run(["verify", path]).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/chunks/000000.mcap")) == chunks)
    let lines = try digests(path)
    #expect(lines[0]["alignment"] as? String == "3 -2")
    #expect(composites(lines) != before)

    try CommandLineTool.run(["calibrate", path, "--remove"])
    #expect(try composites(digests(path)) == before)
    let byHand = ["--set", "depth.shift-x=3", "--set", "depth.shift-y=-2"]
    #expect(try composites(digests(path, byHand)) == composites(lines))
  }

  @Test func `a bundle of an aligned recording is reproduced`() throws {
    let path = try displaced(DepthShift(x: 2, y: 3))
    try CommandLineTool.run(["calibrate", path, "--quiet"])
    let bundle = folder.path("a.retake-bundle")
    try CommandLineTool.run(["bundle", path, "--from", "5", "--to", "12", "--output", bundle])
    try CommandLineTool.run(["reproduce", bundle])
  }

  @Test func `an aligned recording is not warned of`() throws {
    let path = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=24&size=320x240&alpha=0")
    #expect(try !CommandLineTool.run(["info", path]).text.contains("alignment"))
    let info = try CommandLineTool.json(CommandLineTool.run(["info", path, "--json"]).text)
    #expect(info["uncorrected_alignment"] == nil)
    let dry = try CommandLineTool.run(["calibrate", path, "--dry-run"]).text
    #expect(dry.contains("\nnot stored: less than half a pixel, which replays leave as it is\n"), "\(dry)")
    let text = try CommandLineTool.run(["calibrate", path]).text
    #expect(text.contains("\nstored: less than half a pixel, which replays leave as it is"), "\(text)")
  }

  @Test func `without evidence nothing is stored, and what to do is said`() throws {
    let (layouts, streams) = try TestFrames.colorAndDepth(width: 64, height: 48)
    let path = folder.path("flat.retake")
    try HandMadeRecording.make(
      path, streams: streams,
      (0..<6).flatMap { index in
        layouts.indices.map { stream in
          .init(stream: stream, index: index, bytes: [UInt8](repeating: 4, count: layouts[stream].byteCount))
        }
      })
    let result = try CommandLineTool.run(["calibrate", path], expecting: 1)
    #expect(result.errors.contains("cannot be estimated: only 0 pixels of its depth"), "\(result.errors)")
    #expect(result.errors.contains("hint: ") && result.errors.contains("depth.shift-x"))
    #expect(!FileManager.default.fileExists(atPath: path + "/" + AlignmentFile.name))
    let colorOnly = folder.path("color.retake")
    try HandMadeRecording.make(
      colorOnly, streams: [streams[0]],
      [.init(index: 0, bytes: [UInt8](repeating: 4, count: layouts[0].byteCount))])
    #expect(try CommandLineTool.run(["calibrate", colorOnly], expecting: 1).errors.contains("lacks colour or depth"))
    try CommandLineTool.run(["calibrate", path, "--remove", "--dry-run"], expecting: 64)
  }
}
