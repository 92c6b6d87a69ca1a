import CommandTestSupport
import Foundation
import Media
import RecordingStore
import TestSupport
import Testing

/// Videos of any camera: what ffmpeg decodes is recorded, at the times of its frames.
@Suite(.long) struct VideoImportTests {
  private let folder: TemporaryFolder
  private var recording: String { folder.path("imported.retake") }
  init() throws { folder = try TemporaryFolder() }

  private func make(_ name: String, _ arguments: [String], size: String = "160x120", rate: Int = 15) throws -> String {
    let path = folder.path(name)
    try ForeignFiles.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=\(rate)", "-t", "1"] + arguments + [path])
    return path
  }

  /// Sixteen-bit samples below 4096, different in each frame.
  private func makeDepth(_ name: String, _ arguments: [String], rate: Int = 15) throws -> String {
    let path = folder.path(name)
    try ForeignFiles.ffmpeg(
      [
        "-f", "lavfi", "-i",
        "testsrc2=size=64x48:rate=\(rate),format=gray16le,geq=lum='mod(X*97+Y*31+N*7\\,4000)'", "-t", "1",
      ] + arguments + [path])
    return path
  }

  /// SHA-256 and time in nanoseconds of each picture, by ffmpeg's own accounts.
  private func pictures(_ path: String, _ coding: [String]) throws -> [[String]] {
    let text = try ForeignFiles.ffmpeg(
      ["-copyts", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-enc_time_base", "-1"] + coding + [
        "-f", "framehash", "-hash", "SHA256", "-",
      ])
    let base = try #require(text.split(separator: "\n").first { $0.hasPrefix("#tb") }?.split(separator: " ").last)
    let (numerator, denominator) = (Int(base.split(separator: "/")[0])!, Int(base.split(separator: "/")[1])!)
    return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      return [fields[5], "\(try #require(Int(fields[2])) * numerator * 1_000_000_000 / denominator)"]
    }
  }

  private func imported(_ stream: String) throws -> [[String]] {
    try ForeignFiles.read(recording).filter { $0["stream"] as? String == stream }.map { line in
      let frame = try ForeignFrame(line)
      #expect(frame.flags == 0)
      return [frame.sha256, "\(frame.tick ?? -1)"]
    }
  }

  private static let sound = ["-f", "lavfi", "-i", "sine", "-c:a", "pcm_s16le"]

  @Test(arguments: [
    ("a.mp4", ["-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p"], "160x120", "nv12"),
    ("a.mov", ["-c:v", "libx264", "-pix_fmt", "yuv422p"], "160x120", "yuyv422"),
    ("a.mp4", ["-c:v", "libx265", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p"], "160x120", "nv12"),
    ("a.mkv", ["-c:v", "ffv1", "-pix_fmt", "bgr0"], "161x97", "rgb24"),
    ("a.mkv", ["-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p"], "160x120", "nv12"),
    ("a.mkv", ["-c:v", "ffv1", "-pix_fmt", "yuv420p"], "640x479", "nv12"),
    ("a.avi", ["-c:v", "rawvideo", "-pix_fmt", "bgr24"], "162x98", "rgb24"),
    ("a.avi", ["-c:v", "ffv1", "-pix_fmt", "gray"], "161x97", "gray"),
    ("a.mov", ["-c:v", "qtrle", "-pix_fmt", "rgb24"], "160x120", "rgb24"),
  ])
  func `the frames of every container have the pixels and times that ffmpeg finds`(
    name: String, coding: [String], size: String, format: String
  ) throws {
    let source = try make(name, coding, size: size)
    try ForeignFiles.importFile(source, to: recording)
    let expected = try pictures(source, ["-c", "rawvideo", "-pix_fmt", format])
    #expect(try imported("color") == expected)
    #expect(expected.count == 15)
  }

  @Test(arguments: ["a.avi", "a.mov", "a.mp4"]) func `motion JPEG is kept as it is`(name: String) throws {
    let source = try make(name, ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"])
    try ForeignFiles.importFile(source, to: recording)
    #expect(try imported("color") == pictures(source, ["-c", "copy"]))
    #expect(try Recording(path: recording).streams.map(\.layout.format) == [.jpeg])
  }

  @Test(arguments: [
    ("a.mp4", ["libx264", "-pix_fmt", "yuv420p"]), ("a.avi", ["mpeg4"]), ("a.avi", ["huffyuv", "-pix_fmt", "yuv422p"]),
    ("a.avi", ["rawvideo", "-pix_fmt", "yuyv422"]), ("a.avi", ["rawvideo", "-pix_fmt", "nv12"]),
    ("a.avi", ["mjpeg", "-pix_fmt", "yuvj422p"]), ("a.mp4", ["libx264", "-pix_fmt", "yuvj420p"]),
  ])
  func `black is black and white white, whether the file states its range or not`(
    name: String, codec: [String]
  ) throws {
    let source = folder.path(name)
    let bars = "color=black:s=64x48:r=10:d=0.2,drawbox=x=32:w=32:h=48:c=white:t=fill"
    try ForeignFiles.ffmpeg(["-f", "lavfi", "-i", bars, "-c:v"] + codec + [source])
    try ForeignFiles.importFile(source, to: recording)
    try CommandLineTool.run(["export", "png", recording, "-o", folder.path("png")])
    let picture = try PictureFile.readColor(path: folder.path("png/color/000000.png"))
    let corners = [picture.pixels.prefix(9), picture.pixels[63 * 3 - 6..<64 * 3]].map { Set($0) }
    #expect(corners[0].allSatisfy { $0 < 4 } && corners[1].allSatisfy { $0 > 251 }, "\(corners)")
  }

  @Test func `sound and other tracks are left out and named`() throws {
    let source = folder.path("a.mp4")
    try ForeignFiles.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=15", "-f", "lavfi", "-i", "sine", "-t", "1", "-c:v", "libx264"]
        + ["-pix_fmt", "yuv420p", "-c:a", "aac", source])
    let result = try ForeignFiles.importFile(source, to: recording)
    #expect(result.errors.contains("left out track 1: it is sound"))
    #expect(try Recording(path: recording).streams.map(\.name) == ["color"])
  }

  @Test(arguments: [90, 180, 270]) func `a turned video is recorded upright`(degrees: Int) throws {
    let flat = try make("flat.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p"], size: "160x120")
    let source = folder.path("turned.mp4")
    try ForeignFiles.ffmpeg(["-i", flat, "-c", "copy", "-metadata:s:v", "rotate=\(degrees)", source])
    try ForeignFiles.importFile(source, to: recording)
    let expected = try pictures(source, ["-c", "rawvideo", "-pix_fmt", "nv12"])
    #expect(try imported("color") == expected)
    let layout = try #require(try Recording(path: recording).streams.first?.layout)
    #expect((layout.width, layout.height) == (degrees == 180 ? (160, 120) : (120, 160)))
    // Not what the file stores.
    #expect(try expected.map { $0[0] } != pictures(flat, ["-c", "rawvideo", "-pix_fmt", "nv12"]).map { $0[0] })
  }

  @Test func `a varying frame rate keeps its times`() throws {
    let source = try make(
      "vfr.mp4",
      ["-vf", "select='not(mod(n\\,3))+not(mod(n\\,7))'", "-fps_mode", "vfr", "-c:v", "libx264", "-pix_fmt"]
        + ["yuv420p"], rate: 30)
    try ForeignFiles.importFile(source, to: recording)
    let expected = try pictures(source, ["-c", "rawvideo", "-pix_fmt", "nv12"])
    #expect(try imported("color") == expected)
    let times = expected.compactMap { Int($0[1]) }
    #expect(Set(zip(times.dropFirst(), times).map { ($0 - $1) / 1_000_000 }).count > 1)
    // The recording's own time line has the same.
    let presentations = try ForeignFiles.read(recording).compactMap { $0["presentation"] as? Int }
    #expect(presentations == times.map { $0 - times[0] })
  }

  @Test func `ten bits are rounded to eight`() throws {
    let source = try make("deep.mkv", ["-c:v", "ffv1", "-pix_fmt", "yuv420p10le"])
    let result = try ForeignFiles.importFile(source, to: recording)
    #expect(result.errors.contains("10 bits are rounded to 8"))
    let path = folder.path("planes.yuv")
    try ForeignFiles.ffmpeg(["-i", source, "-f", "rawvideo", "-pix_fmt", "yuv420p10le", path])
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let samples = stride(from: 0, to: bytes.count, by: 2).map { i -> UInt8 in
      let sample = Int(bytes[i]) + Int(bytes[i + 1]) * 256
      return UInt8(min(255, (sample + 2) / 4))
    }
    let (luma, chroma) = (160 * 120, 80 * 60)
    var expected: [UInt8] = []
    for start in stride(from: 0, to: samples.count, by: luma + 2 * chroma) {
      expected += samples[start..<start + luma]
      for i in 0..<chroma { expected += [samples[start + luma + i], samples[start + luma + chroma + i]] }
    }
    #expect(expected.count == 15 * (luma + 2 * chroma))
    #expect(areSame(try RecordedFrames.bytes(of: "color", in: recording).flatMap { $0 }, expected))
  }

  @Test(arguments: [("gray16le", "1mm"), ("gray12le", "0.5mm"), ("gray16le", "5000"), ("gray16le", "0.001m")])
  func `depth of a second video is paired with colour, its samples as they are`(format: String, scale: String) throws {
    let color = try make("color.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
    let depth = try makeDepth("depth.mkv", ["-c:v", "ffv1", "-pix_fmt", format])
    let asked = try ForeignFiles.importFile(color, to: recording, ["--depth", depth], expecting: 64)
    #expect(asked.errors.contains("unit of its depth") && asked.errors.contains("--scale"))
    try ForeignFiles.importFile(color, to: recording, ["--depth", depth, "--scale", scale, "--depth-offset", "5ms"])
    let expected = try pictures(depth, ["-c", "rawvideo", "-pix_fmt", format])
    #expect(try imported("depth") == expected.map { [$0[0], "\(try #require(Int($0[1])) + 5_000_000)"] })
    #expect(try imported("color") == pictures(color, ["-c", "rawvideo", "-pix_fmt", "nv12"]))
    let opened = try Recording(path: recording)
    #expect(try opened.frameSetCount() == 15)
    let unit = opened.streams[1].settings.first { $0.name == "depth-unit-micrometers" }?.value
    #expect(unit == ["1mm": nil, "0.001m": nil, "0.5mm": "500", "5000": "200"][scale])
  }

  @Test func `a folder of as many depth pictures as frames has their times`() throws {
    let color = try make("color.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
    let depth = try makeDepth("depth.mkv", ["-c:v", "ffv1", "-pix_fmt", "gray16le"])
    let pictures = folder.path("depth")
    try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: false)
    try ForeignFiles.ffmpeg(["-i", depth, "-pix_fmt", "gray16be", pictures + "/%04d.png"])
    try ForeignFiles.importFile(color, to: recording, ["--depth", pictures, "--scale", "1mm"])
    let expected = try self.pictures(depth, ["-c", "rawvideo", "-pix_fmt", "gray16le"]).map { $0[0] }
    #expect(try imported("depth").map { $0[0] } == expected)
    #expect(try imported("depth").map { $0[1] } == imported("color").map { $0[1] })
    // One fewer: only a rate tells when each was taken.
    try FileManager.default.removeItem(atPath: pictures + "/0004.png")
    let other = folder.path("other.retake")
    let asked = try ForeignFiles.importFile(color, to: other, ["--depth", pictures, "--scale", "1mm"], expecting: 64)
    #expect(
      asked.errors.contains("15 frames") && asked.errors.contains("14 pictures") && asked.errors.contains("--fps"))
    try ForeignFiles.importFile(color, to: other, ["--depth", pictures, "--scale", "1mm", "--fps", "15"], expecting: 3)
    let lost = try Recording(path: other).summary().losses.filter { $0.reason == "dropped" }
    #expect(lost.map { "\($0.stream) \($0.count)" } == ["1 1"])
  }

  @Test func `what does not fit together is refused`() throws {
    let color = try make("color.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
    let depth = try makeDepth("depth.mkv", ["-c:v", "ffv1", "-pix_fmt", "gray16le"])
    func refused(_ options: [String], _ status: Int32, _ words: [String]) throws {
      let result = try ForeignFiles.importFile(color, to: folder.path("no.retake"), options, expecting: status)
      for word in words + ["error: ", "hint: "] { #expect(result.errors.contains(word), "\(result.errors)") }
      #expect(!FileManager.default.fileExists(atPath: folder.path("no.retake")))
    }
    let paired = ["--depth", depth]
    try refused(paired + ["--scale", "1mm", "--depth-offset", "10s"], 64, ["no time in common", "--depth-offset"])
    try refused(paired + ["--scale", "1mm", "--depth-offset", "25h"], 64, ["more than a day"])
    for scale in ["0", "-1", "1000001", "0.001", "2m", "0.5um", "nan", "1e3", "99999999999999999999"] {
      try refused(paired + ["--scale=\(scale)"], 64, ["--scale \(scale)"])
    }
    for rate in ["0.0001", "1001", "0"] { try refused(["--depth", folder.path, "--fps", rate], 64, ["--fps \(rate)"]) }
    try refused(["--scale", "1mm"], 64, ["has none"])
    try refused(["--color", "*.png"], 64, ["--color does not apply"])
    try refused(["--fps", "30"], 64, ["--fps does not apply"])
    try refused(["--depth", color, "--scale", "1mm"], 1, ["no depth track", "it is color"])
    try refused(["--depth", folder.path("nothing")], 1, ["nothing"])
    try refused(paired + ["--scale", "1mm", "--intrinsics", depth], 1, ["no intrinsics"])
  }

  @Test func `pictures after a damaged one are flagged up to the next key frame`() throws {
    let source = try make("a.mp4", ["-c:v", "libx264", "-g", "5", "-bf", "0", "-pix_fmt", "yuv420p"])
    let whole = try pictures(source, ["-c", "rawvideo", "-pix_fmt", "nv12"])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: source))
    // In the middle of the slices.
    let middle = bytes.count / 3
    for i in 0..<40 { bytes[middle + i] ^= 0xFF }
    try bytes.write(to: URL(fileURLWithPath: source))
    let result = try ForeignFiles.importFile(source, to: recording, expecting: 3)
    #expect(result.errors.contains("is damaged") && result.errors.contains("Damaged frames, kept and flagged"))
    let frames = try ForeignFiles.read(recording).map { try ForeignFrame($0) }
    let flagged = frames.filter { $0.flags & 1 != 0 }.count
    #expect((1...10).contains(flagged))
    let known = Dictionary(uniqueKeysWithValues: whole.map { ($0[1], $0[0]) })
    for frame in frames where frame.flags == 0 { #expect(known["\(frame.tick ?? -1)"] == frame.sha256) }
  }
}
