import Scores

/// The tables of a results file; ResultsFile.md describes them.
struct ResultsSchema {
  /// "RTS1" in SQLite's application_id marks a results file.
  static let applicationID = 0x5254_5331
  static let version = 3
  /// Version 1 has no pipeline revision and no commit; 1 and 2 have no frames with truth and no
  /// boundary tolerance.
  static let readVersions = 1...version

  struct Statement: Hashable {
    /// "table" or "view".
    var type: String
    var name: String
    var sql: String
  }

  /// Columns of `result` that are neither score nor parameter.
  static let ownColumns = ["setting", "recording", "path", "frames", "missing", "truth_frames", "cost_ms", "error"]

  static func fixed(version: Int) -> [Statement] {
    let build = version == 1 ? "" : ",\npipeline_revision INTEGER, build_commit TEXT NOT NULL"
    let sweep = table(
      "sweep",
      """
      format_version INTEGER NOT NULL, digest TEXT NOT NULL, version TEXT NOT NULL, preset TEXT NOT NULL,
      words TEXT NOT NULL, default_setting INTEGER, setting_count INTEGER NOT NULL, recording_count INTEGER NOT NULL\(build)
      """)
    let truth = version < 3 ? "" : ",\ntruth_frames INTEGER, boundary_tolerance INTEGER"
    let recording = table(
      "recording",
      """
      number INTEGER PRIMARY KEY, id TEXT NOT NULL, path TEXT NOT NULL, first_frame INTEGER NOT NULL,
      end_frame INTEGER NOT NULL, every INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
      truth TEXT NOT NULL\(truth)
      """)
    return [sweep, recording] + ofEveryVersion
  }

  private static let ofEveryVersion: [Statement] = [
    table("score", "position INTEGER PRIMARY KEY, name TEXT NOT NULL"),
    table("tried", "position INTEGER PRIMARY KEY, name TEXT NOT NULL"),
    table("parameter", "position INTEGER PRIMARY KEY, name TEXT NOT NULL, value TEXT"),
    table("setting", "number INTEGER PRIMARY KEY, digest TEXT NOT NULL"),
    table(
      "setting_parameter",
      """
      setting INTEGER NOT NULL, parameter INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (setting, parameter)
      """, isKeyed: true),
    table(
      "absence",
      """
      recording INTEGER NOT NULL, position INTEGER NOT NULL, score TEXT NOT NULL, reason TEXT NOT NULL,
      PRIMARY KEY (recording, position)
      """, isKeyed: true),
    table(
      "run",
      """
      setting INTEGER NOT NULL, recording INTEGER NOT NULL, state TEXT NOT NULL, error TEXT,
      frame_count INTEGER NOT NULL, missing_count INTEGER NOT NULL, PRIMARY KEY (setting, recording)
      """, isKeyed: true),
    table(
      "cost",
      """
      setting INTEGER NOT NULL, recording INTEGER NOT NULL, color_ns REAL NOT NULL, depth_ns REAL NOT NULL,
      mask_ns REAL NOT NULL, matte_ns REAL NOT NULL, PRIMARY KEY (setting, recording)
      """, isKeyed: true),
  ]

  /// Have a column for every score or every swept parameter.
  let wide: [Statement]

  init(_ identity: SweepIdentity, version: Int = version) {
    let kinds = TriedColumn.all(of: identity)
    let tried = kinds.map { ", \(Self.quoted($0.name)) \($0.type.rawValue) NOT NULL" }.joined()
    let scores = identity.scores.map { Self.quoted($0.name) }
    let values = scores.map { ", \($0) REAL" }.joined()
    let result =
      [
        "run.setting AS setting", "recording.id AS recording", "recording.path AS path",
        "run.frame_count AS frames", "run.missing_count AS missing",
      ] + (version < 3 ? [] : ["recording.truth_frames AS truth_frames"])
      + kinds.map { "tried_value.\(Self.quoted($0.name)) AS \(Self.quoted($0.name))" }
      + scores.map { "summary.\($0) AS \($0)" } + [
        "(cost.color_ns + cost.depth_ns + cost.mask_ns + cost.matte_ns) / 1000000.0 AS cost_ms", "run.error AS error",
      ]
    wide = [
      Self.table("tried_value", "setting INTEGER PRIMARY KEY" + tried),
      Self.table(
        "summary",
        "setting INTEGER NOT NULL, recording INTEGER NOT NULL\(values), PRIMARY KEY (setting, recording)",
        isKeyed: true),
      Self.table(
        "frame_score",
        """
        setting INTEGER NOT NULL, recording INTEGER NOT NULL, position INTEGER NOT NULL, frame INTEGER NOT NULL,
        has_matte INTEGER NOT NULL\(values), PRIMARY KEY (setting, recording, position)
        """, isKeyed: true),
      Statement(
        type: "view", name: "result",
        sql: """
          CREATE VIEW result AS SELECT
            \(result.joined(separator: ",\n  "))
          FROM run
          JOIN tried_value ON tried_value.setting = run.setting
          JOIN recording ON recording.number = run.recording
          LEFT JOIN summary ON summary.setting = run.setting AND summary.recording = run.recording
          LEFT JOIN cost ON cost.setting = run.setting AND cost.recording = run.recording
          ORDER BY run.setting, run.recording
          """),
    ]
  }

  /// By Unicode scalars: Swift takes a quote with a combining accent for a single character.
  static func quoted(_ name: String) -> String {
    var quoted = "\""
    for scalar in name.unicodeScalars {
      if scalar == "\"" { quoted += "\"\"" } else { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "\""
  }

  /// - Parameter isKeyed: stored in the order of the primary key, so that a run's frames are
  ///   adjacent.
  private static func table(_ name: String, _ columns: String, isKeyed: Bool = false) -> Statement {
    Statement(type: "table", name: name, sql: "CREATE TABLE \(name) (\(columns))\(isKeyed ? " WITHOUT ROWID" : "")")
  }
}
