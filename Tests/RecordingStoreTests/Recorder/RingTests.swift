import Foundation
import FrameModel
import RecordingStore
import Support
import TestSupport
import Testing

/// Recordings that go on for ever and let go of their oldest chunk files.
@Suite(.long) struct RingTests {
  private let folder: TemporaryFolder
  private static let period: Int64 = 33_333_333

  init() throws { folder = try TemporaryFolder() }

  private func presentation(_ index: Int) -> Int64 { Int64(index) * Self.period }

  /// - Parameters:
  ///   - marks: frame numbers at which a mark is set, a little later.
  ///   - onFrameSet: called after each frame set with its number.
  @discardableResult
  private func record(
    _ name: String, size: (width: Int, height: Int), frameSets: Int, marks: [Int], ring: RingOptions?,
    on disk: any FileSystem = RealFileSystem(), onFrameSet: (Int) throws -> Void = { _ in }
  ) throws -> RecorderStatus {
    let (layouts, streams) = try TestFrames.colorAndDepth(width: size.width, height: size.height)
    let options = RecorderOptions.reproducible {
      $0.chunkFileNanoseconds = 400_000_000
      $0.waitsForDisk = true
      $0.ring = ring
    }
    let recorder = try Recorder(
      folder: RecordingFolder(path: folder.path(name)), streams: streams, options: options, fileSystem: disk)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    let face = FaceObservation(
      box: .init(x: 1, y: 2, width: 3, height: 4), confidence: 1, roll: nil, pitch: nil, yaw: nil, detector: "test")
    for index in 0..<frameSets {
      sink.deliver(TestFrames.captured(layouts[0], stream: 0, index: index, faces: index % 3 == 0 ? [face] : []))
      // Some depth is missing, so that there are events.
      if index % 7 != 3 { sink.deliver(TestFrames.captured(layouts[1], stream: 1, index: index)) }
      if marks.contains(index - 1) {
        try recorder.mark("at \(index - 1)", at: MonotonicTime(nanoseconds: 5_000_000_000 + presentation(index - 1)))
      }
      try onFrameSet(index)
    }
    return recorder.finish()
  }

