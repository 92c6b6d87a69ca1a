import CommandTestSupport
import Foundation
import FrameModel
import RecordingStore
import TestSupport
import Testing

/// What `retake export video` writes, ffmpeg decodes to what the recording holds, at the time it was taken.
@Suite(.long) struct VideoExportTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  private func export(_ recording: String, _ name: String, _ options: [String] = [], expecting status: Int32 = 0)
    throws -> (path: String, facts: [String: Any])
  {
    let path = folder.path(name)
    let result = try CommandLineTool.run(
      ["export", "video", recording, "-o", path, "--json"] + options, expecting: status)
    return (path, status == 1 ? [:] : try CommandLineTool.json(result.text))
  }

  /// The pictures of a video file, one after the other, as its own frames and no more.
  private func decoded(_ path: String, _ format: String) throws -> [UInt8] {
    let result = try ChildProcess.run(
      "/usr/bin/ffmpeg",
      ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", format, "pipe:1"])
    #expect(result.status == 0, "\(result.errors)")
    return Array(result.output)
  }

  private func probe(_ path: String, _ entries: String) throws -> String {
    let result = try ChildProcess.run(
      "/usr/bin/ffprobe",
      ["-v", "error", "-count_frames", "-show_entries", "stream=\(entries)", "-of", "csv=p=0", path])
    return result.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test(arguments: ["161x97", "1x1", "3x50", "64x48"]) func `FFV1 decodes to every bit of the recording`(size: String)
    throws
  {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=5&size=\(size)&depth-size=\(size)")
    for (stream, format) in [("color", "rgb24"), ("depth", "gray16le"), ("alpha", "gray")] {
      let (path, facts) = try export(source, "\(stream).mkv", ["--stream", stream])
      #expect(facts["is_whole"] as? Bool == true)
      #expect(facts["frames"] as? [String: Int] == [stream: 5])
      #expect(facts["held"] as? Int == 0)
      let frames = try RecordedFrames.bytes(of: stream, in: source).flatMap { $0 }
      #expect(areSame(try decoded(path, format), frames), "\(stream)")
      #expect(try probe(path, "codec_name,r_frame_rate") == "ffv1,30/1")
    }
  }

  @Test func `raw disparity becomes millimetres unless the samples are wanted`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=2&size=64x48&depth=raw11")
    let raw = try export(source, "raw.mkv", ["--stream", "depth", "--depth", "raw"]).path
    #expect(areSame(try decoded(raw, "gray16le"), try RecordedFrames.bytes(of: "depth", in: source).flatMap { $0 }))
    let millimeters = try decoded(export(source, "mm.mkv", ["--stream", "depth"]).path, "gray16le")
    let mcap = try CommandLineTool.run(["export", "png", source, "-o", folder.path("png"), "--stream", "depth"])
    #expect(mcap.status == 0)
    let pictures = try ["000000.png", "000001.png"].flatMap { try decoded(folder.path("png/depth/\($0)"), "gray16le") }
    #expect(areSame(millimeters, pictures))
  }

  @Test func `equal recordings give equal files`() throws {
    let names = ["a.retake", "b.retake"]
    let camera = "simulated?pace=fast&frames=12&size=101x57"
    for name in names {
      try CommandLineTool.run(["record", "--device", camera, "-o", folder.path(name), "--keep-free", "0"])
    }
    for (name, stream) in [("color.mkv", "color"), ("color.mp4", "color"), ("depth.mkv", "depth")] {
      let files = try names.map {
        try Data(contentsOf: URL(fileURLWithPath: export(folder.path($0), "\($0)-\(name)", ["--stream", stream]).path))
      }
      #expect(!files[0].isEmpty)
      #expect(areSame(files[0], files[1]), "\(name)")
    }
  }

  @Test(arguments: ["drop=0.3", "damage=0.3"]) func `missing frames are held, so that nothing runs faster`(
    faults: String
  ) throws {
    let source = folder.path("a.retake")
    try CommandLineTool.run(
      ["record", "--device", "simulated?pace=fast&frames=40&size=33x21&\(faults)", "-o", source, "--keep-free", "0"],
      expecting: faults.hasPrefix("drop") ? 3 : 0)
    for (index, stream) in ["color", "depth"].enumerated() {
      let recording = try Recording(path: source)
      let rows = try recording.frameRows(stream: index, from: 0, limit: 100)
      let whole = rows.filter { !$0.flags.contains(.damaged) }
      let (path, facts) = try export(
        source, "\(stream).mkv", ["--stream", stream], expecting: whole.count == rows.count ? 0 : 3)
      let reader = try FrameReader(recording)
      // The simulated camera keeps to its rate: a frame's place is its time in periods.
      let start = try #require(try recording.summary().streams.compactMap(\.firstPresentation).min())
      let places = whole.map { row in
        Int((Double(row.timestamps.presentation.nanoseconds - start.nanoseconds) * 30 / 1e9).rounded())
      }
      let last = try #require(places.last)
      var expected: [UInt8] = []
      for place in 0...last {
        let shown = places.lastIndex { $0 <= place } ?? 0
        expected += try reader.frame(whole[shown]).copiedBytes
      }
      #expect(areSame(try decoded(path, stream == "color" ? "rgb24" : "gray16le"), expected), "\(stream)")
      #expect(last + 1 > whole.count)
      #expect(facts["held"] as? Int == last + 1 - whole.count)
      #expect(facts["frames"] as? [String: Int] == [stream: whole.count])
      #expect(facts["damaged"] as? Int == rows.count - whole.count)
    }
  }

  @Test func `H.264 of odd sides has even ones, and the right colours`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=4&size=161x97")
    let path = try export(source, "a.mp4").path
    #expect(
      try probe(path, "codec_name,width,height,pix_fmt,color_space,nb_read_frames") == "h264,162,98,yuv420p,smpte170m,4"
    )
    let pixels = try decoded(path, "rgb24")
    try #require(pixels.count == 4 * 162 * 98 * 3)
    for (number, frame) in try RecordedFrames.bytes(of: "color", in: source).enumerated() {
      var difference = [0, 0, 0]
      for y in 0..<97 {
        for x in 0..<161 {
          for channel in 0..<3 {
            let found = Int(pixels[((number * 98 + y) * 162 + x) * 3 + channel])
            difference[channel] += abs(found - Int(frame[(y * 161 + x) * 3 + channel]))
          }
        }
      }
      // Lossy, and a quarter of the chroma: some steps of 255 on average, where swapped colours are some dozens.
      #expect(difference.allSatisfy { $0 < 8 * 161 * 97 }, "\(difference)")
    }
  }

  @Test func `colours are tagged in full, and depth says what shows it and what holds it`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=2&size=64x48")
    let entries = "color_range,color_space,color_transfer,color_primaries"
    #expect(try probe(export(source, "a.mp4").path, entries) == "tv,smpte170m,iec61966-2-1,bt709")
    #expect(try probe(export(source, "a.mkv").path, entries) == "pc,gbr,iec61966-2-1,bt709")
    #expect(try probe(export(source, "d.mkv", ["--stream", "depth"]).path, "color_range") == "pc")
    let refused = try CommandLineTool.run(
      ["export", "video", source, "-o", folder.path("d.mp4"), "--stream", "depth"], expecting: 1)
    for words in ["--tap depth --output \(folder.path("d.mp4"))", ".mkv", "export png"] {
      #expect(refused.errors.contains(words), "\(refused.errors)")
    }
    try CommandLineTool.run(["replay", source, "--tap", "depth", "--output", folder.path("d.mp4")])
    #expect(try probe(folder.path("d.mp4"), "codec_name") == "h264")
  }

  @Test func `spans, rates and frames too many for a rate`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=20&size=33x21")
    let frames = try RecordedFrames.bytes(of: "color", in: source)
    let part = try export(source, "part.mkv", ["--from", "5", "--to", "9"]).path
    #expect(areSame(try decoded(part, "rgb24"), frames[5...9].flatMap { $0 }))
    let (double, facts) = try export(source, "double.mkv", ["--rate", "60"])
    #expect(facts["held"] as? Int == 19)
    #expect(areSame(try decoded(double, "rgb24"), frames.enumerated().flatMap { $0 == 0 ? $1 : frames[$0 - 1] + $1 }))
    let (half, lost) = try export(source, "half.mkv", ["--rate", "15"], expecting: 3)
    // The first, and of the others every second.
    #expect(lost["surplus"] as? Int == 9)
    #expect(lost["frames"] as? [String: Int] == ["color": 11])
    #expect(try probe(half, "r_frame_rate,nb_read_frames") == "15/1,11")
    let kept = [0] + stride(from: 1, to: 20, by: 2)
    #expect(areSame(try decoded(half, "rgb24"), kept.flatMap { frames[$0] }))
  }

  @Test func `a gap of hours is refused and leaves nothing behind`() throws {
    let source = folder.path("a.retake")
    let layout = try FrameLayout(.grey8, width: 8, height: 8)
    try HandMadeRecording.make(
      source, streams: [try TestFrames.stream("color", .color, layout)],
      [0, 1, 200_000].map { .init(index: $0, bytes: [UInt8](repeating: 5, count: 64)) })
    let refused = try CommandLineTool.run(["export", "video", source, "-o", folder.path("a.mkv")], expecting: 1)
    #expect(refused.errors.contains("frame 2") && refused.errors.contains("--to"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.retake"])
    try export(source, "b.mkv", ["--to", "1"])
  }

  @Test func `every mistake gets one sentence, and nothing is written over`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=2&size=32x24")
    let path = folder.path("a.mkv")
    func expect(_ status: Int32, _ words: [String], _ arguments: [String], environment: [String: String] = [:]) throws {
      let result = try CommandLineTool.run(
        ["export", "video", source] + arguments, expecting: status, environment: environment)
      for word in words + ["hint: "] { #expect(result.errors.contains(word), "\(result.errors) lacks \(word)") }
      #expect(result.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }.count == 1)
    }
    try expect(1, ["ffmpeg", "not installed"], ["-o", path], environment: ["PATH": folder.path])
    try expect(1, ["16 bits", ".mkv"], ["-o", folder.path("d.mp4"), "--stream", "depth"])
    try expect(64, ["a.avi", ".mkv", ".mp4"], ["-o", folder.path("a.avi")])
    try expect(64, ["one stream"], ["-o", path, "--stream", "color", "--stream", "depth"])
    try expect(64, ["--rate", "'fast'"], ["-o", path, "--rate", "fast"])
    try expect(64, ["'colr'", "did you mean color"], ["-o", path, "--stream", "colr"])
    try expect(1, ["/sys/a.mkv"], ["-o", "/sys/a.mkv"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.retake"])
    let before = try Data(contentsOf: URL(fileURLWithPath: export(source, "a.mkv").path))
    try expect(1, ["exists"], ["-o", path])
    #expect(areSame(before, try Data(contentsOf: URL(fileURLWithPath: path))))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.mkv", "a.retake"])
  }
}
