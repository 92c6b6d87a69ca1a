import ChunkFormat
import FrameModel
import GRDB
import Support

package struct FrameRow: Hashable, Sendable {
  package var stream: Int
  package var number: Int
  package var deviceSequence: UInt64?
  package var timestamps: FrameTimestamps
  package var flags: FrameFlags
  package var chunkFile: Int
  package var place: MessagePlace
  package var byteCount: Int
  package var checksum: UInt64
}

/// A master frame and the frames of other streams taken at the same time.
struct FrameSetRow: Hashable, Sendable {
  var number: Int
  var masterFrame: Int
}

struct PartnerRow: Hashable, Sendable {
  var frameSet: Int
  var stream: Int
  var frame: Int
}

struct IndexBatch: Sendable {
  var chunkFile: (number: Int, byteCount: Int)?
  var frames: [FrameRow] = []
  var faces: [FacesMessage] = []
  var frameSets: [FrameSetRow] = []
  var partners: [PartnerRow] = []
  var events: [FrameEvent] = []
  var marks: [Mark] = []
  /// Clock facts of each stream, up to this file.
  var clocks: [ClockFacts] = []
}

extension IndexDatabase {
  func insert(_ identity: RecordingIdentity, streams: [StreamDescription]) throws(RetakeError) {
    try write { database in
      try database.execute(
        sql: "INSERT INTO recording VALUES (?, ?, ?, ?, 0)",
        arguments: [
          identity.id, identity.formatVersion, identity.wallClockNanoseconds,
          identity.monotonicOrigin.nanoseconds,
        ])
      for (id, stream) in streams.enumerated() {
        try database.execute(
          sql: "INSERT INTO stream VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, NULL)",
          arguments: [
            id, stream.name, stream.kind.rawValue, stream.layout.format.rawValue, stream.layout.width,
            stream.layout.height, stream.rate.description, stream.clock.hertz, stream.clock.bits,
            stream.device,
          ])
        for (position, setting) in stream.settings.enumerated() {
          try database.execute(
            sql: "INSERT INTO setting VALUES (?, ?, ?, ?)",
            arguments: [id, position, setting.name, setting.value])
        }
      }
    }
  }

