import Foundation
import FrameModel
import GRDB
import RecordingStore
import Support
import TestSupport
import Testing

@Suite(.long) struct UnfinishedRecordingTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.retake")
    try SmallRecording.copy(to: path)
  }

  private func chunk(_ number: Int) -> String { path + "/chunks/" + RecordingFolder.chunkFileName(number) }

  @Test func `an index made again from the chunk files equals the lost one`() throws {
    let before = try IndexDump.lines(path)
    #expect(before.count > 150)
    try FileManager.default.removeItem(atPath: path + "/index.sqlite")
    let report = try Repair.run(path: path)
    #expect(report.isLossless, "\(report.damage)")
    #expect(report.chunkFileCount == 4)
    #expect(try IndexDump.lines(path) == before)
    #expect(try Verification.run(Recording(path: path)).isWhole)
  }

  @Test func `a whole recording comes out of a repair unchanged`() throws {
    let before = try IndexDump.lines(path)
    #expect(try Repair.run(path: path).isLossless)
    #expect(try IndexDump.lines(path) == before)
  }

  @Test func `a partial file gives back every whole frame, wherever it ends`() throws {
    let last = 3
    let whole = try Data(contentsOf: URL(fileURLWithPath: chunk(last)))
    let rows = try Recording(path: path).frameRows(chunkFile: last)
    let all = try Recording(path: path).summary().streams.map(\.frameCount)
    for length in Sample.of(stride(from: 0, to: whole.count, by: 173), count: 20) + [whole.count] {
      try? FileManager.default.removeItem(atPath: chunk(last))
      try whole.prefix(length).write(to: URL(fileURLWithPath: chunk(last) + ".partial"))
      let report = try Repair.run(path: path)
      for stream in 0..<2 {
        let lost = rows.filter { $0.stream == stream && $0.place.offset + $0.place.length > length }.count
        #expect(report.frameCounts[stream] == all[stream] - lost, "cut at \(length)")
      }
      #expect(try Verification.run(Recording(path: path)).isWhole, "cut at \(length)")
      #expect(!FileManager.default.fileExists(atPath: chunk(last) + ".partial"))
    }
  }

  @Test func `a chunk file cut at any byte gives exactly the frames that lie before the cut`() throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: chunk(3)))
    let rows = try Recording(path: path).frameRows(chunkFile: 3).sorted { $0.place.offset < $1.place.offset }
    let cut = folder.path("cut.mcap")
    try whole.write(to: URL(fileURLWithPath: cut))
    // From the end on, so that the file is only ever shortened.
    for length in Sample.of(stride(from: whole.count, through: 0, by: -1), count: 1000) {
      #expect(truncate(cut, length) == 0)
      var found: [Int] = []
      let report = try ChunkFileScan.run(path: cut) { entry, _ in
        if case .frame(_, _, _, let place) = entry { found.append(place.offset) }
      }
      let expected = rows.filter { $0.place.offset + $0.place.length <= length }.map(\.place.offset)
      #expect(found == expected, "cut at \(length)")
      #expect(report.isOnlyUnfinished, "cut at \(length): \(report.damage)")
    }
  }

  @Test func `what cannot be read of a partial file is kept, and the repair says so`() throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: chunk(3)))
    try FileManager.default.removeItem(atPath: chunk(3))
    // The metadata record that says which recording this is, and a stream's description.
    let place = try #require(whole.range(of: Data("retake.recording".utf8))?.lowerBound)
    let other = try #require(whole.range(of: Data("tick_hertz".utf8))?.lowerBound)
    var damaged = whole
    damaged[place] ^= 1
    damaged[other] ^= 1
    try damaged.write(to: URL(fileURLWithPath: chunk(3) + ".partial"))
    let report = try Repair.run(path: path)
    #expect(!report.isLossless)
    // Its frames' times say whose they are.
    #expect(report.chunkFileCount == 4)
    #expect(report.damage.contains { $0.contains("is kept as") })
    #expect(areSame(try Data(contentsOf: URL(fileURLWithPath: chunk(3) + ".partial.damaged")), damaged))
    #expect(try Verification.run(Recording(path: path)).isWhole)
  }

  @Test func `a torn last record is a loss, an end between records is none`() throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: chunk(3)))
    let row = try #require(try Recording(path: path).frameRows(chunkFile: 3).max { $0.place.offset < $1.place.offset })
    try FileManager.default.removeItem(atPath: chunk(3))
    for (length, isLossless) in [(whole.count, true), (0, true), (row.place.offset + row.place.length - 5, false)] {
      // An index would know frames that are cut off.
      for file in [chunk(3), path + "/index.sqlite"] { try? FileManager.default.removeItem(atPath: file) }
      try whole.prefix(length).write(to: URL(fileURLWithPath: chunk(3) + ".partial"))
      #expect(try Repair.run(path: path).isLossless == isLossless, "cut at \(length)")
    }
  }

  @Test func `one file's damaged description does not outvote the others, and names of files are not trusted`() throws {
    let first = try Data(contentsOf: URL(fileURLWithPath: chunk(0)))
    let streams = try Recording(path: path).streams
    // The name of the device, in a channel's metadata.
    let place = try #require(first.range(of: Data("test".utf8))?.lowerBound)
    var damaged = first
    damaged[place] ^= 1
    try damaged.write(to: URL(fileURLWithPath: chunk(0)))
    for name in ["9223372036854775807.mcap", "99999999999.mcap", "4294967296.mcap", "1.mcap", "x.mcap"] {
      try Data("no".utf8).write(to: URL(fileURLWithPath: path + "/chunks/" + name))
    }
    let lines = try IndexDump.lines(path)
    let report = try Repair.run(path: path)
    #expect(report.chunkFileCount == 4)
    #expect(report.damage.count == 5 && !report.damage.contains { $0.contains("000000.mcap") }, "\(report.damage)")
    #expect(try Recording(path: path).streams == streams)
    #expect(try IndexDump.lines(path).count == lines.count)
  }

  @Test func `a missing, swapped or foreign chunk file is said, and the others are entered`() throws {
    try FileManager.default.moveItem(atPath: chunk(1), toPath: folder.path("kept"))
    var report = try Repair.run(path: path)
    #expect(!report.isLossless)
    #expect(report.damage.contains { $0.hasPrefix("Missing") && $0.hasSuffix("000001.mcap.") })
    #expect(report.chunkFileCount == 3)

    try FileManager.default.moveItem(atPath: folder.path("kept"), toPath: chunk(1))
    try FileManager.default.copyItem(atPath: chunk(0), toPath: folder.path("copy"))
    try FileManager.default.removeItem(atPath: chunk(2))
    try FileManager.default.moveItem(atPath: folder.path("copy"), toPath: chunk(2))
    report = try Repair.run(path: path)
    #expect(report.damage.contains { $0.contains("000002.mcap: It is a second 000000.mcap") })
    #expect(report.chunkFileCount == 3)
    #expect(throws: Never.self) { try Recording(path: path).summary() }
  }

  @Test func `a folder with nothing to repair says so`() throws {
    #expect(throws: RetakeError.self) { try Repair.run(path: folder.path("none")) }
    #expect(throws: RetakeError.self) { try Repair.run(path: folder.path) }
    for number in 0..<4 { try Data("no mcap".utf8).write(to: URL(fileURLWithPath: chunk(number))) }
    let before = try Data(contentsOf: URL(fileURLWithPath: path + "/index.sqlite"))
    #expect(throws: RetakeError.self) { try Repair.run(path: path) }
    // What could not be replaced by something better is left as it was.
    #expect(areSame(try Data(contentsOf: URL(fileURLWithPath: path + "/index.sqlite")), before))
  }

  @Test func `a folder has one recorder at a time, and no repair meanwhile`() throws {
    let other = folder.path("b.retake")
    let recorder = try Recorder(
      folder: RecordingFolder(path: other), streams: TestFrames.colorAndDepth().streams)
    let error = #expect(throws: RetakeError.self) { try Repair.run(path: other) }
    #expect(error?.message.contains("a recorder or another 'retake' command has locked it") == true)
    _ = recorder.finish()
  }

  // MARK: verify

  private func problems() throws -> [Verification.Problem] { try Verification.run(Recording(path: path)).problems }

  @Test func `any flipped bit of a frame's payload is named by chunk file, stream and frame`() throws {
    let row = try #require(try Recording(path: path).frameRow(stream: 1, number: 3))
    let file = URL(fileURLWithPath: path + "/chunks/" + RecordingFolder.chunkFileName(row.chunkFile))
    let whole = try Data(contentsOf: file)
    for position in stride(
      from: row.place.offset + row.place.length - 60, to: row.place.offset + row.place.length, by: 7)
    {
      var damaged = whole
      damaged[position] ^= 4
      try damaged.write(to: file)
      let found = try problems()
      #expect(found.contains { $0.frame == 3 && $0.stream == "depth" && $0.chunkFile == file.lastPathComponent })
      #expect(!found.contains { $0.frame != nil && $0.frame != 3 })
    }
  }

  @Test func `every flipped byte of a chunk file is noticed`() throws {
    let file = URL(fileURLWithPath: chunk(3))
    let whole = try Data(contentsOf: file)
    for position in Sample.of(stride(from: 0, to: whole.count, by: 61), count: 40) {
      var damaged = whole
      damaged[position] ^= 0x20
      try damaged.write(to: file)
      #expect(!(try problems()).isEmpty, "byte \(position)")
    }
  }

  @Test func `a row that lies, and a row that is gone, are noticed`() throws {
    let queue = try DatabaseQueue(path: path + "/index.sqlite")
    try queue.write { try $0.execute(sql: "DELETE FROM frame WHERE stream = 0 AND number = 7") }
    try queue.write { try $0.execute(sql: "UPDATE frame SET presentation_ns = 5 WHERE stream = 0 AND number = 9") }
    try queue.close()
    let found = try problems()
    #expect(found.contains { $0.frame == 7 && $0.what.contains("but not in the index") })
    #expect(found.contains { $0.frame == 9 && $0.what.contains("does not match the chunk file") })
    #expect(found.count == 2)
  }

  @Test func `a chunk file too many and one too few are noticed`() throws {
    try FileManager.default.moveItem(atPath: chunk(2), toPath: chunk(9))
    let found = try problems()
    #expect(found.contains { $0.chunkFile == "000002.mcap" && $0.what.contains("missing") })
    #expect(found.contains { $0.chunkFile == "000009.mcap" && $0.what.contains("000002.mcap under another name") })
  }
}
