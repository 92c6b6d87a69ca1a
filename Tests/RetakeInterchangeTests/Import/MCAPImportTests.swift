import CommandTestSupport
import Foundation
import FrameModel
import Media
import RecordingStore
import TestSupport
import Testing

/// What PyPI's mcap wrote as ROS 2, ROS 1 and Foxglove do, `retake import` records, pixel for pixel.
@Suite(.long) struct MCAPImportTests {
  private let folder: TemporaryFolder
  private var source: String { folder.path("foreign.mcap") }
  private var recording: String { folder.path("imported.retake") }
  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ["ros2", "compressed", "ros1", "json"], ["zstd", "lz4", "none"])
  func `every encoding comes over, pixel for pixel`(name: String, compression: String) throws {
    let expected = try ForeignFiles.writeMCAP(source, name, compression: compression)
    let result = try ForeignFiles.importFile(source, to: recording)
    let sentence = "left out of the pictures of /png_16: the lower 8 of their 16 bits"
    #expect(result.errors.contains(sentence) == (name == "compressed"), "\(result.errors)")
    let found = try ForeignFiles.read(recording)
    #expect(try ForeignFiles.byTopic(found) == ForeignFiles.byTopic(expected))
    #expect(Set(found.compactMap { $0["rate"] as? String }) == ["30"])
    // Arrivals are the log times, counted from the first; the recording's wall clock is that first one.
    let logs = expected.compactMap { $0["log"] as? Int }
    #expect(found.compactMap { $0["arrival"] as? Int }.sorted() == logs.map { $0 - logs[0] }.sorted())
    let identity = try Recording(path: recording).identity
    #expect(identity.wallClockNanoseconds == Int64(logs[0]))
    try CommandLineTool.run(["verify", recording])
  }

  @Test func `depth, colour and infrared are told apart, and colour comes first`() throws {
    _ = try ForeignFiles.writeMCAP(source, "ros2")
    try ForeignFiles.importFile(source, to: recording)
    let streams = try Recording(path: recording).streams
    for stream in streams { #expect((stream.kind == .depth) == stream.layout.format.isDepth) }
    #expect(streams.map(\.kind) == Array(repeating: .color, count: 12) + Array(repeating: .depth, count: 4))
    #expect(streams[0].name == "color" && streams[1].name == "color-1" && streams[12].name == "depth")
    // Every colour frame has its partners.
    let summary = try Recording(path: recording).summary()
    #expect(summary.frameSetCount == 12)
    #expect(summary.losses.isEmpty)
  }

  @Test func `damaged pictures are kept and flagged, lost ones counted, and what has no place is named`() throws {
    let expected = try ForeignFiles.writeMCAP(source, "odd")
    let result = try ForeignFiles.importFile(source, to: recording, expecting: 3)
    #expect(try ForeignFiles.byTopic(ForeignFiles.read(recording)) == ForeignFiles.byTopic(expected))
    for words in [
      "left out /hdr", "64FC3", "left out /video", "left out /imu: it has motion data (sensor_msgs/msg/Imu)",
      "left out /microphone: it has sound", "color 1, color-1 2",
      "2 frame sets are incomplete",
    ] { #expect(result.errors.contains(words), "\(words): \(result.errors)") }
    let streams = try Recording(path: recording).streams
    #expect(streams.map(\.kind) == [.color, .color, .color, .infrared, .infrared])
  }

  @Test func `topics that are stamped by different clocks are paired, and disorder is said`() throws {
    let expected = try ForeignFiles.writeMCAP(source, "clocks")
    let result = try ForeignFiles.importFile(source, to: recording)
    #expect(result.errors.contains("/swapped: 1 messages are out of order"))
    let found = try ForeignFiles.read(recording)
    #expect(try ForeignFiles.byTopic(found) == ForeignFiles.byTopic(expected))
    let times = ["/color", "/depth"].map { topic in
      found.filter { $0["topic"] as? String == topic }.compactMap { $0["presentation"] as? Int }
    }
    #expect(times[0] == times[1])
    #expect(times[0] == (0..<9).map { $0 * 33_333_333 })
    let unpaired = try Recording(path: recording).summary().losses.filter { $0.stream == 2 }
    #expect(unpaired.isEmpty)
  }

  @Test(arguments: ["pace-double", "pace-zero", "pace-topics", "pace-topics-logged", "pace-set"])
  func `pictures keep their times where the log's pace is another`(name: String) throws {
    let expected = try ForeignFiles.writeMCAP(source, name)
    let result = try ForeignFiles.importFile(source, to: recording)
    let isOfLog = ["pace-set", "pace-topics-logged"].contains(name)
    #expect(result.errors.contains("times are the pictures' own") == !isOfLog, "\(result.errors)")
    let found = try ForeignFiles.read(recording)
    #expect(try ForeignFiles.byTopic(found) == ForeignFiles.byTopic(expected))
    let times = ["/color", "/depth"].map { topic in
      found.filter { $0["topic"] as? String == topic }.compactMap { $0["presentation"] as? Int }
    }
    #expect(times[0] == (0..<12).map { $0 * (name.contains("topics") ? 1_500_000_000 : 33_333_333) })
    if name != "pace-set" { #expect(times[1] == times[0].map { $0 + 2_000_000 }) }
    let summary = try Recording(path: recording).summary()
    #expect(summary.frameSetCount == 12)
    #expect(Set(summary.losses.map(\.reason)) == (name == "pace-set" ? ["wrong-timestamp"] : []))
  }

  @Test func `topics are chosen, in the order given`() throws {
    let expected = try ForeignFiles.writeMCAP(source, "ros2")
    try ForeignFiles.importFile(source, to: recording, ["--topic", "/rgb8", "--topic", "/16UC1", "--topic", "/bgr8"])
    let streams = try Recording(path: recording).streams
    #expect(streams.map { $0.settings.first { $0.name == "topic" }?.value } == ["/rgb8", "/bgr8", "/16UC1"])
    let wanted = try ForeignFiles.byTopic(expected).filter { ["/rgb8", "/16UC1", "/bgr8"].contains($0.key) }
    #expect(try ForeignFiles.byTopic(ForeignFiles.read(recording)) == wanted)
  }

  @Test func `equal input gives equal recordings, wherever it lies`() throws {
    _ = try ForeignFiles.writeMCAP(source, "compressed")
    let elsewhere = folder.path("elsewhere")
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: source, toPath: elsewhere + "/foreign.mcap")
    try ForeignFiles.importFile(source, to: recording)
    try ForeignFiles.importFile(elsewhere + "/foreign.mcap", to: folder.path("second.retake"))
    #expect(areSame(try ForeignFiles.chunkFiles(recording), try ForeignFiles.chunkFiles(folder.path("second.retake"))))
  }

  @Test(arguments: [
    "frames=9&size=161x97&depth-size=64x48", "frames=7&size=64x48&format=GREY&depth=mm&alpha=0",
    "frames=40&size=64x48&depth-fps=10&jitter=3000",
  ])
  func `what was exported comes back with the same pixels and times`(options: String) throws {
    let original = try CommandLineTool.recordSimulated(folder, "a.retake", options)
    try CommandLineTool.run(["export", "mcap", original, "-o", source])
    let result = try ForeignFiles.importFile(source, to: recording)
    let (first, second) = (try Recording(path: original), try Recording(path: recording))
    #expect(first.streams.map(\.name) == second.streams.map(\.name))
    #expect(first.streams.map(\.kind) == second.streams.map(\.kind))
    #expect(first.streams.map(\.layout) == second.streams.map(\.layout))
    #expect(first.streams.map(\.rate) == second.streams.map(\.rate))
    for (index, stream) in first.streams.enumerated() {
      #expect(
        areSame(
          try RecordedFrames.bytes(of: stream.name, in: original),
          try RecordedFrames.bytes(of: stream.name, in: recording)))
      let times = try [first, second].map {
        try $0.frameRows(stream: index, from: 0, limit: 1000).map(\.timestamps.presentation.nanoseconds)
      }
      // The first frame of all begins the time line.
      let start = try #require(first.frameRows(stream: 0, from: 0, limit: 1).first).timestamps.presentation.nanoseconds
      #expect(times[0].map { $0 - start } == times[1])
    }
    #expect(try first.frameSetCount() == second.frameSetCount())
    #expect(result.errors.contains("/color/faces: the boxes of faces"), "\(result.errors)")
    let faces = try [first, second].map { try $0.frameSets(0..<1000).map { $0.faces.map(\.box) } }
    #expect(faces[0].contains { !$0.isEmpty } && faces[0].count == faces[1].count)
    for (before, after) in zip(faces[0].joined(), faces[1].joined()) {
      #expect(before.x == after.x && before.y == after.y)
      // Right and bottom are in the file, so the last bit of a sum may be lost.
      #expect(abs(before.width - after.width) < 1e-9 && abs(before.height - after.height) < 1e-9)
    }
    #expect(faces[0].map(\.count) == faces[1].map(\.count))
  }

  @Test func `tags, note, marks and alignment come back with an export, and what no recording holds does not`() throws {
    let original = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=40&size=160x120")
    for (at, label) in [("0s", ""), ("0.5s", "fall = down"), ("1s", "late")] {
      try CommandLineTool.run(["mark", original, "--at", at, "--label", label])
    }
    try CommandLineTool.run(["mark", original, "--rename", "late=last"])
    try CommandLineTool.run(["tag", original, "dark", "take=3", "--note", "two\nlines"])
    try CommandLineTool.run(["calibrate", original])
    for profile in ["foxglove", "ros2"] {
      let (source, recording) = (folder.path("\(profile).mcap"), folder.path("\(profile).retake"))
      try CommandLineTool.run(["export", "mcap", original, "-o", source, "--profile", profile])
      try ForeignFiles.importFile(source, to: recording)
      let (first, second) = (try Recording(path: original), try Recording(path: recording))
      #expect(try first.tags() == second.tags() && !first.tags().isEmpty)
      #expect(try first.alignment() == second.alignment() && first.alignment() != nil)
      let list = try CommandLineTool.run(["mark", original, "--list"]).text
      #expect(list == "0.000 s\n0.500 s  fall = down\n1.000 s  last\n")
      #expect(try CommandLineTool.run(["mark", recording, "--list"]).text == list)
      try CommandLineTool.run(["verify", recording])
    }
    // A part has its own marks.
    let part = folder.path("part.mcap")
    try CommandLineTool.run(["export", "mcap", original, "-o", part, "--from", "0.4s", "--to", "0.8s"])
    try ForeignFiles.importFile(part, to: folder.path("part.retake"))
    let marks = try CommandLineTool.run(["mark", folder.path("part.retake"), "--list"]).text
    #expect(marks == "0.100 s  fall = down\n")
  }

  @Test func `mosaics and raw disparity come back as they were exported`() throws {
    let original = try CommandLineTool.recordSimulated(
      folder, "a.retake", "frames=3&size=64x48&format=GRBG8&depth=raw11&faces=0")
    try CommandLineTool.run(["export", "mcap", original, "-o", source])
    try ForeignFiles.importFile(source, to: recording)
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/read_exported_mcap.py"
    let exported = try CommandLineTool.jsonLines(ChildProcess.run(Checkout.python, [script, source]).text)
    let imported = try ForeignFiles.read(recording)
    #expect(exported.count == 9 && imported.count == 9)
    for topic in ["/color/image", "/depth/image", "/alpha/image"] {
      let hashes = [exported, imported].map { lines in
        lines.filter { $0["topic"] as? String == topic }.map { $0["sha256"] as? String }
      }
      #expect(hashes[0] == hashes[1])
    }
  }

  @Test func `JPEG that was exported comes back as it was`() throws {
    let layout = try FrameLayout(.jpeg, width: 48, height: 32)
    let original = folder.path("jpeg.retake")
    let pictures = try (0..<3).map { index in
      let image = RGBImage(width: 48, height: 32, red: UInt8(index * 70), green: 90, blue: 30)
      return HandMadeRecording.Picture(index: index, bytes: try JPEGEncoder.encode(image))
    }
    try HandMadeRecording.make(original, streams: [try TestFrames.stream("color", .color, layout)], pictures)
    try CommandLineTool.run(["export", "mcap", original, "-o", source])
    try ForeignFiles.importFile(source, to: recording)
    let bytes = try [original, recording].map { try RecordedFrames.bytes(of: "color", in: $0) }
    #expect(bytes[0].count == 3)
    #expect(areSame(bytes[0], bytes[1]))
    // Of a recording with a wall clock, it comes over, to the frame that begins the time line.
    let opened = try [original, recording].map { try Recording(path: $0) }
    #expect(opened[0].identity.wallClockNanoseconds == opened[1].identity.wallClockNanoseconds)
    #expect(opened[0].streams[0].device == opened[1].streams[0].device)
  }
}
