import CommandTestSupport
import Foundation
import FrameModel
import Kernels
import Media
import TestSupport
import Testing

/// What a Kinect recorded is exported by its own calibration.
@Suite(.long) struct KinectDepthExportTests {
  private let folder: TemporaryFolder
  private let recording: String
  /// A near half and a rough far one, with holes.
  private let raw: [UInt16] = (0..<640 * 480).map { (i: Int) -> UInt16 in
    if i % 31 == 0 { return 2047 }
    if i % 640 < 320 { return UInt16(640 + i % 5) }
    return UInt16(900 + i / 640 % 50)
  }
  private let light: [UInt16] = (0..<64 * 48).map { UInt16($0 % 1024) }
  private static let calibration = KinectCalibration(
    terms: [0, 1964, 56, -26, 600, 6161, -13, 2825, 684, 5, 6434], padding: .init(),
    zeroPlane: .init(
      emitterDistanceCentimeters: 7.5, colorDistanceCentimeters: 2.4, referenceDistanceMillimeters: 120,
      referencePixelSizeMillimeters: 0.1042),
    constantShift: 200)

  init() throws {
    folder = try TemporaryFolder()
    recording = folder.path("kinect.retake")
    var streams = [
      try TestFrames.stream("color", .color, FrameLayout(.bayerGRBG8, width: 640, height: 480)),
      try TestFrames.stream("depth", .depth, FrameLayout(.kinectRaw11, width: 640, height: 480)),
      try TestFrames.stream("infrared", .infrared, FrameLayout(.grey16, width: 64, height: 48)),
      try TestFrames.stream("counts", .depth, FrameLayout(.grey16, width: 64, height: 48)),
    ]
    streams[1].settings = Self.calibration.settings
    try HandMadeRecording.make(
      recording, streams: streams,
      [
        .init(stream: 0, index: 0, bytes: [UInt8](repeating: 90, count: 640 * 480)),
        .init(stream: 1, index: 0, bytes: Self.bytes(raw)), .init(stream: 2, index: 0, bytes: Self.bytes(light)),
        .init(stream: 3, index: 0, bytes: Self.bytes(light)),
      ])
  }

  private static func bytes(_ samples: [UInt16]) -> [UInt8] { samples.withUnsafeBytes { Array($0) } }

  private var millimeters: [UInt16] {
    let table = KinectDepthTables.millimeters(Self.calibration)
    return raw.map { min(table[Int($0)], 10_000) }
  }

  private func exportPNG(_ stream: String, _ options: [String] = []) throws -> [UInt16] {
    let path = folder.path("png-\(stream)\(options.count)")
    try CommandLineTool.run(["export", "png", recording, "-o", path, "--stream", stream] + options)
    return try PictureFile.readGrey16(path: "\(path)/\(stream)/000000.png").samples
  }

  @Test func `pictures of depth are millimetres as the depth camera sees them, or what was sent`() throws {
    #expect(areSame(try exportPNG("depth"), millimeters))
    #expect(areSame(try exportPNG("depth", ["--depth", "raw"]), raw))
  }

  @Test func `a TUM folder has depth laid over colour`() throws {
    let path = folder.path("tum")
    try CommandLineTool.run(["export", "tum", recording, "-o", path, "--scale", "1000"])
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: "\(path)/depth").first)
    var expected = [UInt16](repeating: 0, count: raw.count)
    let millimeters = millimeters
    expected.withUnsafeMutableBufferPointer { target in
      DepthRegistration(Self.calibration).register(to: target.baseAddress!) { y, row in
        for x in 0..<640 { row[x] = millimeters[y * 640 + x] }
      }
    }
    #expect(!areSame(expected, millimeters))
    #expect(areSame(try PictureFile.readGrey16(path: "\(path)/depth/\(name)").samples, expected))
  }

  @Test func `a replay's depth is laid over colour unless told otherwise`() throws {
    let path = folder.path("replayed")
    try CommandLineTool.run([
      "replay", recording, "--tap", "depth", "--output", "png:\(path)", "--set", "depth.registration=none",
    ])
    #expect(areSame(try PictureFile.readGrey16(path: path + "/000000.png").samples, millimeters))
    let laid = folder.path("laid")
    try CommandLineTool.run(["replay", recording, "--tap", "depth", "--output", "png:\(laid)"])
    #expect(!areSame(try PictureFile.readGrey16(path: laid + "/000000.png").samples, millimeters))
  }

  @Test func `infrared light of 16 bits is exported as it is`() throws {
    #expect(areSame(try exportPNG("infrared"), light))
  }

  @Test func `counts of no known distance are exported raw or not at all`() throws {
    let refused = try CommandLineTool.run(
      ["export", "png", recording, "-o", folder.path("refused"), "--stream", "counts"], expecting: 1)
    #expect(refused.errors.contains("does not give its depth unit"))
    #expect(refused.errors.contains("--depth raw"))
    #expect(areSame(try exportPNG("counts", ["--depth", "raw"]), light))
  }

  @Test func `counts of no known distance keep no colour from a TUM folder or an MCAP file`() throws {
    let path = folder.path("counts.retake")
    try HandMadeRecording.make(
      path,
      streams: [
        try TestFrames.stream("color", .color, FrameLayout(.bayerGRBG8, width: 64, height: 48)),
        try TestFrames.stream("depth", .depth, FrameLayout(.grey16, width: 64, height: 48)),
      ],
      [
        .init(stream: 0, index: 0, bytes: [UInt8](repeating: 90, count: 64 * 48)),
        .init(stream: 1, index: 0, bytes: Self.bytes(light)),
      ])
    let tum = folder.path("counts-tum")
    try CommandLineTool.run(["export", "tum", path, "-o", tum])
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(tum)/rgb").count == 1)
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: "\(tum)/depth").first)
    #expect(areSame(try PictureFile.readGrey16(path: "\(tum)/depth/\(name)").samples, light))
    #expect(try String(contentsOfFile: "\(tum)/depth.txt", encoding: .utf8).hasPrefix("# depth maps, as sent\n"))
    try CommandLineTool.run(["export", "mcap", path, "-o", folder.path("counts.mcap")])
    #expect(FileManager.default.fileExists(atPath: folder.path("counts.mcap")))
  }
}
