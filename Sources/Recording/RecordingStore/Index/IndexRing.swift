import FrameModel
import GRDB
import Support

extension IndexDatabase {
  /// Removes the rows of a chunk file of a ring. Frame sets at its edges may remain incomplete, and their numbers have
  /// gaps, until a repair numbers them again.
  func remove(_ file: ChunkRing.File, events: ClosedRange<Int64>?) throws(RetakeError) {
    try write { database in
      let frames = try Row.fetchAll(
        database, sql: "SELECT stream, number FROM frame WHERE chunk_file = ?", arguments: [file.number]
      ).map { (stream: try $0.integer(0, in: 0...65_535), frame: try $0.integer(1, in: 0...RecordingLimits.count)) }
      for key in frames + file.strayFaces { try Self.remove([key.stream, key.frame], stream: key.stream, database) }
      if let sets = file.frameSets {
        for sql in [
          "DELETE FROM partner WHERE frame_set BETWEEN ? AND ?", "DELETE FROM frame_set WHERE number BETWEEN ? AND ?",
        ] {
          try database.execute(sql: sql, arguments: [sets.lowerBound, sets.upperBound])
        }
      }
      if let events { try Self.removeEvents(events, database) }
      for sql in [
        "DELETE FROM frame WHERE chunk_file = ?", "DELETE FROM chunk_stream WHERE chunk_file = ?",
        "DELETE FROM chunk_file WHERE id = ?",
      ] {
        try database.execute(sql: sql, arguments: [file.number])
      }
    }
  }

  private static func removeEvents(_ rows: ClosedRange<Int64>, _ database: Database) throws {
    let bounds: StatementArguments = [rows.lowerBound, rows.upperBound]
    let sums = try Row.fetchAll(
      database,
      sql: """
        SELECT sum(count), stream, stage, reason FROM event WHERE id BETWEEN ? AND ? GROUP BY stream, stage, reason
        """,
      arguments: bounds)
    for sum in sums {
      try database.execute(
        sql: "UPDATE event_count SET count = count - ? WHERE stream = ? AND stage = ? AND reason = ?",
        arguments: StatementArguments(sum.databaseValues))
    }
    try database.execute(sql: "DELETE FROM event_count WHERE count <= 0")
    try database.execute(sql: "DELETE FROM event WHERE id BETWEEN ? AND ?", arguments: bounds)
  }

  /// Events of a ring's chunk files, without those that an index rebuild derives.
  func ringEvents() throws(RetakeError) -> [FrameEvent] {
    try events().filter { $0.stage != .pairing && $0.stage != .preroll }
  }

  func faceDetectorCount() throws(RetakeError) -> Int {
    try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM face_detector") ?? 0 }
  }

  /// Marks in the order in which they were entered, which is the chunk files' order.
  func enteredMarks() throws(RetakeError) -> [Mark] {
    try read { database in
      try Row.fetchAll(database, sql: "SELECT label, presentation_ns FROM mark ORDER BY id").map {
        guard let time = try $0.optionalTime(1) else {
          throw RetakeError(.corrupt, "The index of \(path) has a mark without a time.")
        }
        return try Mark(label: try $0.text(0), presentation: time)
      }
    }
  }
}
