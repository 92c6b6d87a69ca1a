import CommandTestSupport
import Foundation
import FrameModel
import Media
import RecordingStore
import TestSupport
import Testing

/// What `retake export tum` writes is what the recording holds.
@Suite(.long) struct TUMExportTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func export(_ recording: String, _ name: String, _ options: [String] = [], expecting status: Int32 = 0)
    throws -> (path: String, facts: [String: Any])
  {
    let path = folder.path(name)
    let result = try CommandLineTool.run(
      ["export", "tum", recording, "-o", path, "--json"] + options, expecting: status)
    return (path, try CommandLineTool.json(result.text))
  }

  private func recordBack(_ dataSet: String, _ name: String, scale: Int = 5000) throws -> String {
    let path = folder.path(name)
    try CommandLineTool.run(
      ["record", "--device", "tum:\(dataSet)?scale=\(scale)", "-o", path, "--keep-free", "0"])
    return path
  }

  private func lines(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("#") }
  }

  @Test(arguments: [5000, 1000]) func `an exported recording records back with the same pixels`(scale: Int) throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=7&size=161x97&depth-size=64x48")
    let (path, facts) = try export(source, "tum", ["--scale", "\(scale)"])
    #expect(facts["is_whole"] as? Bool == true)
    #expect(facts["frames"] as? [String: Int] == ["color": 7, "depth": 7, "alpha": 7])
    #expect(facts["pairs"] as? Int == 7)
    let back = try recordBack(path, "b.retake", scale: scale)
    for stream in ["color", "depth", "alpha"] {
      let frames = try RecordedFrames.bytes(of: stream, in: source)
      #expect(areSame(frames, try RecordedFrames.bytes(of: stream, in: back)), "\(stream)")
      #expect(frames.count == 7)
    }
    let pairs = try lines(path + "/associations.txt").map { $0.split(separator: " ").map(String.init) }
    #expect(pairs.count == 7)
    for pair in pairs {
      #expect(pair[1] == "rgb/\(pair[0]).png" && pair[3] == "depth/\(pair[2]).png")
      for file in [pair[1], pair[3]] { #expect(FileManager.default.fileExists(atPath: "\(path)/\(file)")) }
    }
  }

  @Test func `times of a data set are those of its export, and the recording's start`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=2&size=64x48&alpha=0")
    let (path, _) = try export(source, "tum")
    let stamps = ["1341846313.592026", "1341846313.625359"]
    for (name, file) in [("rgb", "rgb.txt"), ("depth", "depth.txt")] {
      let old = try lines(path + "/" + file).map { String($0.split(separator: " ")[1]) }
      let list = zip(stamps, old).map { "\($0) \($1)" }.joined(separator: "\n")
      try "# \(name), 5000 units per metre\n\(list)\n".write(
        toFile: path + "/" + file, atomically: true, encoding: .utf8)
    }
    try "1341846313.5 0 0 0\n".write(toFile: path + "/groundtruth.txt", atomically: true, encoding: .utf8)
    let back = folder.path("b.retake")
    let result = try CommandLineTool.run(["import", path, "-o", back, "--keep-free", "0", "--scale", "5000"])
    #expect(result.errors.contains("left out \(path)/groundtruth.txt"), "\(result.errors)")
    #expect(try Recording(path: back).identity.wallClockNanoseconds == 1_341_846_313_592_026_000)
    // The simulated room is a few metres deep.
    let reach = try #require(
      result.errors.firstMatch(of: /Most of stream 'depth' is (\d\.\d+) m to (\d\.\d) m away\.\n/), "\(result.errors)")
    #expect(try #require(Double(reach.1)) > 0.5 && #require(Double(reach.2)) < 8)
    let wrong = try CommandLineTool.run([
      "import", path, "-o", folder.path("w.retake"), "--keep-free", "0", "--scale", "10",
    ])
    #expect(
      wrong.errors.contains("is 65.5 m or more away; if that is wrong, import it again under another name, with"),
      "\(wrong.errors)")
    for file in ["rgb.txt", "depth.txt"] {
      #expect(
        try lines(export(back, "again-\(file)").path + "/" + file).map { $0.split(separator: " ")[0] }
          == stamps.map { $0[...] })
    }
  }

  @Test(arguments: ["YUYV", "NV12", "GREY", "GRBG8"]) func `colour of any format becomes RGB`(format: String) throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=2&size=63x41&format=\(format)")
    let (path, _) = try export(source, "tum")
    let pictures = folder.path("replayed")
    try CommandLineTool.run(["replay", source, "--tap", "original", "--output", "png:\(pictures)"])
    for (index, line) in try lines(path + "/rgb.txt").enumerated() {
      let name = try #require(line.split(separator: " ").last)
      let exported = try PictureFile.readColor(path: "\(path)/\(name)")
      #expect(areSame(exported, try PictureFile.readColor(path: "\(pictures)/00000\(index).png")))
    }
  }

  @Test func `depth of a Kinect is exported as millimetres`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=1&size=64x48&depth=raw11")
    let (path, _) = try export(source, "tum", ["--scale", "1000"])
    let replayed = folder.path("replayed")
    try CommandLineTool.run(["replay", source, "--tap", "depth", "--output", "png:\(replayed)"])
    let name = try #require(try lines(path + "/depth.txt")[0].split(separator: " ").last)
    #expect(
      areSame(
        try PictureFile.readGrey16(path: "\(path)/\(name)"),
        try PictureFile.readGrey16(path: replayed + "/000000.png")))
  }

  @Test func `damaged frames are left out, counted, and in no list`() throws {
    let recording = folder.path("a.retake")
    try CommandLineTool.run([
      "record", "--device", "simulated?pace=fast&frames=40&size=64x48&damage=0.2&alpha=0", "-o", recording,
      "--keep-free", "0",
    ])
    let summary = try Recording(path: recording).summary()
    let damaged = summary.streams.reduce(0) { $0 + $1.damagedCount }
    try #require(damaged > 0)
    let (path, facts) = try export(recording, "tum", expecting: 3)
    #expect(facts["damaged"] as? Int == damaged)
    let color = try lines(path + "/rgb.txt")
    let depth = try lines(path + "/depth.txt")
    #expect(color.count == 40 - summary.streams[0].damagedCount)
    #expect(depth.count == 40 - summary.streams[1].damagedCount)
    for line in color + depth {
      let name = try #require(line.split(separator: " ").last)
      #expect(FileManager.default.fileExists(atPath: "\(path)/\(name)"))
    }
    let pairs = try lines(path + "/associations.txt")
    #expect(pairs.count == facts["pairs"] as? Int)
    for pair in pairs {
      let words = pair.split(separator: " ")
      #expect(color.contains("\(words[0]) \(words[1])") && depth.contains("\(words[2]) \(words[3])"))
    }
    _ = try recordBack(path, "b.retake")
  }

  @Test func `a flipped bit costs one frame`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=5&size=64x48&alpha=0")
    let rows = try Recording(path: source).frameRows(stream: 0, from: 2, limit: 1)
    let place = try #require(rows.first).place
    let file = URL(fileURLWithPath: source + "/chunks/000000.mcap")
    var bytes = try Data(contentsOf: file)
    bytes[place.offset + place.length - 10] ^= 4
    try bytes.write(to: file)
    let (_, facts) = try export(source, "tum", expecting: 3)
    #expect(facts["damaged"] as? Int == 1)
    #expect(facts["frames"] as? [String: Int] == ["color": 4, "depth": 5])
    #expect(facts["pairs"] as? Int == 4)
  }

  @Test func `depth too far for the unit becomes a hole and is counted`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=1&size=64x48&alpha=0")
    // A hundredth of a millimetre: 16 bits end at 655 mm.
    let (path, facts) = try export(source, "tum", ["--scale", "100000"], expecting: 3)
    let millimeters = try RecordedFrames.bytes(of: "depth", in: source)[0].withUnsafeBytes {
      Array($0.bindMemory(to: UInt16.self))
    }
    let far = millimeters.filter { $0 > 655 }.count
    #expect(far > 0)
    #expect(facts["far_samples"] as? Int == far)
    let name = try #require(try lines(path + "/depth.txt")[0].split(separator: " ").last)
    let samples = try PictureFile.readGrey16(path: "\(path)/\(name)").samples
    #expect(samples == millimeters.map { $0 > 655 ? 0 : $0 * 100 })
  }

  @Test func `JPEG frames stay as they came, and times are the wall clock's`() throws {
    let layout = try FrameLayout(.jpeg, width: 48, height: 32)
    let jpeg = try JPEGEncoder.encode(RGBImage(width: 48, height: 32, red: 200, green: 90, blue: 30))
    let recording = folder.path("jpeg.retake")
    let damaged = [UInt8](repeating: 7, count: jpeg.count)
    try HandMadeRecording.make(
      recording, streams: [try TestFrames.stream("color", .color, layout)],
      [.init(index: 0, bytes: jpeg), .init(index: 1, bytes: damaged), .init(index: 2, bytes: jpeg)])
    let (path, facts) = try export(recording, "tum", expecting: 3)
    #expect(facts["damaged"] as? Int == 1)
    let names = try lines(path + "/rgb.txt").map { String($0.split(separator: " ")[1]) }
    #expect(names.count == 2)
    #expect(names.allSatisfy { $0.hasPrefix("rgb/17000000") && $0.hasSuffix(".jpg") })
    for name in names {
      #expect(areSame([UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))), jpeg))
    }
  }

  @Test func `nothing is written over, and a wrong word gets a hint`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=1&size=64x48")
    let taken = folder.path("taken")
    try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: taken + "/mine"))
    let refused = try CommandLineTool.run(["export", "tum", source, "-o", taken], expecting: 1)
    #expect(refused.errors.contains("not empty") && refused.errors.contains("hint: "))
    #expect(try FileManager.default.contentsOfDirectory(atPath: taken) == ["mine"])
    let file = try CommandLineTool.run(["export", "tum", source, "-o", taken + "/mine"], expecting: 1)
    #expect(file.errors.contains("is not a folder"))
    let unknown = try CommandLineTool.run(["export", "tun", source, "-o", folder.path("x")], expecting: 64)
    #expect(unknown.errors.contains("'tun'") && unknown.errors.contains("did you mean tum"))
    try CommandLineTool.run(["export", "tum", source, "-o", folder.path("x"), "--scale", "0"], expecting: 64)
    try CommandLineTool.run(["export", "tum", source], expecting: 64)
    let missing = try CommandLineTool.run(["export", "tum", folder.path("no"), "-o", folder.path("x")], expecting: 1)
    #expect(missing.errors.contains("There is no recording"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
    let quiet = try CommandLineTool.run(["export", "tum", source, "-o", folder.path("y"), "--quiet"])
    #expect(quiet.errors.isEmpty && quiet.output.isEmpty)
  }
}

/// Frames as the store reads them.
enum RecordedFrames {
  static func bytes(of stream: String, in path: String) throws -> [[UInt8]] {
    let recording = try Recording(path: path)
    let index = try #require(recording.streams.firstIndex { $0.name == stream })
    let reader = try FrameReader(recording)
    return try recording.frameRows(stream: index, from: 0, limit: 10_000).map { try reader.frame($0).copiedBytes }
  }
}
