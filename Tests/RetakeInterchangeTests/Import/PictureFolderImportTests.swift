import CommandTestSupport
import Foundation
import FrameModel
import RecordingStore
import TestSupport
import Testing

/// Folders of numbered pictures, as data sets have them.
@Suite(.long) struct PictureFolderImportTests {
  private let folder: TemporaryFolder
  private var source: String { folder.path("set") }
  private var recording: String { folder.path("imported.retake") }
  init() throws { folder = try TemporaryFolder() }

  /// - Returns: the pictures in the order of their numbers, by stream.
  private func write(_ layout: String, _ ending: String = "png") throws -> [String: [[String: Any]]] {
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/write_picture_folder.py"
    let result = try ChildProcess.run(Checkout.python, [script, source, layout, ending])
    try #require(result.status == 0, "\(result.errors)")
    return Dictionary(grouping: try CommandLineTool.jsonLines(result.text)) { $0["stream"] as? String ?? "" }
  }

  private func read() throws -> [String: [[String: Any]]] {
    Dictionary(grouping: try ForeignFiles.read(recording)) { $0["stream"] as? String ?? "" }
  }

  private func expectPictures(_ expected: [String: [[String: Any]]], period: Int) throws {
    let found = try read()
    #expect(found.keys.sorted() == expected.keys.sorted())
    for (stream, pictures) in expected {
      let frames = try #require(found[stream])
      #expect(frames.map { $0["sha256"] as? String } == pictures.map { $0["sha256"] as? String }, "\(stream)")
      #expect(frames.map { $0["format"] as? String } == pictures.map { $0["format"] as? String })
      #expect(frames.map { $0["presentation"] as? Int } == pictures.indices.map { $0 * period })
      #expect(frames.allSatisfy { $0["flags"] as? Int == 0 })
    }
  }

  @Test(arguments: ["png", "jpg"]) func `7-Scenes and TSDF-fusion: millimetres, without 65535`(ending: String) throws {
    let expected = try write("7-scenes", ending)
    let asked = try ForeignFiles.importFile(source, to: recording, expecting: 64)
    #expect(asked.errors.contains("--fps"))
    let result = try ForeignFiles.importFile(source, to: recording, ["--fps", "25"])
    #expect(result.errors.contains("left out \(source)/frame-*.pose.txt: 6 files"))
    #expect(!result.errors.contains("camera-intrinsics"))
    try expectPictures(expected, period: 40_000_000)
    let streams = try Recording(path: recording).streams
    #expect(streams.map(\.rate.description) == ["25", "25"])
    #expect(streams.allSatisfy { $0.settings["intrinsics"] == "fx=585.5 fy=586.0 cx=320.25 cy=240.0" })
    #expect(try Recording(path: recording).frameSetCount() == 6)
  }

