import ChunkFormat
import FrameModel
import GRDB
import Support

extension IndexDatabase {
  /// Enters the face results of a frame, replacing earlier ones. Drops them if the index does not
  /// have the frame.
  static func insert(_ message: FacesMessage, _ database: Database) throws {
    let key: StatementArguments = [message.stream, message.frameNumber]
    let frame = try database.cachedStatement(sql: "SELECT 1 FROM frame WHERE stream = ? AND number = ?")
    guard try Int.fetchOne(frame, arguments: key) != nil else { return }
    try remove(key, stream: message.stream, database)

    try database.cachedStatement(sql: "INSERT OR IGNORE INTO face_detector (name) VALUES (?)")
      .execute(arguments: [message.source])
    let find = try database.cachedStatement(sql: "SELECT id FROM face_detector WHERE name = ?")
    let detector = try Int.fetchOne(find, arguments: [message.source])
    try database.cachedStatement(sql: "INSERT INTO face_look VALUES (?, ?, ?, ?)")
      .execute(arguments: [message.stream, message.frameNumber, detector, message.isSkipped])
    try count(
      stream: message.stream, detector: detector, by: 1, isSkipped: message.isSkipped, hasFace: !message.faces.isEmpty,
      database)
    let insert = try database.cachedStatement(sql: "INSERT INTO face VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for (position, face) in message.faces.enumerated() {
      try insert.execute(arguments: [
        message.stream, message.frameNumber, position, face.box.x, face.box.y, face.box.width, face.box.height,
        face.confidence, face.roll, face.pitch, face.yaw, face.detector, face.framesSinceSeen,
      ])
    }
  }

  static func remove(_ key: StatementArguments, stream: Int, _ database: Database) throws {
    let find = try database.cachedStatement(
      sql: """
        SELECT detector, is_skipped, EXISTS (SELECT 1 FROM face WHERE face.stream = ?1 AND face.frame = ?2) FROM face_look
        WHERE stream = ?1 AND frame = ?2
        """)
    guard let known = try Row.fetchOne(find, arguments: key) else { return }
    try count(
      stream: stream, detector: try known.integer(0, in: 0...RecordingLimits.count), by: -1,
      isSkipped: try known.integer(1) != 0,
      hasFace: try known.integer(2) != 0, database)
    try database.cachedStatement(sql: "DELETE FROM face WHERE stream = ? AND frame = ?").execute(arguments: key)
    try database.cachedStatement(sql: "DELETE FROM face_look WHERE stream = ? AND frame = ?").execute(arguments: key)
  }

  private static func count(
    stream: Int, detector: Int?, by step: Int, isSkipped: Bool, hasFace: Bool, _ database: Database
  ) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO face_count VALUES (?, ?, ?, ?, ?) ON CONFLICT (stream, detector) DO UPDATE SET
        looked = looked + excluded.looked, with_face = with_face + excluded.with_face, skipped = skipped + excluded.skipped
        """
    ).execute(arguments: [stream, detector, isSkipped ? 0 : step, hasFace ? step : 0, isSkipped ? step : 0])
  }

  static func faceCounts(_ database: Database) throws -> [RecordingSummary.Faces] {
    let counts = 0...RecordingLimits.count
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT stream, name, looked, with_face, skipped FROM face_count
        JOIN face_detector ON face_detector.id = face_count.detector
        WHERE looked > 0 OR skipped > 0 ORDER BY stream, face_count.detector LIMIT \(RecordingLimits.detectors + 1)
        """)
    guard rows.count <= RecordingLimits.detectors else {
      throw RetakeError(.corrupt, "The index has more than \(RecordingLimits.detectors) face detectors.")
    }
    return try rows.map { row in
      RecordingSummary.Faces(
        stream: try row.integer(0, in: 0...65_535), detector: try row.text(1),
        lookedCount: try row.integer(2, in: counts),
        faceFrameCount: try row.integer(3, in: counts), skippedCount: try row.integer(4, in: counts))
    }
  }

  /// Face results ordered by frame, without frames that were neither examined nor skipped.
  static func faces(_ database: Database, stream: Int, frames: Range<Int>) throws -> [FacesMessage] {
    let arguments: StatementArguments = [stream, frames.lowerBound, frames.upperBound]
    var messages = try Row.fetchAll(
      database,
      sql: """
        SELECT face_look.frame, frame.presentation_ns, name, is_skipped FROM face_look
        JOIN face_detector ON face_detector.id = face_look.detector
        JOIN frame ON frame.stream = face_look.stream AND frame.number = face_look.frame
        WHERE face_look.stream = ? AND face_look.frame >= ? AND face_look.frame < ? ORDER BY face_look.frame
        """, arguments: arguments
    ).map { row in
      guard let time = try row.optionalTime(1) else { throw RetakeError(.corrupt, "A frame in the index has no time.") }
      return FacesMessage(
        stream: stream, frameNumber: try row.integer(0, in: 0...RecordingLimits.count), presentation: time, faces: [],
        detector: try row.text(2), isSkipped: try row.integer(3) != 0)
    }
    var next = 0
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT \(faceColumns), frame FROM face WHERE stream = ? AND frame >= ? AND frame < ? ORDER BY frame, position
        """, arguments: arguments)
    for row in rows {
      let frame = try row.integer(faceColumnCount, in: 0...RecordingLimits.count)
      while next < messages.count && messages[next].frameNumber < frame { next += 1 }
      guard next < messages.count, messages[next].frameNumber == frame, !messages[next].isSkipped else { continue }
      messages[next].faces.append(try FaceObservation(row))
    }
    return messages
  }

  static let faceColumns = "x, y, width, height, confidence, roll, pitch, yaw, face.detector, frames_since_seen"
  static let faceColumnCount = 10
}

extension FaceObservation {
  /// - Parameter row: its first columns are `IndexDatabase.faceColumns`.
  /// - Throws: `.corrupt` for values that no recorder writes.
  init(_ row: Row) throws {
    self.init(
      box: Box(x: try row.real(0), y: try row.real(1), width: try row.real(2), height: try row.real(3)),
      confidence: try row.real(4), roll: try row.optionalReal(5), pitch: try row.optionalReal(6),
      yaw: try row.optionalReal(7), detector: try row.text(8), framesSinceSeen: try row.integer(9, in: 0...1 << 31))
  }
}
