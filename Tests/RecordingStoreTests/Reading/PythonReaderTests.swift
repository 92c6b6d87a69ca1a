import ChunkFormat
import Foundation
import FrameModel
import GRDB
import RecordingStore
import Support
import TestSupport
import Testing

/// Tools/retake.py reads the same recording as the Swift reader.
@Suite(.long) struct PythonReaderTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  // MARK: Recordings

  private enum Content { case scene, noise, ramp }

  /// - Returns: a whole frame's bytes.
  private func bytes(_ layout: FrameLayout, _ content: Content, seed: Int) -> [UInt8] {
    (0..<layout.byteCount).map { place in
      let random = SeededGenerator.hash(UInt64(seed), UInt64(place))
      switch content {
      case .noise: return UInt8(truncatingIfNeeded: random >> 20)
      case .ramp:
        // Samples of 16 or 32 bits that rise from one to the next.
        let sampleByteCount = layout.format == .disparityFloat32 ? 4 : 2
        let (sample, part) = place.quotientAndRemainder(dividingBy: sampleByteCount)
        return UInt8(truncatingIfNeeded: sample >> (8 * part))
      case .scene:
        let (row, column) = place.quotientAndRemainder(dividingBy: max(1, layout.bytesPerRow))
        guard layout.format.isDepth else { return UInt8(truncatingIfNeeded: 40 + row + column / 5 + Int(random & 1)) }
        return column % 2 == 0 ? UInt8(truncatingIfNeeded: 100 + row / 4 + column / 16 + Int(random & 1)) : 3
      }
    }
  }

  private func kind(_ format: PixelFormat) -> StreamKind {
    format == .motion ? .motion : format.isDepth ? .depth : .color
  }

  /// Every format in odd and even sizes, with contents and efforts that bring every codec about.
  private func recordEverything(_ name: String) throws -> String {
    let sizes = [(1, 1), (7, 1), (1, 7), (33, 18), (40, 25)]
    let streams = try PixelFormat.allCases.flatMap { format in
      // More distinct samples than ranks are used for; rows enough to try what becomes of colours.
      let more: [(Int, Int)] =
        switch format {
        case .depthMillimeters16, .disparityFloat32: [(200, 200)]
        case .rgb24: [(40, 48)]
        default: []
        }
      return try (sizes + more).map { width, height in
        try TestFrames.stream(
          "\(format.rawValue)-\(width)x\(height)", kind(format), try FrameLayout(format, width: width, height: height))
      }
    }
    let path = folder.path(name)
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    options.id = String(repeating: "a", count: 32)
    let writer = try RecordingWriter(
      RecordingFolder(path: path), streams: streams, options: options, fileSystem: RealFileSystem())
    let contents: [Content] = [.scene, .noise, .ramp, .scene, .scene, .noise]
    for (index, content) in contents.enumerated() {
      for (stream, description) in streams.enumerated() {
        let layout = description.layout
        let isJPEG = layout.format == .jpeg
        var bytes =
          isJPEG ? [UInt8](repeating: 7, count: 50 + index) : bytes(layout, content, seed: index * 100 + stream)
        var flags: FrameFlags = []
        // One is cut short, as a driver does when it loses a packet.
        if index == 3, bytes.count > 20, !isJPEG {
          bytes.removeLast(bytes.count / 3)
          flags = .damaged
        }
        let face = FaceObservation(
          box: .init(x: 1.5, y: 2.25, width: 8, height: 9), confidence: 1, roll: 0.25, pitch: nil, yaw: nil,
          detector: "test")
        var frame = TestFrames.captured(
          layout, stream: stream, index: index, tick: UInt64(UInt32.max) - 100_000 + UInt64(33_333 * index),
          flags: flags, faces: stream == 0 && index != 1 ? [face] : [])
        frame.byteCount = bytes.count
        bytes.withUnsafeBytes { frame.buffer.mutableBytes.copyMemory(from: $0) }
        let effort: EncodingEffort = [.best, .best, .best, .best, .fast, .raw][index]
        writer.write(frame, stream: stream, droppedBefore: index == 2 ? 2 : 0, isLive: true, effort: effort)
        if stream == 3 { writer.mark("moment \(index) – äöü", at: frame.arrival) }
      }
    }
    writer.close(droppedAtEnd: streams.map { _ in 0 })
    #expect(writer.failure == nil)
    return path
  }

  private func recordSome(_ name: String) throws -> String {
    let layouts = [
      try FrameLayout(.grey8, width: 24, height: 16), try FrameLayout(.depthMillimeters16, width: 24, height: 16),
    ]
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    let recorder = try Recorder(
      folder: RecordingFolder(path: folder.path(name)),
      streams: [
        try TestFrames.stream("color", .color, layouts[0]), try TestFrames.stream("depth", .depth, layouts[1]),
      ], options: options)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<6 {
      for (stream, layout) in layouts.enumerated() {
        var frame = TestFrames.captured(layout, stream: stream, index: index)
        // Noise, which is stored as it is: only a checksum sees a bit that flipped.
        let content = bytes(layout, stream == 0 ? .noise : .scene, seed: index)
        frame.byteCount = content.count
        content.withUnsafeBytes { frame.buffer.mutableBytes.copyMemory(from: $0) }
        sink.deliver(frame)
      }
    }
    #expect(recorder.finish().failure == nil)
    return folder.path(name)
  }

  @Test(arguments: [["-m", "retake"], ["Tools/retake.py"], ["-c", "import retake"]])
  func `without numpy it names the packages that bring it`(arguments: [String]) throws {
    // -S leaves out the folders of installed packages.
    let words = ["-S"] + arguments.map { $0.hasPrefix("Tools/") ? "\(Checkout.root)/\($0)" : $0 }
    let result = try ChildProcess.run(
      Checkout.python, words + ["info", "none"], environment: ["PYTHONPATH": Checkout.root + "/Tools/python"])
    #expect(result.status == 1)
    let line = try #require(result.errors.split(separator: "\n").last)
    #expect(line.contains("needs numpy: apt install python3-numpy python3-zstandard"), "\(result.errors)")
    #expect(result.errors.contains("Traceback") == (arguments[0] == "-c"), "\(result.errors)")
  }

  // MARK: Python

  private func read(_ recording: String, environment: [String: String] = [:]) throws -> (
    lines: [[String: Any]], bytes: [UInt8]
  ) {
    let script = Checkout.root + "/Tests/RecordingStoreTests/read_with_retake.py"
    let output = folder.path("frames.bin")
    let result = try ChildProcess.run(Checkout.python, [script, recording, output], environment: environment)
    #expect(result.status == 0, "\(result.errors)")
    let lines = try result.text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    return (lines, Array(try Data(contentsOf: URL(fileURLWithPath: output))))
  }

  private func runTool(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess.run(Checkout.python, [Checkout.root + "/Tools/retake.py"] + arguments)
  }

  private func arrayShape(_ layout: FrameLayout, _ byteCount: Int) -> String {
    let (width, height, even) = (layout.width, layout.height, (layout.width + 1) / 2 * 2)
    return switch layout.format {
    case .rgb24: "uint8 \(height)x\(width)x3"
    case .yuyv: "uint8 \(height)x\(even)x2"
    case .nv12: "uint8 \(layout.rowCount)x\(even)"
    case .grey8, .bayerRGGB8, .bayerGRBG8, .bayerGBRG8, .bayerBGGR8: "uint8 \(height)x\(width)"
    case .jpeg: "uint8 \(byteCount)"
    case .grey16, .depthMillimeters16, .kinectRaw11: "uint16 \(height)x\(width)"
    case .disparityFloat32: "float32 \(height)x\(width)"
    case .motion: "int16 \(height)x\(width)"
    }
  }

  // MARK: Tests

  @Test func `every format and every codec read as they do in Swift, cut frames too`() throws {
    let path = try recordEverything("all.retake")
    let recording = try Recording(path: path)
    let set = try recording.marks()
    try MarkEditor.set("renamed", of: set[0], in: recording)
    try MarkEditor.set(nil, of: set[3], in: recording)
    let reader = try FrameReader(recording)
    let (lines, bytes) = try read(path)
    var position = 0
    var codecs: Set<String> = []
    var cutCount = 0
    for (index, stream) in recording.streams.enumerated() {
      let rows = try recording.frameRows(stream: index, from: 0, limit: 100)
      let found = lines.filter { $0["stream"] as? String == stream.name }
      try #require(found.count == rows.count && rows.count == 6)
      for (row, line) in zip(rows, found) {
        let frame = try reader.frame(row)
        let name = "\(stream.name) \(row.number)"
        #expect(line["number"] as? Int == row.number)
        #expect(line["sequence"] as? UInt64 == row.deviceSequence)
        #expect(line["tick"] as? UInt64 == row.timestamps.deviceTick)
        #expect(line["unwrapped"] as? Int64 == row.timestamps.unwrappedTick)
        #expect(line["arrival"] as? Int64 == row.timestamps.arrival.nanoseconds)
        #expect(line["presentation"] as? Int64 == row.timestamps.presentation.nanoseconds)
        #expect(line["flags"] as? UInt32 == row.flags.rawValue)
        try #require(line["bytes"] as? Int == frame.byteCount, "\(name): \(line)")
        #expect(areSame(Array(bytes[position..<position + frame.byteCount]), frame.copiedBytes), "\(name)")
        position += frame.byteCount
        codecs.insert(try #require(line["codec"] as? String))
        if stream.layout.format != .jpeg && frame.byteCount < stream.layout.byteCount {
          cutCount += 1
          #expect((line["error"] as? String)?.contains("is truncated") == true)
        } else {
          #expect(line["array"] as? String == arrayShape(stream.layout, frame.byteCount), "\(name)")
        }
      }
    }
    #expect(position == bytes.count)
    #expect(codecs == Set(FrameCodec.allCases.map(\.rawValue)))
    #expect(cutCount > 12)
    // Sets and events.
    let sets = try recording.frameSets(0..<100)
    let foundSets = lines.filter { $0["kind"] as? String == "set" }
    try #require(sets.count == foundSets.count && !sets.isEmpty)
    for (set, found) in zip(sets, foundSets) {
      #expect(found["master"] as? Int == set.master.number)
      let partners = set.partners.map { (recording.streams[$0.stream].name, $0.number) }
      #expect(found["partners"] as? [String: Int] == Dictionary(uniqueKeysWithValues: partners))
      let faces = try #require(found["faces"] as? [[Any]])
      #expect(faces.count == set.faces.count)
      for face in faces {
        #expect(face.prefix(5).compactMap { $0 as? Double } == [1.5, 2.25, 8, 9, 0.25])
        #expect(face.last as? String == "test")
      }
    }
    #expect(sets.contains { !$0.faces.isEmpty } && sets.contains { $0.partners.count > 1 })
    let events = try recording.events().map {
      "\(recording.streams[$0.stream].name) \($0.stage.rawValue) \($0.reason.rawValue) \($0.frameNumber) \($0.count) "
        + "\($0.presentation.nanoseconds)"
    }
    #expect(!events.isEmpty)
    #expect(lines.filter { $0["kind"] as? String == "event" }.map { $0["text"] as? String } == events)
    let marks = try recording.marks().map { "\($0.presentation.nanoseconds) \($0.label)" }
    #expect(marks.count == 5 && marks[0].hasSuffix("renamed"))
    #expect(lines.filter { $0["kind"] as? String == "mark" }.map { $0["text"] as? String } == marks)
  }

  @Test func `damage costs the frames that it hit, and a checksum sees a flipped bit where there is xxhash`() throws {
    let path = try recordSome("a.retake")
    let rows = try Recording(path: path).frameRows(stream: 0, from: 0, limit: 10)
    let file = URL(fileURLWithPath: path + "/chunks/000000.mcap")
    let whole = try Data(contentsOf: file)
    var flipped = whole
    flipped[rows[2].place.offset + rows[2].place.length - 10] ^= 4
    // The length of another's message.
    flipped[rows[4].place.offset + 1] ^= 1
    try flipped.write(to: file)
    func errors(_ lines: [[String: Any]]) -> [String] {
      lines.compactMap { line in
        (line["error"] as? String).map { "\(line["stream"] ?? "") \(line["number"] ?? ""): \($0)" }
      }
    }
    #expect(errors(try read(path).lines).map { $0.prefix(8) } == ["color 4:"])
    // Debian has the library, and PyPI's package is nothing but this.
    try Data(
      """
      import ctypes
      library = ctypes.CDLL("libxxhash.so.0")
      library.XXH3_64bits.restype = ctypes.c_uint64
      def xxh3_64_intdigest(data):
          return library.XXH3_64bits(data, ctypes.c_size_t(len(data)))
      """.utf8
    ).write(to: URL(fileURLWithPath: folder.path("xxhash.py")))
    let checked = errors(try read(path, environment: ["PYTHONPATH": folder.path]).lines)
    #expect(checked.map { $0.prefix(8) } == ["color 2:", "color 4:"])
    #expect(checked[0].contains("checksum"))

    // Cut behind the third frame: the same frames as in Swift are lost.
    try whole.prefix(rows[3].place.offset + 5).write(to: file)
    let cut = errors(try read(path, environment: ["PYTHONPATH": folder.path]).lines)
    let recording = try Recording(path: path)
    let reader = try FrameReader(recording)
    var lost: [String] = []
    for (stream, name) in ["color", "depth"].enumerated() {
      for row in try recording.frameRows(stream: stream, from: 0, limit: 10) where (try? reader.frame(row)) == nil {
        lost.append("\(name) \(row.number):")
      }
    }
    #expect(lost.count > 4 && lost.count < 12)
    #expect(cut.map { String($0.prefix(8)) } == lost)
    #expect(cut.allSatisfy { $0.contains("ends before it") })
  }

  @Test func `its own commands show a recording and take frames out`() throws {
    let path = try recordSome("a.retake")
    let info = try runTool(["info", path])
    #expect(info.status == 0)
    #expect(info.text.contains("depth") && info.text.contains("Z16") && info.text.contains("uint16 16x24"))
    let output = folder.path("out")
    let extract = ["extract", path, "--stream", "depth", "--output", output, "--from", "1", "--to", "4"]
    #expect(try runTool(extract).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: output).sorted()
    #expect(names == (1...4).map { "00000\($0).npy" })
    let recording = try Recording(path: path)
    let frame = try FrameReader(recording).frame(try #require(try recording.frameRow(stream: 1, number: 3)))
    let npy = Array(try Data(contentsOf: URL(fileURLWithPath: output + "/000003.npy")))
    #expect(areSame(Array(npy.suffix(frame.byteCount)), frame.copiedBytes))

    let chunk = URL(fileURLWithPath: path + "/chunks/000000.mcap")
    try Data(contentsOf: chunk).prefix(3000).write(to: chunk)
    let damaged = try runTool(extract)
    #expect(damaged.status == 3)
    #expect(damaged.errors.contains("ends before it"))
  }

  @Test func `what is no recording, or lacks its index, is one clear sentence`() throws {
    func expect(_ path: String, _ words: String...) throws {
      let result = try runTool(["info", path])
      #expect(result.status == 1)
      #expect(result.errors.hasPrefix("error: ") && result.errors.split(separator: "\n").count == 1, "\(result.errors)")
      for word in words { #expect(result.errors.contains(word), "\(result.errors)") }
    }
    try expect(folder.path("none"), "There is no recording")
    try expect(folder.path, "not a recording")
    let path = try recordSome("a b%#?.retake")
    #expect(try runTool(["info", path]).status == 0)
    let stream = try runTool(["extract", path, "--stream", "colour", "--output", folder.path("x")])
    #expect(stream.status == 1 && stream.errors.contains("there are color, depth"))

    let index = path + "/index.sqlite"
    for (change, word) in [
      ("UPDATE stream SET width = 'wide' WHERE id = 1", "invalid value"),
      ("UPDATE stream SET width = 24, rate = '1/0' WHERE id = 1", "frame rate"),
      ("UPDATE stream SET rate = '30', format = 'ABC' WHERE id = 1", "'ABC'"),
      ("DELETE FROM stream", "no stream"), ("DELETE FROM recording", "empty"),
      ("PRAGMA user_version = 9", "version 9"), ("PRAGMA application_id = 9", "not the index"),
    ] {
      let queue = try DatabaseQueue(path: index)
      try queue.writeWithoutTransaction { try $0.execute(sql: change) }
      try queue.close()
      try expect(path, word)
    }
    try Data("no database at all, and long enough to be sure of it".utf8).write(to: URL(fileURLWithPath: index))
    try expect(path, "index.sqlite", "recover")
    try FileManager.default.removeItem(atPath: index)
    try expect(path, "index.sqlite", "retake recover")
  }

  @Test func `an index that lies costs a frame and no memory`() throws {
    let path = try recordSome("a.retake")
    let queue = try DatabaseQueue(path: path + "/index.sqlite")
    try queue.write {
      try $0.execute(sql: "UPDATE frame SET length = 200000000 WHERE stream = 0 AND number = 1")
      try $0.execute(sql: "UPDATE frame SET offset = offset + 1 WHERE stream = 0 AND number = 2")
      try $0.execute(sql: "UPDATE frame SET chunk_file = 7 WHERE stream = 0 AND number = 3")
      try $0.execute(sql: "UPDATE frame SET byte_count = byte_count - 1 WHERE stream = 0 AND number = 4")
    }
    try queue.close()
    let damaged = try read(path).lines.filter { $0["error"] != nil }
    #expect(damaged.map { "\($0["stream"] ?? "") \($0["number"] ?? "")" } == (1...4).map { "color \($0)" })
  }
}
