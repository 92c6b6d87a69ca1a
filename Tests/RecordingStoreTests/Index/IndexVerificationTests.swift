import Foundation
import FrameModel
import GRDB
import RecordingStore
import Support
import TestSupport
import Testing

/// The index is believed in nothing that the chunk files do not say.
@Suite(.long) struct IndexVerificationTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.retake")
    try SmallRecording.copy(to: path, marks: ["here", "there"])
  }

  private func problems() throws -> [Verification.Problem] { try Verification.run(Recording(path: path)).problems }

  @Test(arguments: [
    "UPDATE partner SET frame = frame + 1 WHERE frame_set = 3", "DELETE FROM partner WHERE frame_set = 5",
    "UPDATE frame_set SET master_frame = master_frame + 1 WHERE number = 44", "DELETE FROM frame_set WHERE number = 1",
    "UPDATE stream SET device = 'other' WHERE id = 1", "UPDATE stream SET clock_drift_ppb = 7 WHERE id = 0",
    "UPDATE stream SET delay_p99_ns = delay_p99_ns + 1 WHERE id = 0", "UPDATE setting SET value = '2' WHERE stream = 0",
    "INSERT INTO setting VALUES (0, 9, 'gain', '3')", "UPDATE recording SET wall_clock_ns = wall_clock_ns + 1",
    "UPDATE recording SET monotonic_origin_ns = 7", "UPDATE recording SET id = 'x'",
    "UPDATE mark SET label = 'else' WHERE id = 1", "DELETE FROM mark WHERE id = 2",
    "UPDATE mark SET presentation_ns = presentation_ns + 1 WHERE id = 1", "INSERT INTO mark VALUES (9, 'new', 5)",
    "UPDATE event SET count = count + 1 WHERE id = 2", "DELETE FROM event WHERE id = 1",
    "UPDATE event SET reason = 'late' WHERE id = 1",
    "INSERT INTO event VALUES (99, 0, 'device', 'dropped', 4, 1, 7)",
    "UPDATE event_count SET count = count + 1 WHERE stream = 0", "DELETE FROM event_count",
    "UPDATE chunk_stream SET frame_count = frame_count + 1 WHERE chunk_file = 1",
    "UPDATE chunk_stream SET stored_bytes = 1 WHERE chunk_file = 0",
    "UPDATE chunk_file SET byte_count = byte_count + 1 WHERE id = 2",
    "UPDATE chunk_file SET frame_count = 0 WHERE id = 0",
    "UPDATE face_count SET looked = looked + 1", "UPDATE face SET yaw = 0.5 WHERE frame = 2",
    "UPDATE face_look SET is_skipped = 1 WHERE frame = 2", "UPDATE face_detector SET name = 'x'",
    "UPDATE frame SET device_tick = device_tick + 1 WHERE number = 8", "UPDATE frame SET flags = 4 WHERE number = 8",
    "INSERT INTO frame SELECT stream, 900, NULL, NULL, NULL, 1, 1, 0, 99, offset, length, byte_count, xxh3 FROM frame LIMIT 1",
  ])
  func `an index that says anything else than the chunk files is found`(edit: String) throws {
    let before = try IndexDump.lines(path)
    try IndexDump.change(path, edit)
    #expect(try IndexDump.lines(path) != before)
    #expect(try !problems().isEmpty)
  }

  @Test func `a random change of twenty bytes of the index is found, or changes nothing`() throws {
    let index = path + "/index.sqlite"
    let whole = try FileBytes.read(index)
    let lines = try IndexDump.lines(path)
    for seed in Sample.of(0..<300 as Range<UInt64>, count: 50) {
      var damaged = whole
      let start = Int(SeededGenerator.hash(seed, 1) % UInt64(whole.count - 20))
      for place in 0..<20 {
        damaged[start + place] = UInt8(truncatingIfNeeded: SeededGenerator.hash(seed, 2, UInt64(place)))
      }
      try FileBytes.write(damaged, to: index)
      let isFound: Bool
      do throws(RetakeError) {
        isFound = try !Verification.run(Recording(path: path)).isWhole
      } catch {
        isFound = true
      }
      if !isFound { #expect((try? IndexDump.lines(path)) == lines, "seed \(seed), byte \(start)") }
    }
  }

  @Test func `a pair that was not taken at the same time is not replayed`() throws {
    try IndexDump.change(path, "UPDATE partner SET frame = frame + 1 WHERE frame_set = 3")
    let recording = try Recording(path: path)
    let error = #expect(throws: RetakeError.self) { try recording.frameSets(0..<10) }
    #expect(error?.message.contains("pairs frame 4 of 'depth' with frame set 3") == true, "\(error as Any)")
    #expect(error?.hint.contains("recover") == true)
  }

  @Test func `a frame whose times in the index are not its own is not read`() throws {
    try IndexDump.change(path, "UPDATE frame SET presentation_ns = presentation_ns + 1 WHERE stream = 1 AND number = 3")
    let recording = try Recording(path: path)
    let row = try #require(try recording.frameRow(stream: 1, number: 3))
    #expect(throws: RetakeError.self) { try FrameReader(recording).frame(row) }
  }

  // MARK: Strangers

  @Test(arguments: [
    "DROP TABLE mark; CREATE VIEW mark AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
      + "SELECT i AS id, 'x' AS label, 0 AS presentation_ns FROM n",
    "DROP TABLE face_count; CREATE VIEW face_count AS SELECT 0 AS stream, 1 AS detector, 9223372036854775807 AS looked, "
      + "9223372036854775807 AS with_face, 0 AS skipped",
    "CREATE TRIGGER t AFTER UPDATE ON recording BEGIN DELETE FROM frame; END", "CREATE TABLE more (a)",
    "DROP INDEX frame_by_time", "ALTER TABLE mark ADD COLUMN more",
  ])
  func `an index with other tables than a recorder makes is refused`(edit: String) throws {
    try IndexDump.change(path, edit)
    let error = #expect(throws: RetakeError.self) { try Recording(path: path) }
    #expect(error?.code == .corrupt && error?.hint.contains("recover") == true, "\(error as Any)")
    // The frames are none the worse for it.
    #expect(try Repair.run(path: path).isLossless)
    #expect(try Verification.run(Recording(path: path)).isWhole)
  }

  @Test func `counts that would overflow are refused`() throws {
    try IndexDump.change(path, "UPDATE face_count SET looked = 9223372036854775807, skipped = 9223372036854775807")
    #expect(throws: RetakeError.self) { try Recording(path: path).summary() }
    try IndexDump.change(
      path,
      """
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
      INSERT INTO face_detector SELECT i, 'd' || i FROM n;
      DELETE FROM face_count;
      INSERT INTO face_count SELECT 0, id, 70368744177664, 70368744177664, 70368744177664 FROM face_detector
      """)
    #expect(throws: RetakeError.self) { try Recording(path: path).summary() }
  }
}
