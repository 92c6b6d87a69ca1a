import CommandTestSupport
import Foundation
import FrameModel
import Media
import RecordingStore
import TestSupport
import Testing

/// What `retake export mcap` writes, PyPI's mcap reads by the schemas in the file.
@Suite(.long) struct MCAPExportTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func export(_ recording: String, expecting status: Int32 = 0) throws -> (
    facts: [String: Any], messages: [[String: Any]]
  ) {
    let path = folder.path("exported.mcap")
    let result = try CommandLineTool.run(["export", "mcap", recording, "-o", path, "--json"], expecting: status)
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/read_exported_mcap.py"
    let read = try ChildProcess.run(Checkout.python, [script, path])
    #expect(read.status == 0, "\(read.errors)")
    return (try CommandLineTool.json(result.text), try CommandLineTool.jsonLines(read.text))
  }

  /// SHA-256 by Python, of each of some files.
  private func digests(_ frames: [[UInt8]]) throws -> [String] {
    let paths = try frames.enumerated().map { index, bytes in
      let path = folder.path("\(index).bin")
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      return path
    }
    let program = "import hashlib, sys\nfor p in sys.argv[1:]: print(hashlib.sha256(open(p, 'rb').read()).hexdigest())"
    return try ChildProcess.run(Checkout.python, ["-c", program] + paths).text.split(separator: "\n").map(String.init)
  }

  @Test func `pictures, depth and faces are there, byte for byte and in order`() throws {
    let source = try CommandLineTool.recordSimulated(
      folder, "a.retake", "frames=9&size=161x97&depth-size=64x48&face-lost=3-4")
    let (facts, messages) = try export(source)
    #expect(facts["is_whole"] as? Bool == true)
    let recording = try Recording(path: source)
    let layouts = ["color": "rgb8 161x97 483", "depth": "16UC1 64x48 128", "alpha": "mono8 161x97 161"]
    for (stream, layout) in layouts {
      let found = messages.filter { $0["topic"] as? String == "/\(stream)/image" }
      #expect(found.allSatisfy { $0["schema"] as? String == "foxglove.RawImage" })
      #expect(found.map { $0["layout"] as? String } == Array(repeating: layout, count: 9))
      #expect(found.allSatisfy { $0["frame_id"] as? String == stream })
      #expect(found.map { $0["sha256"] as? String } == (try digests(RecordedFrames.bytes(of: stream, in: source))))
    }
    let color = messages.filter { $0["topic"] as? String == "/color/image" }.compactMap { $0["time"] as? Int }
    let rows = try recording.frameRows(stream: 0, from: 0, limit: 100)
    #expect(color == rows.map { Int($0.timestamps.presentation.nanoseconds) })

    let faces = messages.filter { $0["schema"] as? String == "foxglove.ImageAnnotations" }
    #expect(faces.compactMap { $0["time"] as? Int } == color)
    for (message, entry) in zip(faces, try recording.frameSets(0..<9)) {
      let boxes = entry.faces.map { [[$0.box.x, $0.box.y], [$0.box.x + $0.box.width, $0.box.y + $0.box.height]] }
      let outlines = try #require(message["boxes"] as? [[[String]]])
      let corners = outlines.map { [$0[0], $0[2]].map { $0.compactMap { Double($0) } } }
      #expect(corners == boxes)
      #expect(boxes.isEmpty == (3...4).contains(entry.number))
    }
    let times = messages.compactMap { $0["time"] as? Int }
    #expect(times == times.sorted())
  }

  @Test func `two cameras come back under their names, each with its faces`() throws {
    let (source, copy) = (folder.path("two.retake"), folder.path("copy.retake"))
    let devices = [1, 2].map { ["--device", "simulated?pace=fast&size=64x48&frames=6&seed=\($0)"] }.flatMap(\.self)
    try CommandLineTool.run(["record", "-o", source, "--keep-free", "0"] + devices)
    let (_, messages) = try export(source)
    #expect(messages.filter { ($0["topic"] as? String)?.hasSuffix("/faces") == true }.count == 12)
    try CommandLineTool.run(["import", folder.path("exported.mcap"), "-o", copy, "--keep-free", "0"])
    let (a, b) = (try Recording(path: source), try Recording(path: copy))
    #expect(b.streams.map(\.name) == ["color", "color-1", "depth", "depth-1", "alpha", "alpha-1"])
    for stream in b.streams {
      #expect(stream.device == a.streams.first { $0.name == stream.name }?.device)
      #expect(
        areSame(
          try RecordedFrames.bytes(of: stream.name, in: source), try RecordedFrames.bytes(of: stream.name, in: copy)))
    }
    for name in ["color", "color-1"] {
      let boxes = try [a, b].map { recording in
        let stream = try #require(recording.streams.firstIndex { $0.name == name })
        return try recording.faces(stream: stream, frames: 0..<6).map { $0.faces.map(\.box) }
      }
      #expect(boxes[0] == boxes[1] && boxes[0].contains { !$0.isEmpty })
    }
  }

  @Test func `raw disparity becomes millimetres, and mosaics colour`() throws {
    let source = try CommandLineTool.recordSimulated(
      folder, "a.retake", "frames=1&size=64x48&depth=raw11&format=GRBG8&alpha=0&faces=0")
    let (_, messages) = try export(source)
    #expect(Set(messages.compactMap { $0["topic"] as? String }) == ["/color/image", "/depth/image"])
    var expected: [[UInt8]] = []
    for tap in ["original", "depth"] {
      try CommandLineTool.run(["replay", source, "--tap", tap, "--output", "png:\(folder.path(tap))"])
    }
    expected.append(try PictureFile.readColor(path: folder.path("original") + "/000000.png").pixels)
    expected.append(
      try PictureFile.readGrey16(path: folder.path("depth") + "/000000.png").samples.withUnsafeBytes { Array($0) })
    #expect(messages.map { $0["sha256"] as? String } == (try digests(expected)))
  }

  @Test func `JPEG frames stay as they came`() throws {
    let layout = try FrameLayout(.jpeg, width: 48, height: 32)
    let jpeg = try JPEGEncoder.encode(RGBImage(width: 48, height: 32, red: 200, green: 90, blue: 30))
    let recording = folder.path("jpeg.retake")
    let damaged = [UInt8](repeating: 7, count: jpeg.count)
    try HandMadeRecording.make(
      recording, streams: [try TestFrames.stream("color", .color, layout)],
      [.init(index: 0, bytes: jpeg), .init(index: 1, bytes: damaged), .init(index: 2, bytes: jpeg)])
    let (facts, messages) = try export(recording, expecting: 3)
    #expect(facts["damaged"] as? Int == 1)
    #expect(messages.map { $0["schema"] as? String } == ["foxglove.CompressedImage", "foxglove.CompressedImage"])
    #expect(messages.map { $0["layout"] as? String } == ["jpeg", "jpeg"])
    #expect(messages.map { $0["sha256"] as? String } == (try digests([jpeg, jpeg])))
  }

  @Test func `damaged frames are left out, and a file is never written over`() throws {
    let recording = folder.path("a.retake")
    try CommandLineTool.run([
      "record", "--device", "simulated?pace=fast&frames=30&size=64x48&damage=0.3", "-o", recording, "--keep-free", "0",
    ])
    let damaged = try Recording(path: recording).summary().streams.map(\.damagedCount)
    let (facts, messages) = try export(recording, expecting: 3)
    #expect(facts["damaged"] as? Int == damaged.reduce(0, +))
    #expect(messages.filter { $0["topic"] as? String == "/depth/image" }.count == 30 - damaged[1])
    let path = folder.path("exported.mcap")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let refused = try CommandLineTool.run(["export", "mcap", recording, "-o", path], expecting: 1)
    #expect(refused.errors.contains("exists") && refused.errors.contains("hint: "))
    #expect(areSame(before, try Data(contentsOf: URL(fileURLWithPath: path))))
    try CommandLineTool.run(["export", "mcap", recording, "-o", folder.path("second.mcap"), "--quiet"], expecting: 3)
    #expect(areSame(before, try Data(contentsOf: URL(fileURLWithPath: folder.path("second.mcap")))))
    #expect(!FileManager.default.fileExists(atPath: path + ".partial"))
  }
}
