import CommandTestSupport
import Foundation
import FrameModel
import Media
import TestSupport
import Testing

/// Replays of what libjpeg-turbo and ffmpeg decode.
@Suite(.long) struct JPEGReplayTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func header(_ recording: String, _ options: [String] = []) throws -> [String: Any] {
    let path = folder.path("\(UUID().uuidString).jsonl")
    try CommandLineTool.run(
      ["replay", recording, "--preset", "avcam-filter", "--set", "composite.mix=0", "--output", "digests:\(path)"]
        + options)
    return try #require(CommandLineTool.jsonLines(String(contentsOfFile: path, encoding: .utf8)).first)
  }

  @Test func `JPEG frames with damaged data are counted, and digests name what decoded them`() throws {
    var image = RGBImage(width: 48, height: 32)
    for index in image.pixels.indices { image.pixels[index] = UInt8(truncatingIfNeeded: index &* 2_654_435_761 >> 7) }
    let jpeg = try JPEGEncoder.encode(image)
    let recording = folder.path("jpeg.retake")
    try HandMadeRecording.make(
      recording, streams: [try TestFrames.stream("color", .color, FrameLayout(.jpeg, width: 48, height: 32))],
      [jpeg, Array(jpeg.dropLast(jpeg.count / 3)), jpeg].enumerated().map { .init(index: $0, bytes: $1) })
    let words = ["replay", recording, "--preset", "avcam-filter", "--set", "composite.mix=0"]
    let facts = try CommandLineTool.json(CommandLineTool.run(words + ["--json"]).text)
    #expect(facts["video_frames"] as? Int == 3)
    #expect(facts["flawed_jpeg"] as? Int == 1)
    #expect(try CommandLineTool.run(words).errors.contains("1 JPEG frame had damaged"))
    let decoders = try #require(try header(recording)["decoders"] as? [String])
    #expect(decoders.count == 1 && decoders[0].hasPrefix("libjpeg-turbo "))
  }

  @Test func `digests with a video behind the person name ffmpeg and its version`() throws {
    let recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=2&size=64x48")
    let video = folder.path("v.mkv")
    let made = try ChildProcess.run(
      "/usr/bin/ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "color=red:size=16x12:rate=10:duration=0.5", "-c:v", "ffv1", video])
    try #require(made.status == 0, "\(made.errors)")
    #expect(try header(recording)["decoders"] == nil)
    let decoders = try header(recording, ["--set", "composite.background=\(video)"])["decoders"] as? [String]
    #expect(decoders?.count == 1)
    let version = try #require(decoders?.first?.split(separator: " ").last)
    let said = try ChildProcess.run("/usr/bin/ffmpeg", ["-version"]).text
    #expect(said.hasPrefix("ffmpeg version \(version) "))
  }
}
