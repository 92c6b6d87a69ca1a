import Foundation
import FrameModel
import RecordingStore
import Support
import TestSupport
import Testing

/// Whatever the disk does, at whatever moment: what was finished is there, and nothing is there that was not recorded.
@Suite(.long) struct CrashTests {
  private let folder: TemporaryFolder
  private let streams: [StreamDescription]
  private let layouts: [FrameLayout]
  private static let frameCount = 40

  init() throws {
    folder = try TemporaryFolder()
    (layouts, streams) = try TestFrames.colorAndDepth(width: 24, height: 18)
  }

  private typealias Key = Pair<Int, Int>
  private struct Pair<A: Hashable, B: Hashable>: Hashable {
    var stream: A
    var number: B
  }

  /// Records the same frames every time: four chunk files, with marks, faces and losses in them.
  private func record(_ path: String, on disk: any FileSystem) throws -> RecorderStatus {
    var options = RecorderOptions()
    options.chunkFileNanoseconds = 400_000_000
    options.waitsForDisk = true
    options.wallClockNanoseconds = 0
    options.id = String(repeating: "a", count: 32)
    let recorder = try Recorder(
      folder: RecordingFolder(path: path), streams: streams, options: options, fileSystem: disk)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    let face = FaceObservation(
      box: .init(x: 1, y: 2, width: 3, height: 4), confidence: 1, roll: nil, pitch: nil, yaw: nil, detector: "test")
    for index in 0..<Self.frameCount {
      sink.deliver(TestFrames.captured(layouts[0], stream: 0, index: index, faces: index % 3 == 0 ? [face] : []))
      if index % 7 != 3 { sink.deliver(TestFrames.captured(layouts[1], stream: 1, index: index)) }
      if index % 10 == 5 {
        let moment = 5_000_000_000 + Int64(index) * 33_333_333
        try recorder.mark("mark \(index)", at: MonotonicTime(nanoseconds: moment))
      }
    }
    return recorder.finish()
  }

  private func delivered() -> Int { Self.frameCount + (0..<Self.frameCount).count { $0 % 7 != 3 } }

  /// Frames that were delivered and not written.
  private func lost(_ status: RecorderStatus) -> Int {
    [.queue, .disk].reduce(0) { $0 + status.dropped[$1]!.reduce(0, +) }
  }

  private func rows(_ path: String) throws -> [Key: FrameRow] {
    let recording = try Recording(path: path)
    var rows: [Key: FrameRow] = [:]
    for stream in streams.indices {
      for row in try recording.frameRows(stream: stream, from: 0, limit: 1000) {
        rows[Key(stream: stream, number: row.number)] = row
      }
    }
    return rows
  }

