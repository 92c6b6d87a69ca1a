import CommandTestSupport
import Foundation
import FrameModel
import Media
import RecordingStore
import TestSupport
import Testing

/// What `retake export png` writes is what the recording holds, sample for sample.
@Suite(.long) struct PNGExportTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func export(_ recording: String, _ name: String, _ options: [String] = [], expecting status: Int32 = 0)
    throws -> (path: String, facts: [String: Any])
  {
    let path = folder.path(name)
    let result = try CommandLineTool.run(
      ["export", "png", recording, "-o", path, "--json"] + options, expecting: status)
    return (path, try CommandLineTool.json(result.text))
  }

  private func lines(_ path: String) throws -> [[String]] {
    try String(contentsOfFile: path + "/frames.csv", encoding: .utf8).split(separator: "\n").dropFirst()
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }

  /// Bit depth and colour type, from the file's header.
  private func kind(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path))[24..<26])
  }

  private func samples(_ path: String) throws -> [UInt8] {
    try PictureFile.readGrey16(path: path).samples.withUnsafeBytes { Array($0) }
  }

  @Test func `every sample is there, under the frame's number, with its times beside`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=7&size=161x97&depth-size=64x48")
    let (path, facts) = try export(source, "png")
    #expect(facts["is_whole"] as? Bool == true)
    #expect(facts["frames"] as? [String: Int] == ["color": 7, "depth": 7, "alpha": 7])
    let recording = try Recording(path: source)
    for (index, stream) in recording.streams.enumerated() {
      let frames = try RecordedFrames.bytes(of: stream.name, in: source)
      let rows = try recording.frameRows(stream: index, from: 0, limit: 100)
      let listed = try lines("\(path)/\(stream.name)")
      try #require(listed.count == 7)
      for (number, row) in rows.enumerated() {
        let file = "\(path)/\(stream.name)/00000\(number).png"
        switch stream.kind {
        case .depth:
          #expect(try kind(file) == [16, 0])
          #expect(areSame(try samples(file), frames[number]))
        case .alpha:
          #expect(try kind(file) == [8, 0])
          // Read as RGB: each grey sample three times.
          #expect(areSame(try PictureFile.readColor(path: file).pixels, frames[number].flatMap { [$0, $0, $0] }))
        default:
          #expect(try kind(file) == [8, 2])
          #expect(areSame(try PictureFile.readColor(path: file).pixels, frames[number]))
        }
        let times = row.timestamps
        #expect(
          listed[number] == [
            "\(number)", "\(times.presentation.nanoseconds)", "\(times.arrival.nanoseconds)",
            times.deviceTick.map { "\($0)" } ?? "", "0", "00000\(number).png",
          ])
      }
    }
  }

  @Test func `the number of threads changes no byte`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=23&size=64x48&depth-fps=10")
    let one = try export(source, "one", ["--threads", "1"]).path
    let many = try export(source, "many", ["--threads", "5"]).path
    let names = try #require(FileManager.default.subpaths(atPath: one)).sorted()
    #expect(names == FileManager.default.subpaths(atPath: many)?.sorted())
    for name in names where name.contains(".") {
      let files = try [one, many].map { try Data(contentsOf: URL(fileURLWithPath: "\($0)/\(name)")) }
      #expect(areSame(files[0], files[1]), "\(name)")
    }
  }

  @Test(arguments: ["YUYV", "NV12", "GREY", "GRBG8"]) func `colour of any format is as replay sees it`(format: String)
    throws
  {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=2&size=63x41&format=\(format)")
    let (path, facts) = try export(source, "png", ["--stream", "color"])
    #expect(facts["frames"] as? [String: Int] == ["color": 2])
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["color", "streams.json"])
    let pictures = folder.path("replayed")
    try CommandLineTool.run(["replay", source, "--tap", "original", "--output", "png:\(pictures)"])
    for name in ["000000.png", "000001.png"] {
      let exported = try PictureFile.readColor(path: "\(path)/color/\(name)")
      #expect(areSame(exported, try PictureFile.readColor(path: "\(pictures)/\(name)")))
      #expect(try kind("\(path)/color/\(name)") == (format == "GREY" ? [8, 0] : [8, 2]))
    }
  }

  @Test func `a Kinect's depth comes in millimetres, or as it was recorded`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=1&size=64x48&depth=raw11")
    let replayed = folder.path("replayed")
    try CommandLineTool.run(["replay", source, "--tap", "depth", "--output", "png:\(replayed)"])
    let (path, _) = try export(source, "mm", ["--stream", "depth"])
    #expect(areSame(try samples(path + "/depth/000000.png"), try samples(replayed + "/000000.png")))
    let (raw, _) = try export(source, "raw", ["--stream", "depth", "--depth", "raw"])
    #expect(areSame(try samples(raw + "/depth/000000.png"), try RecordedFrames.bytes(of: "depth", in: source)[0]))

    let disparity = try CommandLineTool.recordSimulated(folder, "b.retake", "frames=1&size=64x48&depth=disparity")
    let refused = try CommandLineTool.run(
      ["export", "png", disparity, "-o", folder.path("x"), "--depth", "raw"], expecting: 1)
    #expect(refused.errors.contains("32 bits") && refused.errors.contains("hint: "))
    #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
  }

  @Test func `a span holds its frame sets and what other streams saw meanwhile`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=20&size=64x48&depth-fps=10")
    let (path, facts) = try export(source, "png", ["--from", "4", "--to", "10"])
    let sets = try Recording(path: source).frameSets(4..<11)
    let depth = sets.flatMap { $0.partners.filter { $0.stream == 1 } }.map(\.number)
    try #require(depth.count == 2)
    #expect(facts["frames"] as? [String: Int] == ["color": 7, "depth": 2, "alpha": 7])
    #expect(try lines(path + "/color").map { $0[0] } == (4...10).map { "\($0)" })
    #expect(try lines(path + "/depth").map { $0[0] } == depth.map { "\($0)" })
    #expect(
      try export(source, "end", ["--from", "19"]).facts["frames"] as? [String: Int] == [
        "color": 1, "depth": 0, "alpha": 1,
      ])
    let beyond = try CommandLineTool.run(
      ["export", "png", source, "-o", folder.path("x"), "--from", "20"], expecting: 1)
    #expect(beyond.errors.contains("no frame set 20") && beyond.errors.contains("it has 20"))
    try CommandLineTool.run(
      ["export", "png", source, "-o", folder.path("x"), "--from", "3", "--to", "2"], expecting: 64)
    // The other formats know spans too.
    let tum = folder.path("tum")
    let result = try CommandLineTool.run(["export", "tum", source, "-o", tum, "--json", "--from", "4", "--to", "10"])
    let tumFacts = try CommandLineTool.json(result.text)
    #expect(tumFacts["frames"] as? [String: Int] == ["color": 7, "depth": 2, "alpha": 7])
    #expect(tumFacts["pairs"] as? Int == 2)
  }

  @Test func `damaged frames are left out, named, and have no file in the list`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=40&size=64x48&damage=0.2&alpha=0")
    let recording = try Recording(path: source)
    var damaged: [String] = []
    for (index, stream) in recording.streams.enumerated() {
      for row in try recording.frameRows(stream: index, from: 0, limit: 100) where row.flags.contains(.damaged) {
        damaged.append("\(stream.name) \(row.number)")
      }
    }
    try #require(damaged.count > 1)
    // And one that the disk damaged.
    let rows = try recording.frameRows(stream: 0, from: 0, limit: 100)
    let flipped = try #require(rows.first { !$0.flags.contains(.damaged) })
    let file = URL(fileURLWithPath: source + "/chunks/000000.mcap")
    var bytes = try Data(contentsOf: file)
    bytes[flipped.place.offset + flipped.place.length - 10] ^= 4
    try bytes.write(to: file)
    damaged.append("color \(flipped.number)")

    let (path, facts) = try export(source, "png", expecting: 3)
    #expect((facts["damaged_frames"] as? [String])?.sorted() == damaged.sorted())
    for stream in ["color", "depth"] {
      let listed = try lines("\(path)/\(stream)")
      #expect(listed.count == 40)
      let leftOut = listed.filter { $0[5].isEmpty }.map { "\(stream) \($0[0])" }
      #expect(
        leftOut
          == damaged.filter { $0.hasPrefix(stream) }.sorted { $0.count != $1.count ? $0.count < $1.count : $0 < $1 })
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(stream)").filter { $0 != "frames.csv" }
      #expect(files.sorted() == listed.map { $0[5] }.filter { !$0.isEmpty })
    }
    let said = try CommandLineTool.run(["export", "png", source, "-o", folder.path("y")], expecting: 3)
    #expect(said.errors.contains("damaged frames were left out: ") && said.errors.contains("color \(flipped.number)"))
  }

  @Test func `JPEG frames are decoded, and what is no JPEG is left out`() throws {
    let jpeg = try JPEGEncoder.encode(RGBImage(width: 48, height: 32, red: 200, green: 90, blue: 30))
    let stream = try TestFrames.stream("color", .color, FrameLayout(.jpeg, width: 48, height: 32))
    let recording = folder.path("jpeg.retake")
    try HandMadeRecording.make(
      recording, streams: [stream],
      [jpeg, [UInt8](repeating: 7, count: 99), jpeg].enumerated().map { .init(index: $0, bytes: $1) })
    let (path, facts) = try export(recording, "png", expecting: 3)
    #expect(facts["damaged_frames"] as? [String] == ["color 1"])
    #expect(facts["frames"] as? [String: Int] == ["color": 2])
    let file = folder.path("a.jpg")
    try Data(jpeg).write(to: URL(fileURLWithPath: file))
    let expected = try PictureFile.readColor(path: file)
    for name in ["000000.png", "000002.png"] {
      #expect(areSame(try PictureFile.readColor(path: "\(path)/color/\(name)"), expected))
    }
    #expect(!FileManager.default.fileExists(atPath: path + "/color/000001.png"))
    #expect(try lines(path + "/color").map { $0[5] } == ["000000.png", "", "000002.png"])
  }

  @Test func `a stream's name leads nowhere else, and wrong words get a hint`() throws {
    let recording = folder.path("a.retake")
    let layout = try FrameLayout(.grey8, width: 4, height: 2)
    try HandMadeRecording.make(
      recording, streams: [try TestFrames.stream("../../escaped", .color, layout)],
      [.init(index: 0, bytes: [UInt8](repeating: 9, count: 8))])
    let refused = try CommandLineTool.run(["export", "png", recording, "-o", folder.path("deep/x")], expecting: 1)
    #expect(refused.errors.contains("cannot be used as a folder name"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.retake"])

    let source = try CommandLineTool.recordSimulated(folder, "b.retake", "frames=1&size=64x48")
    let unknown = try CommandLineTool.run(
      ["export", "png", source, "-o", folder.path("x"), "--stream", "colour"], expecting: 64)
    #expect(unknown.errors.contains("did you mean color?"))
    for (option, value) in [("--scale", "1000"), ("--rate", "30"), ("--depth", "m"), ("--threads", "0")] {
      let wrong = try CommandLineTool.run(
        ["export", "png", source, "-o", folder.path("x"), option, value], expecting: 64)
      #expect(wrong.errors.contains(option))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
  }
}
