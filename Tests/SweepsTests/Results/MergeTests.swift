import FrameModel
import Scores
import Support
import Sweeps
import TestSupport
import Testing

/// Merging results.
@Suite struct MergeTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test
  func `16 shards are what one machine gives`() throws {
    let fixture = SweepFixture(settings: 37, recordings: 3)
    let whole = try SweepResultsFile.open(fixture.write(folder.path("whole.sqlite")))
    let keys = fixture.identity.runKeys
    let paths = try (0..<16).map { shard in
      let range = shard * 37 / 16..<(shard + 1) * 37 / 16
      return try fixture.write(folder.path("\(shard).sqlite"), keys.filter { range.contains($0.setting) })
    }
    let report = try SweepResultsFile.merge(paths.reversed(), into: folder.path("merged.sqlite"))
    #expect(report.runCount == keys.count)
    #expect(report.missing.isEmpty)
    #expect(report.inputs.reduce(0) { $0 + $1.newCount } == keys.count)
    let merged = try SweepResultsFile.open(folder.path("merged.sqlite"))
    #expect(try areSame(merged.contentText(), whole.contentText()))
    #expect(try merged.summaries().map(\.cost) == whole.summaries().map(\.cost))
    #expect(try Folder.names(in: folder.path).filter { !$0.hasSuffix(".sqlite") }.isEmpty)
  }

  @Test
  func `what is in two files is there once, and what no file has is named`() throws {
    let fixture = SweepFixture()
    let keys = fixture.identity.runKeys
    let paths = [
      try fixture.write(folder.path("a"), Array(keys[..<5])), try fixture.write(folder.path("b"), Array(keys[3..<7])),
    ]
    let report = try SweepResultsFile.merge(paths, into: folder.path("c"))
    #expect(report.inputs.map(\.runCount) == [5, 4])
    #expect(report.inputs.map(\.newCount) == [5, 2])
    #expect(report.inputs.map(\.path) == paths)
    #expect(report.runCount == 7)
    #expect(report.missing == [keys[7]])
    // The sweep goes on in what came of it.
    let file = try SweepResultsFile.openOrCreate(folder.path("c"), fixture.identity)
    try file.write(fixture.run(keys[7]))
    #expect(try file.finishedRuns().count == 8)
  }

  @Test(arguments: 0..<4)
  func `a run that is not the same in two files is an error that names it; another cost is none`(change: Int) throws {
    let fixture = SweepFixture()
    let first = try fixture.write(folder.path("a"))
    let other = try SweepResultsFile.create(folder.path("b"), fixture.identity)
    var run = fixture.run(RunKey(setting: 2, recording: 1))
    guard case .scored(var recording) = run.outcome else { throw RetakeError(.usage, "choose another run") }
    switch change {
    case 0: recording.frames[3].scores[.soft] = (recording.frames[3].scores[.soft] ?? 0).nextUp
    case 1: recording.summary[.lag] = nil
    case 2: recording.frames[0].hasMatte.toggle()
    default: run.cost = StageCost(color: 0, depth: 0, mask: 0, matte: 0)
    }
    run.outcome = .scored(recording)
    try other.write(run)
    try other.close()
    let error = failure { _ = try SweepResultsFile.merge([first, folder.path("b")], into: folder.path("c")) }
    guard change < 3 else {
      #expect(error == nil)
      return
    }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("setting 2 over clips/walk, 1.retake is not the same in \(first) and") == true)
    #expect(try Folder.names(in: folder.path) == ["a", "b"])
  }

  @Test
  func `another sweep's file is named, and nothing is written over`() throws {
    let fixture = SweepFixture()
    let first = try fixture.write(folder.path("a"))
    let other = try SweepFixture(settings: 5).write(folder.path("b"))
    let error = failure { _ = try SweepResultsFile.merge([first, other], into: folder.path("c")) }
    #expect(error?.code == .usage)
    #expect(error?.message == "\(other) has the results of another sweep than \(first): its settings differ.")
    #expect(failure { _ = try SweepResultsFile.merge([], into: folder.path("c")) }?.code == .usage)
    #expect(
      failure { _ = try SweepResultsFile.merge([first, folder.path("none")], into: folder.path("c")) }?.code
        == .notFound)
    #expect(try Folder.names(in: folder.path) == ["a", "b"])
    try FileBytes.write(Array("some text".utf8), to: folder.path("text"))
    for path in [first, other, folder.path("text")] {
      #expect(failure { _ = try SweepResultsFile.merge([first], into: path) }?.message.contains("exists") == true)
    }
    #expect(try FileBytes.read(folder.path("text")).count == 9)
  }
}