  /// Puts what a disk holds, and an index, into a folder of its own.
  private func lay(_ files: [String: [UInt8]], index: String?, of source: String, at path: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path + "/chunks", withIntermediateDirectories: true)
    for (name, bytes) in files {
      try Data(bytes).write(to: URL(fileURLWithPath: path + name.dropFirst(source.count)))
    }
    guard let index else { return }
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: index + suffix) {
      try FileManager.default.copyItem(atPath: index + suffix, toPath: path + "/index.sqlite" + suffix)
    }
  }

  private func copyIndex(_ path: String, to copy: String) throws {
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(atPath: copy + suffix)
      guard FileManager.default.fileExists(atPath: path + "/index.sqlite" + suffix) else { continue }
      try FileManager.default.copyItem(atPath: path + "/index.sqlite" + suffix, toPath: copy + suffix)
    }
  }

  /// What lies in a recording, but for where: a repair writes files of its own.
  private struct Identity: Hashable {
    var key: Key
    var checksum: UInt64
    var timestamps: FrameTimestamps
    init(_ row: FrameRow) {
      key = Key(stream: row.stream, number: row.number)
      checksum = row.checksum
      timestamps = row.timestamps
    }
  }

  private func recordWhole(_ path: String) throws -> (rows: [Key: FrameRow], operationCount: Int) {
    let disk = SimulatedDisk(seed: 0)
    let status = try record(path, on: disk)
    #expect(status.failure == nil && lost(status) == 0)
    let whole = try rows(path)
    #expect(whole.count == delivered())
    return (whole, disk.operationCount)
  }

  @Test func `a process that dies between any two operations of the disk loses only what it had not written`() throws {
    let (whole, operationCount) = try recordWhole(folder.path("whole.retake"))
    #expect(operationCount > 40)
    var trustedCount = 0
    for crash in Sample.of(0..<operationCount, count: 15) {
      let path = folder.path("a\(crash).retake")
      let indexCopy = folder.path("index")
      let disk = SimulatedDisk(seed: UInt64(crash), faultOperation: crash, writesShort: crash % 2 == 1) { [self] in
        do { try copyIndex(path, to: indexCopy) } catch { Issue.record(error) }
      }
      #expect(try record(path, on: disk).failure != nil, "crash \(crash)")
      #expect(disk.isCrashed)
      let files = disk.files(afterPowerCut: false)
      let image = folder.path("image.retake")
      try lay(files, index: indexCopy, of: path, at: image)

      // Every frame whose message had reached the disk whole.
      var expected: Set<Identity> = []
      for row in whole.values {
        let name = path + "/chunks/" + RecordingFolder.chunkFileName(row.chunkFile)
        let byteCount = (files[name] ?? files[name + ".partial"])?.count ?? 0
        if row.place.offset + row.place.length <= byteCount { expected.insert(Identity(row)) }
      }
      let hasBegun = files.values.contains { $0.count > 5000 }
      guard hasBegun || !expected.isEmpty else { continue }
      // What trusts the index finds what a whole reading finds.
      let trusting = folder.path("trusting.retake")
      try lay(files, index: indexCopy, of: path, at: trusting)
      let trusted = RecordingFolder(path: trusting)
      if try TrustedPrefix(trusted, ChunkFileStanding(trusted)) != nil { trustedCount += 1 }
      let finished = try Repair.finish(path: trusting)
      let report = try Repair.run(path: image)
      #expect(finished == report.moved(from: image, to: trusting), "crash \(crash)")
      #expect(try IndexDump.lines(trusting) == IndexDump.lines(image), "crash \(crash)")
      #expect(Set(try rows(image).values.map(Identity.init)) == expected, "crash \(crash): \(report.damage)")
      #expect(try Verification.run(Recording(path: image)).isWhole, "crash \(crash)")
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(trustedCount > (Sample.isWhole ? 10 : 0))
  }

  @Test(arguments: 1...4)
  func `a power cut between any two operations costs no finished chunk file and leaves no wrong frame`(seed: Int) throws
  {
    let (whole, operationCount) = try recordWhole(folder.path("whole.retake"))
    let identities = Set(whole.values.map(Identity.init))
    for crash in Sample.of(0..<operationCount, count: 10, seed: UInt64(seed)) {
      let path = folder.path("a\(crash).retake")
      let indexCopy = folder.path("index")
      let disk = SimulatedDisk(seed: UInt64(seed * 1000 + crash), faultOperation: crash) { [self] in
        do { try copyIndex(path, to: indexCopy) } catch { Issue.record(error) }
      }
      _ = try record(path, on: disk)
      let published = disk.publishedCount
      let image = folder.path("image.retake")
      // The index may be whole, or gone with the power.
      try lay(disk.files(afterPowerCut: true), index: crash % 3 == 0 ? nil : indexCopy, of: path, at: image)
      try FileManager.default.removeItem(atPath: path)
      let finished = Set(whole.values.filter { $0.chunkFile < published }.map(Identity.init))
      do throws(RetakeError) {
        let report = try Repair.run(path: image)
        if report.chunkFileCount == 0 {
          #expect(finished.isEmpty, "seed \(seed) crash \(crash)")
          continue
        }
      } catch {
        #expect(finished.isEmpty, "seed \(seed) crash \(crash): \(error)")
        continue
      }
      let left = Set(try rows(image).values.map(Identity.init))
      #expect(finished.isSubset(of: left), "seed \(seed) crash \(crash)")
      #expect(left.isSubset(of: identities), "seed \(seed) crash \(crash)")
      #expect(try Verification.run(Recording(path: image)).isWhole, "seed \(seed) crash \(crash)")
      // A second repair finds nothing more to do.
      let again = try Repair.run(path: image)
      #expect(again.frameCounts.reduce(0, +) == left.count)
    }
  }

  @Test(arguments: [SimulatedDisk.Fault.full, .inputOutputError])
  func `a disk that fails at any operation ends the recording, and every frame is there or accounted for`(
    fault: SimulatedDisk.Fault
  ) throws {
    let (whole, operationCount) = try recordWhole(folder.path("whole.retake"))
    let identities = Set(whole.values.map(Identity.init))
    for operation in Sample.of(0..<operationCount, count: 15) {
      let path = folder.path("a\(operation).retake")
      let disk = SimulatedDisk(
        seed: UInt64(operation), faultOperation: operation, fault: fault, writesShort: operation % 2 == 0)
      let status = try record(path, on: disk)
      // A folder above the recording's own may be closed to readers.
      let isAbove = disk.refusedFolder.map { !$0.hasPrefix(path) } ?? false
      #expect((status.failure != nil) == (disk.hasFailed && !isAbove), "\(fault) at \(operation)")
      #expect(status.frameCounts.reduce(0, +) + lost(status) == delivered(), "\(fault) at \(operation)")
      let image = folder.path("image.retake")
      try lay(disk.files(afterPowerCut: false), index: path + "/index.sqlite", of: path, at: image)
      try FileManager.default.removeItem(atPath: path)
      guard status.frameCounts.contains(where: { $0 > 0 }) else { continue }
      let recording = try Recording.opening(image) { _ in }
      #expect(recording.isClosed)
      let left = Set(try rows(image).values.map(Identity.init))
      #expect(left.isSubset(of: identities), "\(fault) at \(operation)")
      #expect(left.count >= status.frameCounts.reduce(0, +), "\(fault) at \(operation)")
      let problems = try Verification.run(recording).problems
      #expect(problems.isEmpty, "\(fault) at \(operation): \(problems)")
    }
  }

  @Test func `a first frame waits for no flush`() throws {
    let disk = SimulatedDisk(seed: 1)
    let recorder = try Recorder(
      folder: RecordingFolder(path: folder.path("a.retake")), streams: streams, fileSystem: disk)
    let sink = recorder.sink(firstStream: 0, isLive: true) { _ in }
    sink.deliver(TestFrames.captured(layouts[0], stream: 0, index: 0))
    while recorder.status.frameCounts[0] == 0 { usleep(1000) }
    #expect(disk.flushCount == 0)
    #expect(recorder.finish().failure == nil)
    #expect(disk.flushCount > 0)
  }

  @Test func `a small disk keeps its floor free, however fast it fills, and the recording is whole`() throws {
    let capacity = 16 << 20
    let disk = SimulatedDisk(seed: 1, byteCount: capacity)
    let large = try FrameLayout(.rgb24, width: 320, height: 240)
    let streams = [try TestFrames.stream("color", .color, large)]
    let path = folder.path("a.retake")
    let recorder = try Recorder(folder: RecordingFolder(path: path), streams: streams, fileSystem: disk)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    let given = TestFrames.captured(large, stream: 0, index: 0)
    for index in 0..<300 {
      var frame = given
      frame.deviceSequence = UInt64(index)
      frame.deviceTick = UInt64(index) * 1000
      frame.arrival = MonotonicTime(nanoseconds: 5_000_000_000 + Int64(index) * 1_000_000)
      sink.deliver(frame)
    }
    let status = recorder.finish()
    #expect(status.failure?.code == .diskFull)
    let free = try #require(disk.space(of: path)).free
    #expect(free >= capacity / 20 && free < capacity / 8)
    // It ends as at a largest size: what came later was not to be recorded, and is not lost.
    #expect(status.isFull && status.frameCounts[0] > 20 && lost(status) == 0)
    let image = folder.path("image.retake")
    try lay(disk.files(afterPowerCut: false), index: path + "/index.sqlite", of: path, at: image)
    let recording = try Recording(path: image)
    #expect(recording.isClosed)
    #expect(try recording.frameRows(stream: 0, from: 0, limit: 1000).count == status.frameCounts[0])
    #expect(try Verification.run(recording).isWhole)
  }

  @Test func `wherever a disk fills up, whole frame sets are kept, and none is lost`() throws {
    let layouts = [
      try FrameLayout(.rgb24, width: 160, height: 120), try .init(.depthMillimeters16, width: 160, height: 120),
    ]
    let streams = [
      try TestFrames.stream("color", .color, layouts[0]), try TestFrames.stream("depth", .depth, layouts[1]),
    ]
    var counts: Set<Int> = []
    for step in 0..<24 {
      let disk = SimulatedDisk(seed: 1, byteCount: (6 << 20) + step * 13_001)
      let recorder = try Recorder(
        folder: RecordingFolder(path: folder.path("\(step).retake")), streams: streams, fileSystem: disk)
      let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
      for index in 0..<120 {
        for stream in 0...1 {
          sink.deliver(TestFrames.captured(layouts[stream], stream: stream, index: index))
        }
      }
      let status = recorder.finish()
      #expect(status.failure?.code == .diskFull && status.isFull && lost(status) == 0, "\(step)")
      #expect(
        status.frameCounts[0] > 10 && status.frameCounts[0] == status.frameCounts[1], "\(step): \(status.frameCounts)")
      counts.insert(status.frameCounts[0])
    }
    #expect(counts.count > 1)
  }

  @Test func `a repair that is interrupted at any operation is done by the next one`() throws {
    let path = folder.path("a.retake")
    let disk = SimulatedDisk(seed: 1, faultOperation: 40)
    _ = try record(path, on: disk)
    let files = disk.files(afterPowerCut: false)
    let image = folder.path("image.retake")
    try lay(files, index: nil, of: path, at: image)
    let uninterrupted = InterruptedFileSystem(after: .max)
    let wanted = try Repair.run(path: image, fileSystem: uninterrupted)
    let rows = Set(try rows(image).values.map(Identity.init))
    #expect(uninterrupted.count > 5)
    for limit in 0..<uninterrupted.count {
      try lay(files, index: nil, of: path, at: image)
      #expect(throws: RetakeError.self) {
        try Repair.run(path: image, fileSystem: InterruptedFileSystem(after: limit))
      }
      let report = try Repair.run(path: image)
      #expect(report.frameCounts == wanted.frameCounts, "interrupted at \(limit)")
      #expect(Set(try self.rows(image).values.map(Identity.init)) == rows, "interrupted at \(limit)")
      #expect(try Verification.run(Recording(path: image)).isWhole, "interrupted at \(limit)")
    }
  }
}

