import CommandTestSupport
import Foundation
import Media
import RecordingStore
import TestSupport
import Testing

/// What ffmpeg reads in a Matroska file, `retake import` records.
@Suite(.long) struct MatroskaImportTests {
  private let folder: TemporaryFolder
  private var source: String { folder.path("kinect.mkv") }
  private var recording: String { folder.path("imported.retake") }
  init() throws { folder = try TemporaryFolder() }

  /// SHA-256 and time in nanoseconds of each picture of a track, by ffmpeg's own accounts.
  private func pictures(_ path: String, track: Int, _ coding: [String]) throws -> [[String]] {
    let text = try ForeignFiles.ffmpeg(
      ["-copyts", "-i", path, "-map", "0:\(track)", "-fps_mode", "passthrough", "-enc_time_base", "-1"] + coding + [
        "-f", "framehash", "-hash", "SHA256", "-",
      ])
    let base = try #require(text.split(separator: "\n").first { $0.hasPrefix("#tb") }?.split(separator: " ").last)
    let unit = 1_000_000_000 / (try #require(Int(base.split(separator: "/")[1])))
    return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      return [fields[5], "\(try #require(Int(fields[2])) * unit)"]
    }
  }

  private func imported(_ stream: String) throws -> [[String]] {
    try ForeignFiles.read(recording).filter { $0["stream"] as? String == stream }.map { line in
      let frame = try ForeignFrame(line)
      #expect(frame.flags == 0)
      return [frame.sha256, "\(frame.tick ?? -1)"]
    }
  }