  private func rows(_ path: String, stream: Int) throws -> [Int: FrameRow] {
    let all = try Recording(path: path).frameRows(stream: stream, from: 0, limit: 1_000_000)
    return Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })
  }

  /// Bytes of all files in the recording.
  private func byteCount(_ path: String) -> Int {
    let files = FileManager.default.enumerator(
      at: URL(fileURLWithPath: path), includingPropertiesForKeys: [.fileSizeKey])
    var sum = 0
    for case let file as URL in files! {
      sum += (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
    }
    return sum
  }

  /// Rows of an index, without the ids of events, which depend on how it was rebuilt.
  private func content(_ path: String) throws -> [String] {
    let events = try Recording(path: path).events().map { "\($0)" }.sorted()
    return try IndexDump.lines(path).filter { !$0.hasPrefix("event ") && !$0.hasPrefix("sqlite") } + events
  }

  /// Whether frames are as in a recording without a ring, gaps are said to be intended, and everything follows from the
  /// chunk files alone.
  private func check(_ path: String, against whole: String, isDamaged: Bool = false) throws {
    let recording = try Recording(path: path)
    #expect(recording.isClosed)
    let report = try Verification.run(recording)
    #expect(report.isWhole, "\(report.problems.prefix(5))")
    let events = try recording.events()
    #expect(isDamaged || !events.contains { $0.stage == .disk })
    for stream in 0..<2 {
      let kept = try rows(path, stream: stream)
      let all = try rows(whole, stream: stream)
      for (number, row) in kept {
        #expect(row.checksum == all[number]?.checksum && row.timestamps == all[number]?.timestamps)
      }
      let notKept = events.filter { $0.stream == stream && $0.reason == .notKept }.reduce(0) { $0 + $1.count }
      let end = (kept.keys.max() ?? -1) + 1
      #expect(isDamaged || kept.count + notKept == end)
    }
    let sets = try recording.frameSets(0..<(recording.frameSetCount()))
    #expect(sets.count == (try recording.frameSetCount()), "frame sets have no gaps")
    let before = try content(path)
    _ = try Repair.run(path: path)
    #expect(try content(path) == before)
  }

  @Test func `a ring filled three times over is never over its size, and has everything near marks`() throws {
    let byteLimit = 16 << 20
    let ring = RingOptions(
      byteCount: byteLimit, prerollNanoseconds: 1_000_000_000, postrollNanoseconds: 500_000_000)
    let marks = [200, 1700, 1720]
    let path = folder.path("ring.retake")
    let size = (width: 64, height: 48)
    // 10.7 KB a frame set as they come, about 4 KB stored.
    let count = 9000
    var largest = 0
    let status = try record("ring.retake", size: size, frameSets: count, marks: marks, ring: ring) { index in
      if index % 20 == 0 { largest = max(largest, byteCount(path)) }
    }
    #expect(status.failure == nil && !status.isFull)
    largest = max(largest, byteCount(path))
    #expect(largest <= byteLimit)
    #expect(status.storedByteCount > 2 * byteLimit)
    #expect(status.removedFrameCounts.allSatisfy { $0 > 0 })
    try record("whole.retake", size: size, frameSets: count, marks: marks, ring: nil)
    try check(path, against: folder.path("whole.retake"))
    let kept = try rows(path, stream: 0)
    #expect(kept[0] == nil)
    for mark in marks {
      for number in mark - 30...mark + 15 { #expect(kept[number] != nil, "frame \(number)") }
    }
    #expect(try Recording(path: path).marks().map(\.label) == marks.map { "at \($0)" })

    // A copy has all of its own chunk files, and still says what is not there.
    let recording = try Recording(path: path)
    let copy = folder.path("copy.retake")
    let selection = try FrameSelection(recording, frameSets: 0..<recording.frameSetCount())
    let report = try Trim.run(recording, selection, into: RecordingFolder(path: copy))
    #expect(report.damage.isEmpty)
    let copied = try Recording(path: copy)
    #expect(!copied.streams.areOfRing)
    #expect(try Verification.run(copied).isWhole)
    #expect(try copied.frameSetCount() == recording.frameSetCount())
    #expect(try !copied.events().contains { $0.stage == .disk })
    #expect(try copied.events().contains { $0.reason == .notKept })
  }

  @Test func `a recorder of a ring that dies between any two operations leaves what a whole reading finds`() throws {
    let ring = RingOptions(
      nanoseconds: 1_000_000_000, prerollNanoseconds: 300_000_000, postrollNanoseconds: 200_000_000)
    let size = (width: 24, height: 18)
    let marks = [40, 95]
    try record("whole.retake", size: size, frameSets: 200, marks: marks, ring: nil)
    let whole = folder.path("whole.retake")
    let undisturbed = SimulatedDisk(seed: 0)
    try record("undisturbed.retake", size: size, frameSets: 200, marks: marks, ring: ring, on: undisturbed)
    var trustedCount = 0
    for crash in Sample.of(0..<undisturbed.operationCount, count: 20) {
      let name = "a\(crash).retake"
      let path = folder.path(name)
      let indexCopy = folder.path("index")
      let disk = SimulatedDisk(seed: UInt64(crash), faultOperation: crash) {
        for suffix in ["", "-wal"] {
          try? FileManager.default.removeItem(atPath: indexCopy + suffix)
          try? FileManager.default.copyItem(atPath: path + "/index.sqlite" + suffix, toPath: indexCopy + suffix)
        }
      }
      try record(name, size: size, frameSets: 200, marks: marks, ring: ring, on: disk)
      let files = disk.files(afterPowerCut: crash % 3 == 2)
      try FileManager.default.removeItem(atPath: path)
      // Before the first file is synced, a power cut may leave none of it.
      let isSynced = crash % 3 != 2 || files.keys.contains { $0.hasSuffix(".mcap") }
      guard isSynced, files.values.contains(where: { $0.count > 5000 }) else { continue }
      let (trusting, reading) = (folder.path("trusting.retake"), folder.path("reading.retake"))
      for image in [trusting, reading] {
        try? FileManager.default.removeItem(atPath: image)
        try FileManager.default.createDirectory(atPath: image + "/chunks", withIntermediateDirectories: true)
        for (file, bytes) in files where file.contains("/chunks/") {
          try Data(bytes).write(to: URL(fileURLWithPath: image + file.dropFirst(path.count)))
        }
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: indexCopy + suffix) {
          try FileManager.default.copyItem(atPath: indexCopy + suffix, toPath: image + "/index.sqlite" + suffix)
        }
      }
      let standing = try ChunkFileStanding(RecordingFolder(path: trusting))
      if try TrustedRing(RecordingFolder(path: trusting), standing) != nil { trustedCount += 1 }
      let finished = try Repair.finish(path: trusting)
      let report = try Repair.run(path: reading)
      #expect(finished.damage.map { $0.replacing(trusting, with: reading) } == report.damage, "crash \(crash)")
      // Only the file that was being written may have a damaged end.
      #expect(report.damage.allSatisfy { $0.contains(".mcap.partial") }, "crash \(crash): \(report.damage)")
      #expect(try content(trusting) == content(reading), "crash \(crash)")
      try check(trusting, against: whole, isDamaged: !report.isLossless)
      // Frames near the marks that are there.
      let kept = try rows(trusting, stream: 0)
      let end = kept.keys.max() ?? 0
      for mark in try Recording(path: trusting).marks() {
        let middle = Int(mark.presentation.nanoseconds / Self.period)
        for number in middle - 8...min(end, middle + 5) { #expect(kept[number] != nil, "crash \(crash) \(number)") }
      }
    }
    #expect(trustedCount > 3)
  }

  @Test func `a ring's limit is read from its setting, and a stranger's words are none`() {
    #expect(RingOptions("100000000 bytes")?.byteCount == 100_000_000)
    #expect(RingOptions("7200000000000 ns")?.nanoseconds == 7_200_000_000_000)
    for words in ["", " ", "bytes", "-1 bytes", "1 hour", "99999999999999999999 bytes", "1 2 bytes"] {
      #expect(RingOptions(words) == nil, "'\(words)'")
    }
  }

  @Test func `a ring ends cleanly when marks keep all of it`() throws {
    let ring = RingOptions(
      byteCount: 16 << 20, prerollNanoseconds: 3_600_000_000_000, postrollNanoseconds: 3_600_000_000_000)
    let status = try record("full.retake", size: (64, 48), frameSets: 3000, marks: [100], ring: ring)
    #expect(status.isFull && status.failure == nil)
    #expect(status.removedFrameCounts.allSatisfy { $0 == 0 })
    #expect(byteCount(folder.path("full.retake")) <= 16 << 20)
    let recording = try Recording(path: folder.path("full.retake"))
    #expect(recording.isClosed)
    #expect(try Verification.run(recording).isWhole)
    #expect(try recording.marks().count == 1)
  }

  @Test func `a ring that cannot hold the cameras' frames is refused with the size that can`() throws {
    let (_, streams) = try TestFrames.colorAndDepth(width: 1920, height: 1080)
    let error = #expect(throws: RetakeError.self) {
      try RingOptions(byteCount: 64 << 20).check(streams)
    }
    #expect(error?.code == .usage && error?.hint == "give at least 222MiB")
  }
}