  @Test func `a JPEG that is cut is kept and flagged, with exit code 3`() throws {
    _ = try write("7-scenes", "jpg")
    let picture = source + "/frame-000009.color.jpg"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: picture))
    try bytes.dropLast(bytes.count / 3).write(to: URL(fileURLWithPath: picture))
    let result = try ForeignFiles.importFile(source, to: recording, ["--fps", "30"], expecting: 3)
    #expect(result.errors.contains("Damaged frames, kept and flagged: color 1."), "\(result.errors)")
    #expect(!result.errors.contains("error: "))
  }

  @Test func `ScanNet: folders with the intrinsics of each camera`() throws {
    let expected = try write("scannet", "jpg")
    let result = try ForeignFiles.importFile(source, to: recording, ["--fps", "20"])
    #expect(result.errors.contains("left out \(source)/pose"))
    try expectPictures(expected, period: 50_000_000)
    let lenses = try Recording(path: recording).streams.map { $0.settings["intrinsics"] }
    #expect(lenses == ["fx=1171.0 fy=1172.0 cx=640.5 cy=480.0", "fx=585.5 fy=586.0 cx=320.25 cy=240.0"])
  }

  @Test func `other folders of colour and depth: the unit of depth is asked for`() throws {
    let expected = try write("open3d")
    let asked = try ForeignFiles.importFile(source, to: recording, ["--fps", "20"], expecting: 64)
    #expect(asked.errors.contains("unit of its depth") && asked.errors.contains("--scale"))
    #expect(!FileManager.default.fileExists(atPath: recording))
    try ForeignFiles.importFile(source, to: recording, ["--fps", "20", "--scale", "1mm"])
    try expectPictures(expected, period: 50_000_000)
  }

  @Test func `any pattern, with intrinsics of the user's`() throws {
    let expected = try write("own")
    let lens = folder.path("lens.txt")
    try "500 501 20.5 18\n".write(toFile: lens, atomically: true, encoding: .utf8)
    let patterns = ["--color", "left cam/im_*_c.png", "--depth", "z16/d%d.png"]
    let result = try ForeignFiles.importFile(
      source, to: recording, patterns + ["--scale", "1000", "--fps", "20", "--intrinsics", lens])
    #expect(!result.errors.contains("left out"), "\(result.errors)")
    try expectPictures(expected, period: 50_000_000)
    #expect(
      try Recording(path: recording).streams.allSatisfy {
        $0.settings["intrinsics"] == "fx=500.0 fy=501.0 cx=20.5 cy=18.0"
      })
    // Only depth, later by 30 ms.
    let depth = folder.path("depth.retake")
    try ForeignFiles.importFile(source, to: depth, ["--depth", "z16/*.png", "--scale", "5000", "--fps", "20"])
    let streams = try Recording(path: depth).streams
    #expect(streams.map(\.name) == ["depth"] && streams[0].layout.format == .grey16)
    #expect(streams[0].settings["depth-unit-micrometers"] == "200")
  }

  @Test func `missing and damaged pictures are counted, and all others are imported`() throws {
    let expected = try write("7-scenes")
    try FileManager.default.removeItem(atPath: source + "/frame-000009.depth.png")
    try Data("no picture".utf8).write(to: URL(fileURLWithPath: source + "/frame-000008.color.png"))
    let result = try ForeignFiles.importFile(source, to: recording, ["--fps", "25"], expecting: 3)
    #expect(result.errors.contains("frame-000008.color.png") || result.errors.contains("Picture 9"))
    let summary = try Recording(path: recording).summary()
    #expect(summary.streams.map(\.frameCount) == [5, 5])
    let lost = summary.losses.filter { $0.reason == "dropped" }
    #expect(lost.map { "\($0.stream) \($0.count)" } == ["0 1", "1 1"])
    let found = try read()
    let kept = ["color": [0, 2, 3, 4, 5], "depth": [0, 1, 3, 4, 5]]
    for (stream, numbers) in kept {
      #expect(
        found[stream]?.map { $0["sha256"] as? String } == numbers.map { expected[stream]?[$0]["sha256"] as? String })
      #expect(found[stream]?.map { $0["presentation"] as? Int } == numbers.map { $0 * 40_000_000 })
    }
  }

  @Test func `what is no folder of pictures is refused with its reason`() throws {
    _ = try write("own")
    func refused(_ options: [String], _ status: Int32, _ words: [String]) throws {
      let result = try ForeignFiles.importFile(source, to: folder.path("no.retake"), options, expecting: status)
      for word in words + ["error: ", "hint: "] {
        #expect(result.errors.contains(word), "\(options): \(result.errors)")
      }
      #expect(!FileManager.default.fileExists(atPath: folder.path("no.retake")))
    }
    let rate = ["--fps", "30", "--scale", "1mm"]
    try refused([], 1, ["unknown"])
    try refused(["--color", "z16/*.png"] + rate, 1, ["16 bits", "--depth"])
    try refused(["--depth", "left cam/*.png"] + rate, 1, ["is no depth"])
    try refused(["--depth", "z16/*.jpg"] + rate, 1, ["no picture"])
    try refused(["--depth", "*/*.png"] + rate, 64, ["--depth '*/*.png'"])
    try refused(["--depth", "z16"] + rate, 64, ["--depth 'z16'"])
    try refused(["--depth", "z16/*.png", "--scale", "1mm", "--fps", "100000"], 64, ["--fps 100000"])
    try refused(["--color", "left cam/*.png", "--depth-offset", "1s"] + rate, 64, ["--depth-offset needs depth"])
    func copy(_ name: String) throws {
      try FileManager.default.copyItem(atPath: source + "/z16/d70.png", toPath: source + "/z16/\(name).png")
    }
    try copy("d070")
    try refused(["--depth", "z16/*.png"] + rate, 1, ["same number 70"])
    try FileManager.default.removeItem(atPath: source + "/z16/d070.png")
    try copy("none")
    try refused(["--depth", "z16/*.png"] + rate, 1, ["none.png", "no frame number"])
    try FileManager.default.removeItem(atPath: source + "/z16/none.png")
    try copy("e71")
    try refused(["--depth", "z16/*.png"] + rate, 1, ["e71.png", "differ in more than numbers"])
    try FileManager.default.removeItem(atPath: source + "/z16/e71.png")
    try copy("d1305031102.175304")
    try refused(["--depth", "z16/*.png"] + rate, 1, ["no frame number"])
    try FileManager.default.removeItem(atPath: source + "/z16/d1305031102.175304.png")
    try copy("d1305031102175304001")
    try refused(["--depth", "z16/*.png"] + rate, 1, ["no frame number"])
    try FileManager.default.removeItem(atPath: source + "/z16/d1305031102175304001.png")
    try copy("d130503110217530401")
    try refused(["--depth", "z16/*.png"] + rate, 1, ["most of which are missing"])
  }
}
