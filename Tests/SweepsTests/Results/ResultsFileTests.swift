import Foundation
import FrameModel
import Scores
import Support
import Sweeps
import TestSupport
import Testing

/// The results file of a sweep.
@Suite(.long) struct ResultsFileTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test
  func `gives back to the bit what was written, with what is absent and what failed`() throws {
    let fixture = SweepFixture(settings: 13)
    let path = try fixture.write(folder.path("a.sqlite"))
    let file = try SweepResultsFile.open(path)
    #expect(file.identity == fixture.identity)
    #expect(try file.finishedRuns() == Set(fixture.identity.runKeys))
    let summaries = try file.summaries()
    #expect(summaries.map(\.key) == fixture.identity.runKeys)
    for (run, summary) in zip(fixture.runs, summaries) {
      #expect(try areSame(file.run(run.key), run), "\(run.key)")
      #expect(summary.cost == run.cost)
      switch (run.outcome, summary.outcome) {
      case (.failed(let error), .failed(let found)):
        #expect(error == found)
        #expect(summary.frameCount == 0)
        #expect(try file.frames(run.key).isEmpty)
      case (.scored(let recording), .scored(let row)):
        #expect(row == recording.summary)
        #expect(try areSame(file.frames(run.key), recording.frames))
        #expect(summary.frameCount == recording.frames.count)
        #expect(summary.missingCount == recording.frames.count { !$0.hasMatte })
      default: Issue.record("\(run.key) came back with another outcome")
      }
    }
    #expect(fixture.runs.contains { if case .failed = $0.outcome { true } else { false } })
  }

  @Test
  func `is one file once it is closed`() throws {
    let file = try SweepResultsFile.create(folder.path("a.sqlite"), SweepFixture().identity)
    try file.write(SweepFixture().runs)
    try file.close()
    #expect(try Folder.names(in: folder.path) == ["a.sqlite"])
  }

  @Test
  func `goes on where it was, with any order of runs`() throws {
    let fixture = SweepFixture(settings: 6)
    let whole = try SweepResultsFile.open(fixture.write(folder.path("whole.sqlite")))
    let path = folder.path("parts.sqlite")
    let keys = Array(fixture.identity.runKeys.reversed())
    for part in [keys[..<5], keys[5..<6], keys[6...]] {
      let file = try SweepResultsFile.openOrCreate(path, fixture.identity)
      let finished = try file.finishedRuns()
      #expect(finished == Set(keys[..<part.startIndex]))
      try file.write(part.map(fixture.run))
    }
    let file = try SweepResultsFile.open(path)
    #expect(try areSame(file.contentText(), whole.contentText()))
  }

  @Test
  func `words, places, costs and reasons do not make other contents; a bit of a score does`() throws {
    let fixture = SweepFixture()
    var other = fixture
    other.identity.words = "--other"
    other.identity.recordings[0].path = "/elsewhere"
    other.identity.recordings[1].absences[0].reason = "for another reason"
    #expect(other.identity.digest == fixture.identity.digest)
    let original = try SweepResultsFile.open(fixture.write(folder.path("a.sqlite"))).contentText()

    func digest(_ name: String, _ change: (inout SettingRun) -> Void) throws -> String {
      let file = try SweepResultsFile.create(folder.path(name), other.identity)
      for var run in other.runs {
        if run.key == RunKey(setting: 3, recording: 1) { change(&run) }
        try file.write(run)
      }
      return try file.contentText()
    }
    #expect(try digest("b.sqlite") { $0.cost = StageCost(color: 1, depth: 2, mask: 3, matte: 4) } == original)
    let changed = try digest("c.sqlite") { run in
      guard case .scored(var recording) = run.outcome else { return }
      recording.frames[2].scores[.area] = (recording.frames[2].scores[.area] ?? 0).nextUp
      run.outcome = .scored(recording)
    }
    #expect(changed != original)
  }

  @Test
  func `a run is written once, and all that end together or none`() throws {
    let fixture = SweepFixture()
    let file = try SweepResultsFile.create(folder.path("a.sqlite"), fixture.identity)
    let runs = fixture.runs
    try file.write(runs[2])
    let error = failure { try file.write([runs[0], runs[2], runs[3]]) }
    #expect(error?.code == .usage)
    #expect(error?.message.contains("setting 1 over recording 0 is already finished") == true)
    #expect(try file.finishedRuns() == [runs[2].key])
    try file.write([])
    #expect(
      failure { try file.write(SettingRun(key: .init(setting: 4, recording: 0), outcome: .failed(""), cost: nil)) }
        != nil)
  }

  @Test(arguments: [Double.nan, .infinity, -1e101, 1])
  func `what is no number within bounds is refused, and so are scores that nobody asked for`(value: Double) throws {
    let fixture = SweepFixture(scores: [.iou, .flicker])
    let file = try SweepResultsFile.create(folder.path("a.sqlite"), fixture.identity)
    var row = ScoreRow()
    row[value == 1 ? .sad : .iou] = value
    let key = RunKey(setting: 0, recording: 0)
    let frame = ScoredFrame(number: 0, hasMatte: true, scores: row)
    for recording in [
      ScoredRecording(frames: [], summary: row), ScoredRecording(frames: [frame], summary: ScoreRow()),
    ] {
      #expect(failure { try file.write(SettingRun(key: key, outcome: .scored(recording), cost: nil)) }?.code == .usage)
    }
    let cost = StageCost(color: 1, depth: value == 1 ? 1e101 : value, mask: 1, matte: 1)
    #expect(failure { try file.write(SettingRun(key: key, outcome: .failed(""), cost: cost)) }?.code == .usage)
    #expect(try file.finishedRuns().isEmpty)
  }

  @Test
  func `nothing is written over, and what only reads does not write`() throws {
    let fixture = SweepFixture()
    let path = try fixture.write(folder.path("a.sqlite"), [])
    #expect(failure { _ = try SweepResultsFile.create(path, fixture.identity) }?.message.contains("exists") == true)
    #expect(
      failure { try SweepResultsFile.open(path).write(fixture.runs[0]) }?.message.contains("for reading only") == true)
    #expect(failure { _ = try SweepResultsFile.open(folder.path("none")) }?.code == .notFound)
    let throughFile = failure { _ = try SweepResultsFile.create(path + "/a", fixture.identity) }
    #expect(throughFile?.message.contains(path) == true)
    #expect(failure { _ = try SweepResultsFile.openOrCreate(folder.path, fixture.identity) }?.code == .unsupported)
  }

  @Test(arguments: Difference.allCases)
  func `of another sweep it says what differs, the first of several`(difference: Difference) throws {
    let fixture = SweepFixture()
    let path = try fixture.write(folder.path("a.sqlite"), [])
    var other = fixture.identity
    for each in Difference.allCases.drop(while: { $0 != difference }) { each.change(&other) }
    #expect(other.digest != fixture.identity.digest)
    let error = failure { _ = try SweepResultsFile.openOrCreate(path, other) }
    #expect(error?.code == .usage)
    #expect(error?.message.hasPrefix("\(path) has the results of another sweep: \(difference.words)") == true)
    #expect(error?.hint.contains("-o") == true)
  }

  enum Difference: CaseIterable {
    case version, preset, setting, tried, current, recording, frames, scores, truth, truthFrames, tolerance, absence

    var words: String {
      switch self {
      case .version: "its version differs: \(SweepFixture().identity.version) there, 0.2.0 here."
      case .preset: "its preset differs: \(SweepFixture().identity.preset) there, other here."
      case .setting, .tried, .current: "its settings differ"
      case .recording: "its recordings differ"
      case .frames: "its frames differ: "
      case .scores, .absence: "its scores differ"
      case .truth, .truthFrames: "its truth differs"
      case .tolerance: "its boundary tolerance differs: "
      }
    }

    func change(_ identity: inout SweepIdentity) {
      switch self {
      case .version: identity.version = "0.2.0"
      case .preset: identity.preset = "other"
      case .setting: identity.settings[2].parameters[0].value = "1/5"
      case .tried: identity.tried.swapAt(0, 1)
      case .current: identity.defaultSetting = 0
      case .frames: identity.recordings[1].frames = 5..<41
      case .recording: identity.recordings[0].id = "other"
      case .scores: identity.scores.removeLast()
      case .truth: identity.recordings[0].truth = "folder 00ff"
      case .truthFrames: identity.recordings[0].truthFrameCount = 5
      case .tolerance: identity.recordings[0].boundaryTolerance = 3
      case .absence: identity.recordings[1].absences.removeLast()
      }
    }
  }

  @Test
  func `a file of version 2, which counts no frames with truth, is read`() throws {
    var fixture = SweepFixture()
    for place in fixture.identity.recordings.indices {
      fixture.identity.recordings[place].truthFrameCount = nil
      fixture.identity.recordings[place].boundaryTolerance = nil
    }
    let path = try fixture.write(folder.path("a.sqlite"))
    let script = """
      import sqlite3, sys
      base = sqlite3.connect(sys.argv[1])
      def sql(name): return base.execute("select sql from sqlite_schema where name = ?", [name]).fetchone()[0]
      table = sql("recording").replace(",\\ntruth_frames INTEGER, boundary_tolerance INTEGER", "")
      view = sql("result").replace("recording.truth_frames AS truth_frames,\\n  ", "")
      rows = [row[:9] for row in base.execute("select * from recording")]
      for statement in ["drop view result", "drop table recording", table, view]: base.execute(statement)
      base.executemany("insert into recording values (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
      base.execute("update sweep set format_version = 2")
      base.execute("pragma user_version = 2")
      base.commit()
      """
    #expect(try ChildProcess.run(Checkout.python, ["-c", script, path]).status == 0)
    let file = try SweepResultsFile.open(path)
    #expect(file.identity == fixture.identity)
    #expect(try file.summaries().count == fixture.runs.count)
    #expect(file.identity.truthSentences().isEmpty)
  }

  @Test
  func `one sweep at a time writes to it, while others may read`() throws {
    let fixture = SweepFixture()
    let path = folder.path("a.sqlite")
    let writer = try SweepResultsFile.create(path, fixture.identity)
    try writer.write(fixture.runs[0])
    let error = failure { _ = try SweepResultsFile.openOrCreate(path, fixture.identity) }
    #expect(error?.code == .busy)
    #expect(error?.message == "Another sweep is writing to \(path).")
    let reader = try SweepResultsFile.open(path)
    #expect(try reader.finishedRuns().count == 1)
    try writer.write(fixture.runs[1])
    #expect(try reader.finishedRuns().count == 2)
    // Another process: the lock is not this one's alone.
    let script = """
      import fcntl, os, struct, sys
      file = open(sys.argv[1], "r+b")
      try: fcntl.fcntl(file, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 1 << 40, 1, 0)); print("got it")
      except OSError: print("locked")
      """
    #expect(try ChildProcess.run(Checkout.python, ["-c", script, path]).text == "locked\n")
    try reader.close()
    try writer.close()
    #expect(try ChildProcess.run(Checkout.python, ["-c", script, path]).text == "got it\n")
    #expect(try SweepResultsFile.openOrCreate(path, fixture.identity).finishedRuns().count == 2)
  }

  @Test
  func `names and values of any kind are columns and texts like others`() throws {
    var fixture = SweepFixture()
    let name = "a \"b\"\u{301}; DROP TABLE run; -- ü"
    for place in fixture.identity.settings.indices { fixture.identity.settings[place].parameters[0].name = name }
    fixture.identity.tried[2] = name
    fixture.identity.settings[1].parameters[0].value = "'; DROP TABLE run; --"
    let file = try SweepResultsFile.open(fixture.write(folder.path("file:a?mode=memory.sqlite")))
    #expect(file.identity == fixture.identity)
    #expect(try file.summaries().count == 8)
  }

  @Test(arguments: 0..<11)
  func `a sweep that no file can hold is refused before there is a file`(place: Int) throws {
    var identity = SweepFixture().identity
    switch place {
    case 0: identity.settings = []
    case 1: identity.recordings = []
    case 2: identity.settings[1].number = 7
    case 3: identity.settings[1].parameters.removeLast()
    case 4: identity.tried = ["unknown"]
    case 5: identity.tried = ["matte.blur", "matte.blur"]
    case 6: identity.defaultSetting = 4
    case 7: identity.preset = "a\0b"
    case 8: identity.recordings[0].truth = String(repeating: "x", count: 70_000)
    case 9: identity = SweepFixture(settings: 5000, recordings: 4000).identity
    default:
      identity.settings[0].parameters += (0..<900).map { SweepIdentity.Assignment(name: "p\($0)", value: "") }
      identity.settings = Array(repeating: identity.settings[0], count: 150_000)
    }
    let path = folder.path("a.sqlite")
    #expect(failure { _ = try SweepResultsFile.create(path, identity) }?.code == .unsupported)
    #expect(failure { _ = try SweepResultsFile.openOrCreate(path, identity) }?.code == .unsupported)
    #expect(try Folder.names(in: folder.path).isEmpty)
  }
}
