import ChunkFormat
import Foundation
import FrameModel
import RecordingStore
import Support
import TestSupport
import Testing

/// Files in the chunks folder that are not the recording's, or not in their place.
@Suite struct StrayFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.retake")
    try SmallRecording.copy(to: path)
  }

  private func chunk(_ name: String) -> String { "\(path)/chunks/\(name)" }

  /// What a verification says of files, before and after a repair, which must say the same.
  private func sayings() throws -> [String] {
    func verified() throws -> [String] {
      let report = try Verification.run(Recording(path: path))
      return report.problems.filter { $0.what.hasPrefix("It is ") || $0.what.hasPrefix("It does ") }.map {
        "\($0.chunkFile): \($0.what)"
      }
    }
    let before = try verified()
    let repair = try Repair.run(path: path)
    #expect(!repair.isLossless)
    #expect(repair.damage == before.map { "\(path)/chunks/\($0)" })
    let after = try Verification.run(Recording(path: path))
    #expect(try verified() == before)
    #expect(after.problems.count == before.count && after.strayCount == before.count)
    return before
  }

  @Test func `a file that is no chunk file of the recording is named alike by verify and recover, until it is moved`()
    throws
  {
    let other = folder.path("b.retake")
    let recorder = try Recorder(
      folder: RecordingFolder(path: other), streams: TestFrames.colorAndDepth().streams,
      options: .reproducible { $0.id = String(repeating: "b", count: 32) })
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    let layout = try TestFrames.colorAndDepth().streams[0].layout
    sink.deliver(TestFrames.captured(layout, stream: 0, index: 0))
    #expect(recorder.finish().failure == nil)
    try FileManager.default.copyItem(atPath: other + "/chunks/000000.mcap", toPath: chunk("000004.mcap"))
    try FileManager.default.copyItem(atPath: chunk("000000.mcap"), toPath: chunk("000006.mcap"))
    try FileManager.default.createDirectory(atPath: chunk("000007.mcap"), withIntermediateDirectories: true)
    try FileBytes.write([0xFF, 0xD8, 0xFF, 0xE0], to: chunk("000008.mcap"))
    try FileBytes.write(Array("mine".utf8), to: chunk("notes.txt"))
    try FileBytes.write([], to: chunk("x.mcap"))
    let frames = try Recording(path: path).summary().streams.map(\.frameCount)
    let id = try Recording(path: other).identity.id
    let away = "; move it out of the chunks folder."
    #expect(
      try sayings() == [
        "000004.mcap: It does not belong to this recording, but to \(id)\(away)",
        "000006.mcap: It is a second 000000.mcap\(away)", "000007.mcap: It is a folder\(away)",
        "000008.mcap: It is a picture\(away)", "notes.txt: It is no chunk file\(away)",
        "x.mcap: It is empty; restore it from a copy, or move it out of the chunks folder.",
      ])
    #expect(try Recording(path: path).summary().streams.map(\.frameCount) == frames)
    // No frame is missing that only the old index would know.
    #expect(!FileManager.default.fileExists(atPath: path + "/index.sqlite.old"))
    for name in ["000004.mcap", "000006.mcap", "000007.mcap", "000008.mcap", "notes.txt", "x.mcap"] {
      try FileManager.default.removeItem(atPath: chunk(name))
    }
    #expect(try Verification.run(Recording(path: path)).isWhole)
    #expect(try Repair.run(path: path).isLossless)
  }

  @Test(arguments: [true, false])
  func `what is no file among the chunk files is named and left, and the others are read`(hasIndex: Bool) throws {
    let frames = try Recording(path: path).summary().streams.map(\.frameCount)
    #expect(symlink("/nonexistent", chunk("000004.mcap")) == 0)
    #expect(mkfifo(chunk("000005.mcap.partial"), 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: chunk("000006.mcap.recovering"), withIntermediateDirectories: false)
    if !hasIndex { try FileManager.default.removeItem(atPath: path + "/index.sqlite") }
    let names = try Folder.names(in: path + "/chunks")
    let away = "; move it out of the chunks folder."
    #expect(
      try Repair.run(path: path).damage == [
        "\(chunk("000004.mcap")): It is no chunk file\(away)",
        "\(chunk("000005.mcap.partial")): It is no chunk file\(away)",
        "\(chunk("000006.mcap.recovering")): It is a folder\(away)",
      ])
    #expect(try Recording(path: path).summary().streams.map(\.frameCount) == frames)
    #expect(try Folder.names(in: path + "/chunks") == names)
  }

  @Test(arguments: ["000009.mcap", "000001.MCAP", "copy of 000001.mcap"])
  func `a renamed chunk file is recognised, and whole again under its name`(name: String) throws {
    let lines = try IndexDump.lines(path)
    try FileManager.default.moveItem(atPath: chunk("000001.mcap"), toPath: chunk(name))
    #expect(
      try sayings() == [
        "\(name): It is this recording's 000001.mcap under another name; rename it to 000001.mcap and run "
          + "'retake recover'."
      ])
    try FileManager.default.moveItem(atPath: chunk(name), toPath: chunk("000001.mcap"))
    #expect(try Repair.run(path: path).isLossless)
    #expect(try IndexDump.lines(path) == lines)
  }

  @Test func `an emptied chunk file and exchanged ones are named, and the others' frames are kept`() throws {
    try FileBytes.write([], to: chunk("000001.mcap"))
    try FileManager.default.moveItem(atPath: chunk("000002.mcap"), toPath: chunk("x"))
    try FileManager.default.moveItem(atPath: chunk("000003.mcap"), toPath: chunk("000002.mcap"))
    try FileManager.default.moveItem(atPath: chunk("x"), toPath: chunk("000003.mcap"))
    let sayings = try sayings()
    #expect(sayings.count == 3)
    #expect(sayings[0].hasPrefix("000001.mcap: It is empty; restore it"))
    // Moving one to the other's name would lose that one.
    let step = "another file has that name: move that one out of the chunks folder, rename this one to"
    for (place, name, own) in [(1, "000002", "000003"), (2, "000003", "000002")] {
      #expect(
        sayings[place]
          == "\(name).mcap: It is this recording's \(own).mcap under another name; \(step) \(own).mcap and run "
          + "'retake recover'.")
    }
    #expect(try Recording(path: path).chunkFiles().map(\.number) == [0])
  }

  /// Zeros up to the first chunk, where a file says what it is.
  /// - Parameter isDeep: zeros in the head of the first chunk too.
  private func damageHead(_ number: Int, isDeep: Bool) throws {
    let file = chunk(RecordingFolder.chunkFileName(number))
    let end = try chunkPlaces(file)[0] + (isDeep ? 20 : 0)
    let bytes = try FileBytes.read(file)
    try FileBytes.write([UInt8](repeating: 0, count: end) + bytes[end...], to: file)
  }

  private func chunkPlaces(_ file: String) throws -> [Int] {
    let reader = MCAPRecordReader(try FileSource(path: file))
    var places: [Int] = []
    while let item = try reader.next() {
      if case .chunk = item.record, let offset = item.offset { places.append(offset) }
    }
    return places
  }

  @Test(arguments: [([1], false), ([0], true), ([3], true), ([0, 1, 2, 3], false), ([0, 1, 2, 3], true)])
  func `a chunk file whose begin is damaged keeps the frames behind it`(numbers: [Int], isDeep: Bool) throws {
    let rows = try (0..<4).flatMap { try Recording(path: path).frameRows(chunkFile: $0) }
    let places = try (0..<4).map { try chunkPlaces(chunk(RecordingFolder.chunkFileName($0))) }
    let isHit = { (row: FrameRow) in
      numbers.contains(row.chunkFile) && isDeep && row.place.offset < places[row.chunkFile][1]
    }
    #expect(rows.contains { !isHit($0) && numbers.contains($0.chunkFile) })
    for number in numbers { try damageHead(number, isDeep: isDeep) }
    let problems = try Verification.run(Recording(path: path)).problems
    #expect(
      problems.filter { $0.what.contains("'retake recover' keeps") }.map(\.chunkFile)
        == numbers.map { RecordingFolder.chunkFileName($0) })
    let damaged = try numbers.map { try FileBytes.read(chunk(RecordingFolder.chunkFileName($0))) }
    #expect(isDeep || problems.count == numbers.count, "\(problems)")
    let report = try Repair.run(path: path)
    #expect(report.chunkFileCount == 4 && report.isLossless != isDeep, "\(report.damage)")
    let recording = try Recording(path: path)
    #expect(try Verification.run(recording).isWhole)
    func keys(_ rows: [FrameRow]) -> Set<[Int]> { Set(rows.map { [$0.stream, $0.number] }) }
    let kept = keys(try (0..<4).flatMap { try recording.frameRows(chunkFile: $0) })
    #expect(kept == keys(rows.filter { !isHit($0) }), "\(rows.count) frames, \(kept.count) kept")
    for (number, bytes) in zip(numbers, damaged) {
      let name = chunk(RecordingFolder.chunkFileName(number)) + ".partial.damaged"
      guard isDeep else {
        #expect(!FileManager.default.fileExists(atPath: name))
        continue
      }
      #expect(areSame(try FileBytes.read(name), bytes))
      #expect(report.damage.contains("The damaged original is kept as \(name)."))
    }
    if !isDeep { #expect(try Recording(path: path).missingChunkFiles().isEmpty && Repair.run(path: path).isLossless) }
  }

  @Test func `another recording's chunk file with a damaged begin gives it no frames and no losses`() throws {
    // The same cameras, another start.
    let other = folder.path("b.retake")
    let streams = try Recording(path: path).streams
    let recorder = try Recorder(
      folder: RecordingFolder(path: other), streams: streams,
      options: .reproducible {
        $0.id = String(repeating: "b", count: 32)
        $0.wallClockNanoseconds = 1
      })
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<4 { sink.deliver(TestFrames.captured(streams[0].layout, stream: 0, index: index)) }
    #expect(recorder.finish().failure == nil)
    let lines = try IndexDump.lines(path)
    try FileManager.default.copyItem(atPath: other + "/chunks/000000.mcap", toPath: chunk("000004.mcap"))
    var bytes = try FileBytes.read(chunk("000004.mcap"))
    for place in try 0..<chunkPlaces(chunk("000004.mcap"))[0] { bytes[place] = 0 }
    try FileBytes.write(bytes, to: chunk("000004.mcap"))
    #expect(
      try sayings() == [
        "000004.mcap: It does not say that it belongs to this recording, or its description is damaged; restore it "
          + "from a copy, or move it out of the chunks folder."
      ])
    #expect(try IndexDump.lines(path) == lines)
    #expect(areSame(try FileBytes.read(chunk("000004.mcap")), bytes))
  }

  /// A damaged frame that a repair has left out is one problem, not two.
  @Test func `a frame that the index leaves out is told as such`() throws {
    let row = try #require(try Recording(path: path).frameRow(stream: 0, number: 1))
    let file = chunk(RecordingFolder.chunkFileName(row.chunkFile))
    var bytes = try FileBytes.read(file)
    bytes[row.place.offset + row.place.length - 8] ^= 0xFF
    try FileBytes.write(bytes, to: file)
    func problems() throws -> [Verification.Problem] {
      try Verification.run(Recording(path: path)).problems.filter { $0.frame != nil }
    }
    #expect(try problems().map(\.isLeftOut) == [false])
    #expect(try !Repair.run(path: path).isLossless)
    #expect(try problems().map(\.isLeftOut) == [true])
  }

  /// Its writer found a full disk, where nothing can be made beside it.
  @Test func `an empty log of the index keeps nobody from reading it`() throws {
    for suffix in ["-wal", "-shm"] { try FileBytes.write([], to: "\(path)/index.sqlite\(suffix)") }
    #expect(try Verification.run(Recording(path: path)).isWhole)
    #expect(try FileBytes.read(path + "/index.sqlite-shm").isEmpty)
  }

  @Test func `a recording whose chunks folder is gone says so to every reader, and keeps its index`() throws {
    let index = try FileBytes.read(path + "/index.sqlite")
    let row = try #require(try Recording(path: path).frameRow(stream: 0, number: 0))
    try FileManager.default.removeItem(atPath: path + "/chunks")
    let recording = try Recording(path: path)
    #expect(try recording.missingChunkFiles() == ["chunks is missing, with all frames"])
    let readers: [() throws -> Void] = [
      { _ = try Repair.run(path: path) }, { _ = try Verification.run(recording) },
      { _ = try FrameReader(recording).frame(row) },
    ]
    for reader in readers {
      let error = #expect(throws: RetakeError.self) { try reader() }
      #expect(error?.message == "\(path) has lost its frames: the folder \(path)/chunks is missing.")
      #expect(error?.hint.hasPrefix("restore that folder from a copy") == true)
    }
    #expect(areSame(try FileBytes.read(path + "/index.sqlite"), index))
  }
}
