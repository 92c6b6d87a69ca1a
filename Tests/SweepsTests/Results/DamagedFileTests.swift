import FrameModel
import GRDB
import Scores
import Support
import Sweeps
import TestSupport
import Testing

/// Results files from elsewhere.
@Suite struct DamagedFileTests {
  private let folder: TemporaryFolder
  private let fixture = SweepFixture(settings: 6)
  init() throws { folder = try TemporaryFolder() }

  /// Reads all there is.
  private func readEverything(_ path: String) throws {
    let file = try SweepResultsFile.open(path)
    _ = try file.summaries()
    for key in try file.finishedRuns().sorted() { _ = try file.run(key) }
    _ = try file.contentText()
  }

  private func expectClearError(_ error: RetakeError?, _ path: String, _ comment: Comment) {
    guard let error else { return }
    #expect([.corrupt, .unsupported].contains(error.code), comment)
    #expect(error.message.contains(path), comment)
    #expect(!error.hint.isEmpty, comment)
  }

  @Test
  func `cut off anywhere is an error that names the file`() throws {
    let bytes = try FileBytes.read(fixture.write(folder.path("a.sqlite")))
    var lengths = Array(stride(from: 0, to: 2000, by: 37)) + Array(stride(from: 2000, to: bytes.count, by: 1531))
    lengths.append(bytes.count - 1)
    for length in lengths {
      let path = folder.path("cut-\(length)")
      try FileBytes.write(Array(bytes[..<length]), to: path)
      let error = failure { try readEverything(path) }
      #expect(error != nil, "\(length) of \(bytes.count) bytes")
      expectClearError(error, path, "\(length) of \(bytes.count) bytes")
      // An empty one is begun anew; others are left alone.
      let other = failure { _ = try SweepResultsFile.openOrCreate(path, fixture.identity) }
      #expect((other == nil) == (length == 0), "\(length) of \(bytes.count) bytes")
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `with any bytes changed it is read or refused with one sentence`(seed: UInt64) throws {
    let bytes = try FileBytes.read(fixture.write(folder.path("a.sqlite")))
    var random = SeededGenerator(seed: seed)
    let path = folder.path("b.sqlite")
    var refused = 0
    for round in 0..<90 {
      var changed = bytes
      for _ in 0...random.next(below: 4) {
        // The first page has what everything hangs on.
        let place = random.next(below: random.next(below: 3) == 0 ? 4096 : bytes.count)
        changed[place] = round % 2 == 0 ? UInt8(random.next(below: 256)) : changed[place] ^ (1 << random.next(below: 8))
      }
      try FileBytes.write(changed, to: path)
      let error = failure { try readEverything(path) }
      if error != nil { refused += 1 }
      expectClearError(error, path, "seed \(seed), round \(round): \(error?.description ?? "")")
    }
    #expect(refused > 10)
  }

  @Test(arguments: Foreign.allCases)
  func `what is no results file says so`(kind: Foreign) throws {
    let path = folder.path("a.sqlite")
    try kind.make(path, fixture)
    for identity in [nil, fixture.identity] {
      let error = failure {
        if let identity { _ = try SweepResultsFile.openOrCreate(path, identity) } else { try readEverything(path) }
      }
      #expect(error?.code == kind.code, "\(error?.description ?? "")")
      #expect(error?.message.contains(kind.words) == true, "\(error?.description ?? "")")
      #expect(error?.hint.isEmpty == false)
    }
  }

  enum Foreign: CaseIterable {
    case text, otherDatabase, newer, trigger, index, viewForTable, otherColumns, otherView, unknownScore, otherDigest
    case hugeText, missingSetting, extraParameter, textInNumber, tooManyRuns, tooManyValues

    var code: RetakeError.Code { self == .newer ? .unsupported : .corrupt }

    var words: String {
      switch self {
      case .text: "not an SQLite database"
      case .otherDatabase: "not of sweep results"
      case .newer: "this Retake reads versions up to 3"
      case .trigger: "its trigger 't' was not made by Retake"
      case .index: "its index 'i' was not made by Retake"
      case .viewForTable: "its table 'recording' is missing"
      case .otherColumns: "its table 'summary' is missing or was changed"
      case .otherView: "its view 'result' is missing or was changed"
      case .unknownScore: "an unknown score 'unknown'"
      case .otherDigest: "does not match its digest"
      case .hugeText, .textInNumber, .extraParameter: "impossible value"
      case .tooManyRuns: "it has too many runs"
      case .tooManyValues: "it has too many values"
      case .missingSetting: "it has values of missing settings"
      }
    }

    private var sql: String {
      switch self {
      case .text, .otherDatabase: ""
      case .newer: "PRAGMA user_version = 4"
      case .trigger: "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END"
      case .index: "CREATE INDEX i ON run (state)"
      case .viewForTable:
        """
        DROP TABLE recording;
        CREATE VIEW recording AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r
        """
      case .otherColumns: "ALTER TABLE summary ADD COLUMN other REAL"
      case .otherView: "DROP VIEW result; CREATE VIEW result AS SELECT 1"
      case .unknownScore: "UPDATE score SET name = 'unknown' WHERE position = 3"
      case .otherDigest: "UPDATE setting SET digest = 'other' WHERE number = 1"
      case .hugeText: "UPDATE recording SET path = hex(zeroblob(100000))"
      case .missingSetting: "DELETE FROM setting WHERE number = 5"
      case .extraParameter: "INSERT INTO parameter VALUES (6, 'extra', NULL)"
      case .textInNumber: "UPDATE recording SET every = 'often'"
      case .tooManyRuns: "UPDATE sweep SET setting_count = 1000000, recording_count = 1000"
      // Told by what it claims, before memory is taken for it.
      case .tooManyValues:
        """
        WITH RECURSIVE n(i) AS (SELECT 6 UNION ALL SELECT i + 1 FROM n WHERE i < 990)
        INSERT INTO parameter SELECT i, 'p' || i, '' FROM n;
        UPDATE sweep SET setting_count = 400000
        """
      }
    }

    func make(_ path: String, _ fixture: SweepFixture) throws {
      switch self {
      case .text: try FileBytes.write(Array("settings,scores\n".utf8), to: path)
      case .otherDatabase: try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE t (a)") }
      default:
        try fixture.write(path)
        try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
      }
    }
  }

  @Test(arguments: [
    "UPDATE run SET setting = 6 WHERE setting = 5", "UPDATE run SET state = 'perhaps' WHERE setting = 2",
    "UPDATE run SET frame_count = -1", "UPDATE run SET missing_count = frame_count + 1",
    "UPDATE run SET frame_count = frame_count + 1", "DELETE FROM summary WHERE setting = 2",
    "UPDATE summary SET iou = 'good'", "UPDATE summary SET flicker = 9e999", "UPDATE summary SET flicker = -1e101",
    "UPDATE frame_score SET has_matte = 2",
    "UPDATE frame_score SET position = 100 WHERE position = 3", "DELETE FROM frame_score WHERE position = 6",
    "UPDATE frame_score SET frame = -1", "UPDATE cost SET mask_ns = x'00'",
    "UPDATE run SET setting = -1 WHERE setting = 0",
  ])
  func `rows of runs that no sweep wrote are refused`(sql: String) throws {
    let path = try fixture.write(folder.path("a.sqlite"))
    try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
    let error = failure { try readEverything(path) }
    #expect(error?.code == .corrupt, "\(error?.description ?? "")")
    #expect(error?.message.hasPrefix("\(path) is damaged: ") == true)
    #expect(failure { _ = try SweepResultsFile.merge([path], into: folder.path("b")) } != nil)
  }

  @Test
  func `tables and views that somebody added to it do no harm`() throws {
    let path = try fixture.write(folder.path("a.sqlite"))
    try DatabaseQueue(path: path).write { database in
      try database.execute(
        sql: "CREATE TABLE mine (a); CREATE VIEW best AS SELECT * FROM result WHERE iou > 0.5; ANALYZE")
    }
    try readEverything(path)
    #expect(try SweepResultsFile.openOrCreate(path, fixture.identity).finishedRuns().count == 12)
  }
}
