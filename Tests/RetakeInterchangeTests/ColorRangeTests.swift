import CommandTestSupport
import Foundation
import FrameModel
import Kernels
import Media
import TestSupport
import Testing

/// YUV of a camera that says what it means is shown and exported with those colours, whatever the way.
@Suite(.long) struct ColorRangeTests {
  private static let (width, height) = (640, 480)
  private let folder: TemporaryFolder
  private let recording: String
  /// Y of all values from left to right, U from above to below, V in four bars: smooth, for what is lossy.
  private static let yuyv: [UInt8] = (0..<width * height).flatMap { (i: Int) -> [UInt8] in
    let (x, y) = (i % width, i / width)
    return [UInt8(x * 255 / (width - 1)), x % 2 == 0 ? UInt8(64 + y * 128 / height) : UInt8(60 + x / 160 * 45)]
  }
  private static let nv12: [UInt8] = (0..<64 * 72).map { UInt8($0 % 251) }

  init() throws {
    folder = try TemporaryFolder()
    recording = folder.path("camera.retake")
    var streams = [
      try TestFrames.stream("color", .color, FrameLayout(.yuyv, width: Self.width, height: Self.height)),
      try TestFrames.stream("depth", .depth, FrameLayout(.kinectRaw11, width: 640, height: 480)),
      try TestFrames.stream("other", .color, FrameLayout(.nv12, width: 64, height: 48)),
    ]
    streams[0].settings = [.init(ColorMatrix.encodingSetting, "709"), .init(ColorMatrix.rangeSetting, "limited")]
    // Words that mean nothing.
    streams[2].settings = [
      .init(ColorMatrix.encodingSetting, "\u{1F3A5}"),
      .init(ColorMatrix.rangeSetting, String(repeating: "x", count: 9)),
    ]
    try HandMadeRecording.make(
      recording, streams: streams,
      [
        .init(stream: 0, index: 0, bytes: Self.yuyv),
        .init(stream: 1, index: 0, bytes: (0..<640 * 480).flatMap { _ in [UInt8(0x90), 2] }),
        .init(stream: 2, index: 0, bytes: Self.nv12),
      ])
  }

  /// What the colours of stream 'color' are.
  private static let expected: [UInt8] = {
    let matrix = ColorMatrix(.bt709, .limited)
    return (0..<width * height).flatMap { (i: Int) -> [UInt8] in
      let pair = i / 2 * 4
      let color = matrix.rgb(yuyv[2 * i], yuyv[pair + 1], yuyv[pair + 3])
      return [color.red, color.green, color.blue]
    }
  }()

  private func decoded(_ path: String) throws -> [UInt8] {
    let result = try ChildProcess.run(
      "/usr/bin/ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"])
    #expect(result.status == 0, "\(result.errors)")
    return Array(result.output)
  }

  @Test func `a replay shows them`() throws {
    let path = folder.path("replayed")
    try CommandLineTool.run(["replay", recording, "--tap", "original", "--output", "png:\(path)"])
    #expect(areSame(try PictureFile.readColor(path: path + "/000000.png").pixels, Self.expected))
  }

  @Test func `PNGs have them, each stream by its own settings, and unknown words are full range of BT.601`() throws {
    let path = folder.path("png")
    try CommandLineTool.run(["export", "png", recording, "-o", path])
    #expect(areSame(try PictureFile.readColor(path: path + "/color/000000.png").pixels, Self.expected))
    let other = (0..<64 * 48).flatMap { (i: Int) -> [UInt8] in
      let (x, y) = (i % 64, i / 64)
      let chroma = 64 * 48 + y / 2 * 64 + x / 2 * 2
      let color = ColorMatrix.full601.rgb(Self.nv12[i], Self.nv12[chroma], Self.nv12[chroma + 1])
      return [color.red, color.green, color.blue]
    }
    #expect(areSame(try PictureFile.readColor(path: path + "/other/000000.png").pixels, other))
  }

  @Test func `a TUM folder and a fakenect session have them`() throws {
    let tum = folder.path("tum")
    try CommandLineTool.run(["export", "tum", recording, "-o", tum])
    let picture = try #require(try FileManager.default.contentsOfDirectory(atPath: "\(tum)/rgb").first)
    #expect(areSame(try PictureFile.readColor(path: "\(tum)/rgb/\(picture)").pixels, Self.expected))

    let session = folder.path("session")
    try CommandLineTool.run(["export", "fakenect", recording, "-o", session])
    let file = try #require(
      try FileManager.default.contentsOfDirectory(atPath: session).first { $0.hasSuffix(".ppm") })
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(session)/\(file)")))
    #expect(areSame(Array(bytes.suffix(Self.expected.count)), Self.expected))
  }

  @Test func `an MCAP file has them`() throws {
    let path = folder.path("exported.mcap")
    try CommandLineTool.run(["export", "mcap", recording, "-o", path])
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/read_exported_mcap.py"
    let messages = try CommandLineTool.jsonLines(ChildProcess.run(Checkout.python, [script, path]).text)
    let expected = folder.path("expected.bin")
    try Data(Self.expected).write(to: URL(fileURLWithPath: expected))
    let digest = try ChildProcess.run("/usr/bin/sha256sum", [expected]).text.prefix(64)
    let found = messages.filter { $0["topic"] as? String == "/color/image" }
    #expect(found.map { $0["sha256"] as? String } == [String(digest)])
  }

  @Test func `videos have them: FFV1 to the bit, H.264 nearly`() throws {
    let lossless = folder.path("a.mkv")
    try CommandLineTool.run(["export", "video", recording, "-o", lossless, "--stream", "color"])
    #expect(areSame(try decoded(lossless), Self.expected))
    let playable = folder.path("a.mp4")
    try CommandLineTool.run(["export", "video", recording, "-o", playable, "--stream", "color"])
    let pixels = try decoded(playable)
    try #require(pixels.count == Self.expected.count)
    let difference = zip(pixels, Self.expected).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    // Range or matrix taken for another would be ten steps and more.
    print("H.264: \(Double(difference) / Double(pixels.count)) of 255 on average")
    #expect(difference < 4 * pixels.count)
  }
}
