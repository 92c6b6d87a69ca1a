import GRDB
import Scores

extension ResultsDatabase {
  /// Stores a parameter once if all settings share its value, otherwise for each setting.
  static func insert(_ identity: SweepIdentity, _ database: Database) throws {
    try database.execute(
      sql: "INSERT INTO sweep VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        ResultsSchema.version, identity.digest, identity.version, identity.preset, identity.words,
        identity.defaultSetting, identity.settings.count, identity.recordings.count, identity.pipelineRevision,
        identity.commit,
      ])
    for (table, names) in [("score", identity.scores.map(\.name)), ("tried", identity.tried)] {
      for (place, name) in names.enumerated() {
        try database.execute(sql: "INSERT INTO \(table) VALUES (?, ?)", arguments: [place, name])
      }
    }
    var differing: [Int] = []
    for (place, parameter) in (identity.settings.first?.parameters ?? []).enumerated() {
      let isCommon = identity.settings.allSatisfy { $0.parameters[place].value == parameter.value }
      if !isCommon { differing.append(place) }
      try database.execute(
        sql: "INSERT INTO parameter VALUES (?, ?, ?)",
        arguments: [place, parameter.name, isCommon ? parameter.value : nil])
    }
    try insertSettings(identity, differing, database)
    for recording in identity.recordings {
      try database.execute(
        sql: "INSERT INTO recording VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          recording.number, recording.id, recording.path, recording.frames.lowerBound, recording.frames.upperBound,
          recording.every, recording.width, recording.height, recording.truth, recording.truthFrameCount,
          recording.boundaryTolerance,
        ])
      for (place, absence) in recording.absences.enumerated() {
        try database.execute(
          sql: "INSERT INTO absence VALUES (?, ?, ?, ?)",
          arguments: [recording.number, place, absence.score.name, absence.reason])
      }
    }
  }

  private static func insertSettings(_ identity: SweepIdentity, _ differing: [Int], _ database: Database) throws {
    let columns = TriedColumn.all(of: identity)
    let marks = [String](repeating: "?", count: columns.count + 1).joined(separator: ", ")
    let settings = try database.makeStatement(sql: "INSERT INTO setting VALUES (?, ?)")
    let tried = try database.makeStatement(sql: "INSERT INTO tried_value VALUES (\(marks))")
    let values = try database.makeStatement(sql: "INSERT INTO setting_parameter VALUES (?, ?, ?)")
    for setting in identity.settings {
      var arguments: [(any DatabaseValueConvertible)?] = [setting.number]
      for column in columns {
        let text = setting.parameters[column.place].value
        switch column.type {
        case .integer: arguments.append(TriedColumn.integer(text))
        case .real: arguments.append(TriedColumn.real(text))
        case .text: arguments.append(text)
        }
      }
      try settings.execute(arguments: [setting.number, setting.digest])
      try tried.execute(arguments: StatementArguments(arguments))
      for place in differing {
        try values.execute(arguments: [setting.number, place, setting.parameters[place].value])
      }
    }
  }

  /// Requires consecutive numbers, so that a damaged file cannot deliver endless rows.
  static func identity(_ database: Database, version: Int) throws -> SweepIdentity {
    let build = version == 1 ? "" : ", pipeline_revision, build_commit"
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT format_version, version, preset, words, default_setting, setting_count, recording_count\(build)
          FROM sweep LIMIT 1
          """)
    else { throw ImpossibleRow(what: "it does not describe its sweep") }
    _ = try row.integer(0, in: version...version)
    let scores = try names("score", ScoreKind.allCases.count, database).map(kind)
    let settingCount = try row.integer(5, in: 1...SweepLimits.settings)
    let recordingCount = try row.integer(6, in: 1...SweepLimits.recordings)
    guard settingCount * recordingCount <= SweepLimits.runs else { throw ImpossibleRow(what: "it has too many runs") }
    let settings = try settings(settingCount, database)
    let recordings = try recordings(recordingCount, database, version: version)
    guard settings.count == settingCount, recordings.count == recordingCount else {
      throw ImpossibleRow(what: "its number of settings or recordings differs from the stated one")
    }
    return SweepIdentity(
      version: try row.text(1), pipelineRevision: version == 1 ? nil : try row.optionalInteger(7, in: 0...1 << 20),
      commit: version == 1 ? "" : try row.text(8, limit: 100), preset: try row.text(2),
      tried: try names("tried", SweepLimits.parameters, database),
      words: try row.text(3, limit: SweepLimits.wordsBytes), scores: scores, settings: settings,
      defaultSetting: try row.optionalInteger(4, in: 0...SweepLimits.settings), recordings: recordings)
  }

  private static func kind(_ name: String) throws -> ScoreKind {
    guard let kind = ScoreKind(name: name) else {
      throw ImpossibleRow(what: "it has an unknown score '\(name.prefix(40))'")
    }
    return kind
  }

  private static func names(_ table: String, _ limit: Int, _ database: Database) throws -> [String] {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT position, name FROM \(table) ORDER BY position LIMIT \(limit + 1)")
    var names: [String] = []
    while let row = try rows.next() {
      _ = try row.integer(0, in: names.count...names.count)
      names.append(try row.text(1))
    }
    return names
  }

  /// - Parameter count: what the file declares; at most one more is read.
  private static func settings(_ count: Int, _ database: Database) throws -> [SweepIdentity.Setting] {
    var common: [(name: String, value: String?)] = []
    let parameters = try Row.fetchCursor(
      database, sql: "SELECT position, name, value FROM parameter ORDER BY position LIMIT \(SweepLimits.parameters + 1)"
    )
    while let row = try parameters.next() {
      _ = try row.integer(0, in: common.count...common.count)
      common.append((try row.text(1), try row.optionalText(2)))
    }
    // In memory each setting has all its values; in the file, shared values are stored once.
    guard common.count * count <= SweepLimits.values else { throw ImpossibleRow(what: "it has too many values") }
    let values = try Row.fetchCursor(
      database, sql: "SELECT setting, parameter, value FROM setting_parameter ORDER BY setting, parameter")
    let rows = try Row.fetchCursor(
      database, sql: "SELECT number, digest FROM setting ORDER BY number LIMIT \(count + 1)")
    var settings: [SweepIdentity.Setting] = []
    while let row = try rows.next() {
      let number = try row.integer(0, in: settings.count...settings.count)
      let assignments = try common.enumerated().map { place, parameter in
        if let value = parameter.value { return SweepIdentity.Assignment(name: parameter.name, value: value) }
        guard let own = try values.next() else { throw ImpossibleRow(what: "a setting has no \(parameter.name)") }
        _ = try own.integer(0, in: number...number)
        _ = try own.integer(1, in: place...place)
        return SweepIdentity.Assignment(name: parameter.name, value: try own.text(2))
      }
      settings.append(SweepIdentity.Setting(number: number, digest: try row.text(1), parameters: assignments))
    }
    guard try values.next() == nil else { throw ImpossibleRow(what: "it has values of missing settings") }
    return settings
  }

  private static func recordings(
    _ count: Int, _ database: Database, version: Int
  ) throws -> [SweepIdentity.Recording] {
    let truth = version < 3 ? "" : ", truth_frames, boundary_tolerance"
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT number, id, path, first_frame, end_frame, every, width, height, truth\(truth) FROM recording ORDER BY number
        LIMIT \(count + 1)
        """)
    let absences = try database.makeStatement(
      sql: """
        SELECT position, score, reason FROM absence WHERE recording = ? ORDER BY position
        LIMIT \(ScoreKind.allCases.count + 1)
        """)
    var recordings: [SweepIdentity.Recording] = []
    while let row = try rows.next() {
      let number = try row.integer(0, in: recordings.count...recordings.count)
      let first = try row.integer(3, in: 0...SweepLimits.frames)
      let end = try row.integer(4, in: first...SweepLimits.frames)
      var missing: [SweepIdentity.Absence] = []
      let lacking = try Row.fetchCursor(absences, arguments: [number])
      while let row = try lacking.next() {
        _ = try row.integer(0, in: missing.count...missing.count)
        missing.append(SweepIdentity.Absence(score: try kind(row.text(1)), reason: try row.text(2)))
      }
      recordings.append(
        SweepIdentity.Recording(
          number: number, id: try row.text(1), path: try row.text(2), frames: first..<end,
          every: try row.integer(5, in: 1...SweepLimits.frames), width: try row.integer(6, in: 0...SweepLimits.side),
          height: try row.integer(7, in: 0...SweepLimits.side), truth: try row.text(8),
          truthFrameCount: version < 3 ? nil : try row.optionalInteger(9, in: 0...SweepLimits.frames),
          boundaryTolerance: version < 3 ? nil : try row.optionalInteger(10, in: 1...SweepLimits.side),
          absences: missing))
    }
    return recordings
  }
}
