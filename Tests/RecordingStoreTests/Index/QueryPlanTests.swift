import FrameModel
import GRDB
import RecordingStore
import Synchronization
import TestSupport
import Testing

/// What takes no time in a short recording must take none in a day's: no question goes through a table from end to end.
@Suite struct QueryPlanTests {
  private let folder: TemporaryFolder
  private let recording: Recording

  init() throws {
    folder = try TemporaryFolder()
    let layouts = [
      try FrameLayout(.grey8, width: 8, height: 8), try FrameLayout(.depthMillimeters16, width: 8, height: 8),
    ]
    let path = folder.path("a.retake")
    let recorder = try Recorder(
      folder: RecordingFolder(path: path),
      streams: [
        try TestFrames.stream("color", .color, layouts[0]), try TestFrames.stream("depth", .depth, layouts[1]),
      ])
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<30 {
      for stream in 0..<2 { sink.deliver(TestFrames.captured(layouts[stream], stream: stream, index: index)) }
    }
    #expect(recorder.finish().failure == nil)
    recording = try Recording(path: path)
  }

  /// The plan of every statement that `body` runs, with the statement.
  private func plans(_ body: () throws -> Void) throws -> [String] {
    let statements = Mutex<Set<String>>([])
    recording.index.queue.inDatabase { database in
      database.trace { event in
        if case .statement(let statement) = event { statements.withLock { _ = $0.insert(statement.sql) } }
      }
    }
    try body()
    recording.index.queue.inDatabase { $0.trace(options: []) }
    let found = statements.withLock { $0.filter { $0.contains("SELECT") }.sorted() }
    return try recording.index.queue.inDatabase { database in
      try found.flatMap { sql in
        try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments(sql)).map {
          "\($0[3] as String) in: \(sql)"
        }
      }
    }
  }

  /// The plan does not depend on the values.
  private func arguments(_ sql: String) -> StatementArguments {
    StatementArguments(Array(repeating: 1, count: sql.contains("?1") ? 1 : sql.count { $0 == "?" }))
  }

  @Test func `nothing that is asked often scans a table that grows with the frames`() throws {
    let time = PresentationTime(nanoseconds: 500_000_000)
    let questions: [() throws -> Void] = [
      { _ = try recording.summary() },
      { _ = try recording.start() },
      { _ = try recording.frameSetCount() },
      { _ = try recording.frameSets(3..<5) },
      { _ = try recording.frameRow(stream: 1, number: 7) },
      { _ = try recording.frameRow(stream: 1, at: time) },
      { _ = try recording.frameRows(stream: 1, from: 3, limit: 5) },
      { _ = try recording.frameRows(chunkFile: 0) },
      { _ = try recording.firstFrameSet(from: time) },
      { _ = try FrameSelection(recording, from: time, to: PresentationTime(nanoseconds: 800_000_000)) },
    ]
    for (number, question) in questions.enumerated() {
      let plans = try plans(question)
      #expect(!plans.isEmpty, "question \(number)")
      for plan in plans {
        // Chunk files are 1 for 120 frames; streams and marks are few.
        let grows = ["frame", "frame_set", "partner", "face", "event"].contains {
          plan.hasPrefix("SCAN \($0) ") && !plan.contains("SELECT coalesce(max(number)")
        }
        #expect(!grows, "question \(number): \(plan)")
        #expect(!plan.hasPrefix("USE TEMP B-TREE") || plan.contains("chunk_file = ?"), "question \(number): \(plan)")
      }
    }
  }
}