extension Repair.Report {
  /// The report with another recording's name in its sentences.
  fileprivate func moved(from path: String, to other: String) -> Repair.Report {
    var report = self
    report.damage = damage.map { $0.replacingOccurrences(of: path, with: other) }
    return report
  }
}

/// The real files, until so many operations are done.
private final class InterruptedFileSystem: FileSystem, @unchecked Sendable {
  // Unchecked because of the count: a repair runs on one thread.
  private let real = RealFileSystem()
  private let limit: Int
  private(set) var count = 0

  init(after limit: Int) { self.limit = limit }

  private func step() throws(RetakeError) {
    guard count < limit else { throw RetakeError(.inputOutput, "Interrupted.") }
    count += 1
  }

  func create(_ path: String) throws(RetakeError) -> any WritableFile {
    try step()
    return try real.create(path)
  }
  func rename(_ path: String, to newPath: String, replacing: Bool) throws(RetakeError) {
    try step()
    try real.rename(path, to: newPath, replacing: replacing)
  }
  func remove(_ path: String) throws(RetakeError) {
    try step()
    try real.remove(path)
  }
  func synchronizeFolder(_ path: String) throws(RetakeError) {
    try step()
    try real.synchronizeFolder(path)
  }
  func space(of path: String) -> (free: Int, total: Int)? { real.space(of: path) }
}
