import GRDB
import Support

/// The tables of index.sqlite. All of them can be rebuilt from the chunk files.
enum IndexSchema {
  /// "RTK1" in SQLite's application_id, to distinguish an index from other databases.
  static let applicationID = 0x5254_4B31
  /// Version 2 added marks, and sums for each chunk file and stream. Version 3 added drift, delays
  /// and periods of streams, why a frame is in no set, and which detector examined which frames.
  static let version = 3

  /// `chunk_stream`, `event_count` and `face_count` are sums over the other tables, for speed.
  /// Unsigned 64-bit values (ticks, checksums) are stored as signed ones with the same bits.
  static let statements: [Statement] = tables.split(separator: ";").compactMap { text in
    let words = text.split(maxSplits: 3, whereSeparator: \.isWhitespace)
    guard words.count > 2 else { return nil }
    return Statement(
      type: words[1].lowercased(), name: String(words[2]), sql: String(text.drop { $0.isWhitespace }))
  }

  struct Statement: Hashable {
    var type: String
    var name: String
    var sql: String
  }

  /// - Throws: `.corrupt` when the schema is not exactly that of an index. A view in the place of a
  ///   table, or a trigger, could run untrusted SQL.
  static func check(_ database: Database, _ path: String) throws {
    let rows = try Row.fetchAll(
      database, sql: "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL LIMIT \(statements.count + 1)")
    let found = Set(try rows.map { Statement(type: try $0.text(0), name: try $0.text(1), sql: try $0.text(2)) })
    let expected = Set(statements)
    guard found != expected else { return }
    let odd = found.symmetricDifference(expected).min { ($0.type, $0.name) < ($1.type, $1.name) }!
    throw RetakeError(
      .corrupt, "\(path) is damaged: its \(odd.type) '\(odd.name.prefix(40))' is missing or was not made by Retake.",
      hint: "the frames are safe in the chunk files: 'retake recover' rebuilds the index")
  }

  private static let tables = """
    CREATE TABLE recording (
      id TEXT NOT NULL, format_version INTEGER NOT NULL, wall_clock_ns INTEGER NOT NULL,
      monotonic_origin_ns INTEGER NOT NULL, is_closed INTEGER NOT NULL
    );
    CREATE TABLE stream (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, format TEXT NOT NULL,
      width INTEGER NOT NULL, height INTEGER NOT NULL, rate TEXT NOT NULL, tick_hertz INTEGER NOT NULL,
      tick_bits INTEGER NOT NULL, device TEXT NOT NULL, clock_offset_ns INTEGER, clock_drift_ppb INTEGER,
      delay_median_ns INTEGER, delay_p99_ns INTEGER, period_median_ns INTEGER, period_p99_ns INTEGER
    );
    CREATE TABLE setting (
      stream INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
      PRIMARY KEY (stream, position)
    ) WITHOUT ROWID;
    CREATE TABLE chunk_file (
      id INTEGER PRIMARY KEY, byte_count INTEGER NOT NULL, frame_count INTEGER NOT NULL
    );
    CREATE TABLE chunk_stream (
      chunk_file INTEGER NOT NULL, stream INTEGER NOT NULL, frame_count INTEGER NOT NULL,
      damaged_count INTEGER NOT NULL, first_ns INTEGER NOT NULL,
      last_ns INTEGER NOT NULL, raw_bytes INTEGER NOT NULL, stored_bytes INTEGER NOT NULL,
      PRIMARY KEY (chunk_file, stream)
    ) WITHOUT ROWID;
    CREATE TABLE frame (
      stream INTEGER NOT NULL, number INTEGER NOT NULL, device_sequence INTEGER, device_tick INTEGER,
      unwrapped_tick INTEGER, arrival_ns INTEGER NOT NULL, presentation_ns INTEGER NOT NULL,
      flags INTEGER NOT NULL, chunk_file INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL,
      byte_count INTEGER NOT NULL, xxh3 INTEGER NOT NULL, PRIMARY KEY (stream, number)
    ) WITHOUT ROWID;
    CREATE INDEX frame_by_time ON frame (stream, presentation_ns);
    CREATE INDEX frame_by_file ON frame (chunk_file);
    CREATE TABLE face (
      stream INTEGER NOT NULL, frame INTEGER NOT NULL, position INTEGER NOT NULL, x REAL NOT NULL,
      y REAL NOT NULL, width REAL NOT NULL, height REAL NOT NULL, confidence REAL NOT NULL, roll REAL,
      pitch REAL, yaw REAL, detector TEXT NOT NULL, frames_since_seen INTEGER NOT NULL,
      PRIMARY KEY (stream, frame, position)
    ) WITHOUT ROWID;
    CREATE TABLE face_detector (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
    );
    CREATE TABLE face_look (
      stream INTEGER NOT NULL, frame INTEGER NOT NULL, detector INTEGER NOT NULL, is_skipped INTEGER NOT NULL,
      PRIMARY KEY (stream, frame)
    ) WITHOUT ROWID;
    CREATE TABLE face_count (
      stream INTEGER NOT NULL, detector INTEGER NOT NULL, looked INTEGER NOT NULL, with_face INTEGER NOT NULL,
      skipped INTEGER NOT NULL, PRIMARY KEY (stream, detector)
    ) WITHOUT ROWID;
    CREATE TABLE frame_set (
      number INTEGER PRIMARY KEY, master_frame INTEGER NOT NULL
    );
    CREATE TABLE partner (
      frame_set INTEGER NOT NULL, stream INTEGER NOT NULL, frame INTEGER NOT NULL,
      PRIMARY KEY (frame_set, stream)
    ) WITHOUT ROWID;
    CREATE TABLE event (
      id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, stage TEXT NOT NULL, reason TEXT NOT NULL,
      frame INTEGER NOT NULL, count INTEGER NOT NULL, presentation_ns INTEGER NOT NULL
    );
    CREATE TABLE event_count (
      stream INTEGER NOT NULL, stage TEXT NOT NULL, reason TEXT NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (stream, stage, reason)
    ) WITHOUT ROWID;
    CREATE TABLE mark (
      id INTEGER PRIMARY KEY, label TEXT NOT NULL, presentation_ns INTEGER NOT NULL
    );
    """
}