  /// - Parameter isLast: whether the recording ends with these rows and is closed.
  /// - Returns: the row ids of the events; nil without any.
  @discardableResult
  func insert(_ batch: IndexBatch, isLast: Bool = false) throws(RetakeError) -> ClosedRange<Int64>? {
    try write { database in
      if isLast { try database.execute(sql: "UPDATE recording SET is_closed = 1") }
      if let chunkFile = batch.chunkFile {
        try database.execute(
          sql: "INSERT INTO chunk_file VALUES (?, ?, ?)",
          arguments: [chunkFile.number, chunkFile.byteCount, batch.frames.count])
        try insertSums(batch, chunkFile: chunkFile.number, database)
      }
      let frames = try database.cachedStatement(
        sql: "INSERT INTO frame VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      for row in batch.frames { try frames.execute(arguments: row.arguments) }
      for message in batch.faces { try Self.insert(message, database) }
      let sets = try database.cachedStatement(sql: "INSERT INTO frame_set VALUES (?, ?)")
      for row in batch.frameSets { try sets.execute(arguments: [row.number, row.masterFrame]) }
      let partners = try database.cachedStatement(sql: "INSERT INTO partner VALUES (?, ?, ?)")
      for row in batch.partners { try partners.execute(arguments: [row.frameSet, row.stream, row.frame]) }
      let events = try database.cachedStatement(sql: "INSERT INTO event VALUES (NULL, ?, ?, ?, ?, ?, ?)")
      let counts = try database.cachedStatement(
        sql: """
          INSERT INTO event_count VALUES (?, ?, ?, ?)
          ON CONFLICT (stream, stage, reason) DO UPDATE SET count = count + excluded.count
          """)
      var eventRows: ClosedRange<Int64>?
      for event in batch.events {
        try events.execute(arguments: [
          event.stream, event.stage.rawValue, event.reason.rawValue, event.frameNumber, event.count,
          event.presentation.nanoseconds,
        ])
        eventRows = (eventRows?.lowerBound ?? database.lastInsertedRowID)...database.lastInsertedRowID
        try counts.execute(arguments: [event.stream, event.stage.rawValue, event.reason.rawValue, event.count])
      }
      let marks = try database.cachedStatement(sql: "INSERT INTO mark VALUES (NULL, ?, ?)")
      for mark in batch.marks { try marks.execute(arguments: [mark.label, mark.presentation.nanoseconds]) }
      for (stream, clock) in batch.clocks.enumerated() {
        try database.execute(
          sql: """
            UPDATE stream SET clock_offset_ns = ?, clock_drift_ppb = ?, delay_median_ns = ?, delay_p99_ns = ?,
              period_median_ns = ?, period_p99_ns = ? WHERE id = ?
            """,
          arguments: [
            clock.offsetNanoseconds, clock.driftPartsPerBillion, clock.delay?.medianNanoseconds,
            clock.delay?.ninetyNinthNanoseconds, clock.period?.medianNanoseconds,
            clock.period?.ninetyNinthNanoseconds, stream,
          ])
      }
      return eventRows
    }
  }

  private func insertSums(_ batch: IndexBatch, chunkFile: Int, _ database: Database) throws {
    let insert = try database.cachedStatement(
      sql: "INSERT INTO chunk_stream VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    for stream in Set(batch.frames.map(\.stream)).sorted() {
      let frames = batch.frames.filter { $0.stream == stream }
      let times = frames.map(\.timestamps.presentation)
      try insert.execute(arguments: [
        chunkFile, stream, frames.count, frames.count { $0.flags.contains(.damaged) },
        times.min()!.nanoseconds, times.max()!.nanoseconds, frames.reduce(0) { $0 + $1.byteCount },
        frames.reduce(0) { $0 + $1.place.length },
      ])
    }
  }

  func setClosed(_ isClosed: Bool) throws(RetakeError) {
    try write { try $0.execute(sql: "UPDATE recording SET is_closed = ?", arguments: [isClosed]) }
  }
}

extension FrameRow {
  init(_ message: FrameMessage, stream: Int, chunkFile: Int, place: MessagePlace) {
    self.init(
      stream: stream, number: message.number, deviceSequence: message.deviceSequence,
      timestamps: message.timestamps, flags: message.flags, chunkFile: chunkFile, place: place,
      byteCount: message.byteCount, checksum: message.checksum)
  }

  fileprivate var arguments: StatementArguments {
    [
      stream, number, deviceSequence.map { Int64(bitPattern: $0) },
      timestamps.deviceTick.map { Int64(bitPattern: $0) }, timestamps.unwrappedTick,
      timestamps.arrival.nanoseconds, timestamps.presentation.nanoseconds, Int64(flags.rawValue), chunkFile,
      place.offset, place.length, byteCount, Int64(bitPattern: checksum),
    ]
  }

  /// In the order of the table's columns, which `init(_: Row)` expects.
  static func columns(of table: String = "frame") -> String {
    [
      "stream", "number", "device_sequence", "device_tick", "unwrapped_tick", "arrival_ns", "presentation_ns",
      "flags", "chunk_file", "offset", "length", "byte_count", "xxh3",
    ].map { "\(table).\($0)" }.joined(separator: ", ")
  }

  /// - Throws: `.corrupt` for values that no recorder writes.
  init(_ row: Row) throws {
    stream = try row.integer(0, in: 0...65_535)
    number = try row.integer(1, in: 0...RecordingLimits.count)
    deviceSequence = try row.optionalInteger(2).map { UInt64(bitPattern: $0) }
    timestamps = FrameTimestamps(
      deviceTick: try row.optionalInteger(3).map { UInt64(bitPattern: $0) },
      unwrappedTick: try row.optionalInteger(4), arrival: MonotonicTime(nanoseconds: try row.integer(5)),
      presentation: PresentationTime(nanoseconds: try row.integer(6)))
    try timestamps.check()
    flags = FrameFlags(rawValue: UInt32(truncatingIfNeeded: try row.integer(7)))
    chunkFile = try row.integer(8, in: 0...1 << 32)
    place = MessagePlace(
      offset: try row.integer(9, in: 0...RecordingLimits.count),
      length: try row.integer(10, in: 1...MessageRecord.largestByteCount))
    byteCount = try row.integer(11, in: 0...FrameLayout.largestByteCount)
    checksum = UInt64(bitPattern: try row.integer(12))
  }
}
