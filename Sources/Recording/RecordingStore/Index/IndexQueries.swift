import ChunkFormat
import FrameModel
import GRDB
import Support

extension IndexDatabase {
  func identity() throws(RetakeError) -> (RecordingIdentity, isClosed: Bool) {
    try read { database in
      guard
        let row = try Row.fetchOne(
          database,
          sql: "SELECT id, format_version, wall_clock_ns, monotonic_origin_ns, is_closed FROM recording")
      else {
        throw RetakeError(
          .corrupt, "\(path) is empty: its recorder was killed before it started.",
          hint: "'retake recover' rebuilds it from the chunk files")
      }
      let version = try row.integer(1, in: 1...Int(Int32.max))
      guard version <= RecordingIdentity.currentFormatVersion else { throw RecordingIdentity.newer(version) }
      let identity = RecordingIdentity(
        id: try row.text(0), wallClockNanoseconds: try row.integer(2),
        monotonicOrigin: MonotonicTime(nanoseconds: try row.integer(3)), formatVersion: version)
      return (identity, try row.integer(4, in: 0...1) == 1)
    }
  }

  func streams() throws(RetakeError) -> [StreamDescription] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT id, name, kind, format, width, height, rate, tick_hertz, tick_bits, device FROM stream
          ORDER BY id
          """)
      return try rows.enumerated().map { position, row in
        guard try row.integer(0, in: 0...65_000) == position, let kind = StreamKind(rawValue: try row.text(2)),
          let format = PixelFormat(rawValue: try row.text(3)), let rate = FrameRate(try row.text(6))
        else {
          throw RetakeError(.corrupt, "The index of \(path) describes an invalid stream.")
        }
        let sides = 1...FrameLayout.largestSide
        let settings = try Row.fetchAll(
          database, sql: "SELECT name, value FROM setting WHERE stream = ? ORDER BY position",
          arguments: [position])
        return StreamDescription(
          name: try row.text(1), kind: kind,
          layout: try FrameLayout(
            format, width: try row.integer(4, in: sides), height: try row.integer(5, in: sides)), rate: rate,
          clock: try TickClock(hertz: try row.integer(7), bits: try row.integer(8, in: 8...64)),
          device: try row.text(9),
          settings: try settings.map { StreamDescription.Setting(try $0.text(0), try $0.text(1)) })
      }
    }
  }

  func events() throws(RetakeError) -> [FrameEvent] { try events(which: "ORDER BY id") }

  /// The events with the most frames, of these reasons.
  func largestEvents(_ reasons: [FrameEvent.Reason], limit: Int) throws(RetakeError) -> [FrameEvent] {
    let words = reasons.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return try events(which: "WHERE reason IN (\(words)) ORDER BY count DESC, id LIMIT \(limit)")
  }

  private func events(which clause: String) throws(RetakeError) -> [FrameEvent] {
    try read { database in
      let rows = try Row.fetchAll(
        database, sql: "SELECT stream, stage, reason, frame, count, presentation_ns FROM event \(clause)")
      return try rows.map { row in
        guard let stage = FrameEvent.Stage(rawValue: try row.text(1)),
          let reason = FrameEvent.Reason(rawValue: try row.text(2))
        else { throw RetakeError(.corrupt, "The index of \(path) has an unknown kind of event.") }
        return FrameEvent(
          stream: try row.integer(0, in: 0...65_535), stage: stage, reason: reason,
          frameNumber: try row.integer(3, in: 0...RecordingLimits.count),
          count: try row.integer(4, in: 0...RecordingLimits.count),
          presentation: PresentationTime(nanoseconds: try row.integer(5)))
      }
    }
  }

  func frameCountsOfFiles() throws(RetakeError) -> [(file: Int, stream: Int, count: Int)] {
    try read { database in
      try Row.fetchAll(database, sql: "SELECT chunk_file, stream, frame_count FROM chunk_stream").map {
        (
          try $0.integer(0, in: 0...RecordingFolder.largestFileNumber), try $0.integer(1, in: 0...65_535),
          try $0.integer(2, in: 0...RecordingLimits.count)
        )
      }
    }
  }

  func hasDiskEvents() throws(RetakeError) -> Bool {
    try read { try Row.fetchOne($0, sql: "SELECT 1 FROM event WHERE stage = 'disk' LIMIT 1") != nil }
  }

  func pairingEventCount() throws(RetakeError) -> Int {
    try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM event WHERE stage = 'pairing'") ?? 0 }
  }

  func summary(of recording: Recording) throws(RetakeError) -> RecordingSummary {
    try read { database in
      let counts = 0...RecordingLimits.count
      let streams = try recording.streams.enumerated().map { id, description in
        let row = try Row.fetchOne(
          database,
          sql: """
            SELECT coalesce(sum(frame_count), 0), coalesce(sum(damaged_count), 0), min(first_ns), max(last_ns),
              coalesce(sum(raw_bytes), 0), coalesce(sum(stored_bytes), 0)
            FROM chunk_stream WHERE stream = ?1
            """, arguments: [id])!
        return RecordingSummary.Stream(
          description: description, frameCount: try row.integer(0, in: counts),
          damagedCount: try row.integer(1, in: counts),
          firstPresentation: try row.optionalTime(2), lastPresentation: try row.optionalTime(3),
          rawByteCount: try row.integer(4, in: counts), storedByteCount: try row.integer(5, in: counts),
          clock: try Self.clockFacts(database, stream: id))
      }
      let files = try Row.fetchOne(
        database,
        sql: """
          SELECT count(*), coalesce(sum(byte_count), 0) FROM chunk_file
          """)!
      let losses = try Row.fetchAll(
        database, sql: "SELECT stream, stage, reason, count FROM event_count ORDER BY stream, stage, reason"
      ).map {
        RecordingSummary.Loss(
          stream: try $0.integer(0, in: 0...65_535), stage: try $0.text(1), reason: try $0.text(2),
          count: try $0.integer(3, in: counts))
      }
      return RecordingSummary(
        streams: streams, chunkFileCount: try files.integer(0, in: counts),
        storedByteCount: try files.integer(1, in: counts), frameSetCount: try Self.frameSetCount(database),
        faces: try Self.faceCounts(database), losses: losses)
    }
  }

  private static func clockFacts(_ database: Database, stream: Int) throws -> ClockFacts {
    var facts = ClockFacts()
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT clock_offset_ns, clock_drift_ppb, delay_median_ns, delay_p99_ns, period_median_ns, period_p99_ns
        FROM stream WHERE id = ?
        """, arguments: [stream])
    guard let row else { return facts }
    func spread(_ column: Int) throws -> ClockFacts.Spread? {
      guard let median = try row.optionalInteger(column), let last = try row.optionalInteger(column + 1) else {
        return nil
      }
      return ClockFacts.Spread(medianNanoseconds: median, ninetyNinthNanoseconds: last)
    }
    facts.offsetNanoseconds = try row.optionalInteger(0)
    facts.driftPartsPerBillion = try row.optionalInteger(1)
    facts.delay = try spread(2)
    facts.period = try spread(4)
    return facts
  }

  /// Frame sets are numbered from 0 without gaps.
  static func frameSetCount(_ database: Database) throws -> Int {
    let row = try Row.fetchOne(database, sql: "SELECT coalesce(max(number) + 1, 0) FROM frame_set")!
    return try row.integer(0, in: 0...RecordingLimits.count)
  }

  /// Ordered by time; marks of equal time stay in the order in which they were set.
  func marks() throws(RetakeError) -> [Mark] {
    try read { database in
      try Row.fetchAll(database, sql: "SELECT label, presentation_ns FROM mark ORDER BY presentation_ns, id").map {
        guard let time = try $0.optionalTime(1) else {
          throw RetakeError(.corrupt, "The index of \(path) has a mark without a time.")
        }
        return try Mark(label: try $0.text(0), presentation: time)
      }
    }
  }
}