  /// Colour, depth and infrared as an Azure Kinect's recorder lays them out, from ffmpeg's test pictures.
  private func makeFile(color: [String], depth: [String]) throws {
    try ForeignFiles.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=15", "-f", "lavfi", "-i",
        "testsrc2=size=64x48:rate=15,format=gray16le,geq=lum='mod(X*97+Y*31+N*7\\,9000)'", "-t", "1", "-map", "0",
        "-map", "1", "-map", "1",
      ] + color + depth + [
        "-c:v:2", "rawvideo", "-pix_fmt:v:2", "gray16be", "-metadata:s:v:0", "title=COLOR", "-metadata:s:v:1",
        "title=DEPTH", "-metadata:s:v:2", "title=IR", "-allow_raw_vfw", "1", "-f", "matroska", source,
      ])
    try nameDepthAsAzureKinectDoes(source)
  }

  /// ffmpeg writes grey of 16 bits as colour that stands on its head; an Azure Kinect's recorder names it b16g.
  private func nameDepthAsAzureKinectDoes(_ path: String) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    func word(_ value: Int32) -> Data { withUnsafeBytes(of: value.littleEndian) { Data($0) } }
    // BITMAPINFOHEADER: its own size, width, height, one plane of 16 bits, no compression.
    let head = { height in word(40) + word(64) + word(height) + word(1 | 16 << 16) }
    var count = 0
    while let range = bytes.range(of: head(-48) + word(0)) {
      bytes.replaceSubrange(range, with: head(48) + Data("b16g".utf8))
      count += 1
    }
    #expect(count > 0)
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  private static let rawDepth = ["-c:v:1", "rawvideo", "-pix_fmt:v:1", "gray16be"]

  @Test func `JPEG stays as it came, and depth has the same samples`() throws {
    try makeFile(color: ["-c:v:0", "mjpeg", "-pix_fmt:v:0", "yuvj422p"], depth: Self.rawDepth)
    let result = try ForeignFiles.importFile(source, to: recording)
    #expect(!result.errors.contains("left out"), "\(result.errors)")
    #expect(try imported("infrared") == pictures(source, track: 2, ["-pix_fmt", "gray16le"]))
    #expect(try imported("color") == pictures(source, track: 0, ["-c", "copy"]))
    #expect(try imported("depth") == pictures(source, track: 1, ["-pix_fmt", "gray16le"]))
    #expect(try imported("color").count == 15)
    let opened = try Recording(path: recording)
    #expect(opened.streams.map(\.layout.format) == [.jpeg, .depthMillimeters16, .grey16])
    // ffmpeg's times are whole milliseconds: the median is 67 of them.
    #expect(opened.streams.map(\.rate.description) == ["14925/1000", "14925/1000", "14925/1000"])
    #expect(try opened.frameSetCount() == 15)
    // Once more, and the same.
    try ForeignFiles.importFile(source, to: folder.path("second.retake"))
    #expect(areSame(try ForeignFiles.chunkFiles(recording), try ForeignFiles.chunkFiles(folder.path("second.retake"))))
  }

  @Test(arguments: [
    (["-c:v:0", "libx264", "-bf", "3", "-pix_fmt:v:0", "yuv420p"], "nv12"),
    (["-c:v:0", "ffv1", "-pix_fmt:v:0", "yuv422p"], "yuyv422"), (["-c:v:0", "ffv1", "-pix_fmt:v:0", "bgr0"], "rgb24"),
    (["-c:v:0", "rawvideo", "-pix_fmt:v:0", "nv12"], "nv12"),
    (["-c:v:0", "rawvideo", "-pix_fmt:v:0", "yuyv422"], "yuyv422"),
    (["-c:v:0", "rawvideo", "-pix_fmt:v:0", "bgra"], "rgb24"),
    (["-c:v:0", "rawvideo", "-pix_fmt:v:0", "gray"], "gray"),
  ])
  func `colour of other codecs is what ffmpeg decodes, in order`(coding: [String], format: String) throws {
    try makeFile(color: coding, depth: ["-c:v:1", "ffv1", "-pix_fmt:v:1", "gray16le"])
    try ForeignFiles.importFile(source, to: recording)
    #expect(try imported("color") == pictures(source, track: 0, ["-c", "rawvideo", "-pix_fmt", format]))
    #expect(try imported("depth") == pictures(source, track: 1, ["-c", "rawvideo", "-pix_fmt", "gray16le"]))
    #expect(try imported("depth").count == 15)
  }

  @Test(arguments: [
    ("libx264", "yuvj420p", ["709", "full"]), ("ffv1", "yuv420p", ["709", "full"]),
    ("ffv1", "yuv420p", ["601", "limited"]), ("ffv1", "yuv420p", []),
  ])
  func `samples of any range stay what they are, and the recording says what the file says of them`(
    codec: String, format: String, words: [String]
  ) throws {
    let said: [String] =
      words.isEmpty
      ? []
      : [
        "-colorspace:v:0", words[0] == "709" ? "bt709" : "smpte170m", "-color_range:v:0",
        words[1] == "full" ? "pc" : "tv",
      ]
    try makeFile(color: ["-c:v:0", codec, "-pix_fmt:v:0", format] + said, depth: Self.rawDepth)
    try ForeignFiles.importFile(source, to: recording)
    let stream = try Recording(path: recording).streams[0]
    let found = ["ycbcr-encoding", "quantization"].compactMap { name in
      stream.settings.first { $0.name == name }?.value
    }
    // Unstated, as players take it.
    #expect(found == (words.isEmpty ? ["limited"] : words))
    // As the decoder has them: three planes.
    let path = folder.path("planes.yuv")
    try ForeignFiles.ffmpeg(["-i", source, "-map", "0:0", "-fps_mode", "passthrough", "-f", "rawvideo", path])
    let planes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let (luma, chroma) = (160 * 120, 80 * 60)
    var expected: [UInt8] = []
    for start in stride(from: 0, to: planes.count, by: luma + 2 * chroma) {
      expected += planes[start..<start + luma]
      let (u, v) = (start + luma, start + luma + chroma)
      for i in 0..<chroma { expected += [planes[u + i], planes[v + i]] }
    }
    #expect(expected.count == 15 * (luma + 2 * chroma))
    #expect(areSame(try RecordedFrames.bytes(of: "color", in: recording).flatMap { $0 }, expected))
  }

  @Test func `tracks that start minutes apart, at a time since 1970, keep their times`() throws {
    try makeFile(color: ["-c:v:0", "mjpeg", "-pix_fmt:v:0", "yuvj422p"], depth: Self.rawDepth)
    let moved = folder.path("moved.mkv")
    try ForeignFiles.ffmpeg([
      "-i", source, "-itsoffset", "125", "-i", source, "-map", "0:0", "-map", "1:1", "-c", "copy", "-output_ts_offset",
      "1700000000", "-metadata:s:v:0", "title=COLOR", "-metadata:s:v:1", "title=DEPTH", "-metadata",
      "K4A_START_OFFSET_NS=250000", "-allow_raw_vfw", "1", moved,
    ])
    try nameDepthAsAzureKinectDoes(moved)
    let result = try ForeignFiles.importFile(moved, to: recording)
    #expect(result.errors.contains("depth starts 125.000 s after color"))
    for (track, stream) in ["color", "depth"].enumerated() {
      let expected = try pictures(moved, track: track, track == 0 ? ["-c", "copy"] : ["-pix_fmt", "gray16le"])
      #expect(try imported(stream) == expected.map { [$0[0], "\(try #require(Int($0[1])) + 250_000)"] })
      #expect(expected.count == 15)
    }
    let lines = try ForeignFiles.read(recording)
    for (stream, start) in [("color", 0), ("depth", 125_000_000_000)] {
      #expect(lines.first { $0["stream"] as? String == stream }?["presentation"] as? Int == start)
    }
    let info = try CommandLineTool.json(CommandLineTool.run(["info", recording, "--json"]).text)
    #expect("\(info)".contains("1700000000"), "\(info)")
  }

  @Test func `16-bit grey without a unit is asked for it`() throws {
    try ForeignFiles.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=15,format=gray16le", "-t", "1", "-c:v", "ffv1", source,
    ])
    let asked = try ForeignFiles.importFile(source, to: recording, expecting: 64)
    #expect(asked.errors.contains("unit of its depth") && asked.errors.contains("--scale"))
    #expect(!FileManager.default.fileExists(atPath: recording))
    try ForeignFiles.importFile(source, to: recording, ["--scale", "1mm"])
    #expect(try imported("depth") == pictures(source, track: 0, ["-pix_fmt", "gray16le"]))
  }

  @Test func `of a file that is cut, what is whole is imported, and exit code 3`() throws {
    try makeFile(color: ["-c:v:0", "mjpeg", "-pix_fmt:v:0", "yuvj422p"], depth: Self.rawDepth)
    let whole = try Data(contentsOf: URL(fileURLWithPath: source))
    let color = try pictures(source, track: 0, ["-c", "copy"])
    let depth = try pictures(source, track: 1, ["-pix_fmt", "gray16le"])
    try whole.prefix(whole.count * 6 / 10).write(to: URL(fileURLWithPath: source))
    let result = try ForeignFiles.importFile(source, to: recording, expecting: 3)
    #expect(result.errors.contains("is damaged") && result.errors.contains("hint: "))
    let found = (try imported("color"), try imported("depth"))
    #expect((5..<15).contains(found.0.count) && (5..<15).contains(found.1.count))
    #expect(found.0 == Array(color.prefix(found.0.count)))
    #expect(found.1 == Array(depth.prefix(found.1.count)))
  }

  @Test func `the error for a file that ends within its first picture says that it may be cut`() throws {
    try ForeignFiles.ffmpeg([
      "-f", "lavfi", "-i", "mandelbrot=size=320x240", "-frames:v", "2", "-c:v", "ffv1", "-f", "matroska", source,
    ])
    let whole = try Data(contentsOf: URL(fileURLWithPath: source))
    try whole.prefix(2000).write(to: URL(fileURLWithPath: source))
    let cut = try ForeignFiles.importFile(source, to: recording, expecting: 1)
    #expect(cut.errors.contains("ffv1, of which ffmpeg reads no picture: the file may be cut"), "\(cut.errors)")
    #expect(!FileManager.default.fileExists(atPath: recording))
  }

  @Test func `a file without a picture, or without ffmpeg, is an error with its reason`() throws {
    try ForeignFiles.ffmpeg(["-f", "lavfi", "-i", "sine", "-t", "0.1", "-c:a", "pcm_s16le", "-f", "matroska", source])
    let silent = try ForeignFiles.importFile(source, to: recording, expecting: 1)
    #expect(silent.errors.contains("no video track") && silent.errors.contains("hint: "))
    let missing = try CommandLineTool.run(
      ["import", source, "-o", recording], expecting: 1, environment: ["PATH": folder.path])
    #expect(
      missing.errors.contains("ffprobe, which is not installed") && missing.errors.contains("apt-get install ffmpeg"))
    #expect(!FileManager.default.fileExists(atPath: recording))
  }

  // The files that ffmpeg makes above are laid out the same.
  @Test(.enabled(if: Checkout.hasFixture("azure-kinect-mkv"), "needs ../shared/fixtures, which a clone lacks"))
  func `an Azure Kinect's own file has the depth of the pictures beside it`() throws {
    let path = Checkout.fixture("azure-kinect-mkv/recording.mkv")
    try ForeignFiles.importFile(path, to: recording)
    // K4A_START_OFFSET_NS.
    func onDeviceClock(_ pictures: [[String]]) throws -> [[String]] {
      try pictures.map { [$0[0], "\(try #require(Int($0[1])) + 336_277_000)"] }
    }
    #expect(try imported("color") == onDeviceClock(pictures(path, track: 0, ["-c", "copy"])))
    #expect(try imported("depth") == onDeviceClock(pictures(path, track: 1, ["-pix_fmt", "gray16le"])))
    let depth = try #require(try RecordedFrames.bytes(of: "depth", in: recording).first)
    let picture = try PictureFile.readGrey16(path: Checkout.fixture("azure-kinect-mkv/depth_001.png"))
    #expect(areSame(depth, picture.samples.withUnsafeBytes { Array($0) }))
    let streams = try Recording(path: recording).streams
    #expect(streams.map(\.rate.description) == ["5", "5", "5"] && streams[2].kind == .infrared)
    let calibration = streams[1].settings.first { $0.name == "K4A_CALIBRATION" }
    #expect(calibration?.value.hasPrefix("{\"CalibrationInformation\"") == true)
    // What laying depth over colour takes, in pixels of these pictures.
    func setting(_ stream: Int, _ name: String) -> String? { streams[stream].settings.first { $0.name == name }?.value }
    #expect(setting(0, "intrinsics")?.hasPrefix("fx=611.795") == true)
    #expect(setting(1, "intrinsics")?.hasPrefix("fx=504.607") == true)
    #expect(setting(1, "extrinsics-color")?.contains(" tx=-32.083") == true)
    #expect(streams.allSatisfy { $0.device == "k4a:001514394512" })
  }
}
