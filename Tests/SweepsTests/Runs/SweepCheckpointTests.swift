import FrameModel
import RecordingTestSupport
import Support
import Sweeps
import TestSupport
import Testing

/// How much work can be lost, and what is not lost.
@Suite struct SweepCheckpointTests {
  private static let made = Result { try SimulatedRecording("frames=12&size=96x72&depth-size=48x36&seed=8") }

  @Test
  func `a batch that would take too long becomes as small as fits, but reads for a third of its time at most`() {
    // A frame takes 5 ms to read and 1 ms for each matte; there are 3000 frames: 15 s and 3 s.
    func seconds(_ count: Int) -> Double { 0.005 + 0.001 * Double(count) }
    func expect(_ pace: inout BatchPace, _ count: Int, accepted: Bool) {
      let isAccepted = pace.accepts(matteCount: count, secondsPerFrame: seconds(count))
      #expect(isAccepted == accepted, "\(count)")
    }
    var pace = BatchPace(limit: 100, frameCount: 3000)
    #expect(!pace.canJudge(frameCount: 3, seconds: 50) && !pace.canJudge(frameCount: 50, seconds: 3))
    #expect(pace.canJudge(frameCount: 50, seconds: 4))
    expect(&pace, 64, accepted: false)
    let first = pace.matteLimit ?? 0
    #expect((1...28).contains(first))
    _ = pace.accepts(matteCount: first, secondsPerFrame: seconds(first))
    // 80 of the 100 seconds, or a fifth less.
    let settled = pace.matteLimit ?? 0
    #expect((17...28).contains(settled), "\(settled)")
    #expect(!pace.canJudge(frameCount: 50, seconds: 4))

    // A limit that reading alone exceeds: ten mattes take as long as two thirds of the whole.
    var short = BatchPace(limit: 1, frameCount: 3000)
    expect(&short, 64, accepted: false)
    #expect(short.matteLimit == 1)
    expect(&short, 1, accepted: false)
    #expect(short.matteLimit == 10)

    // One that fits goes on, and so does a single matte.
    var long = BatchPace(limit: 1000, frameCount: 3000)
    expect(&long, 64, accepted: true)
    #expect(long.matteLimit == nil)
  }

  @Test
  func `batches cut by time, and ended at random points, have the contents of an undisturbed sweep`() throws {
    let settings = try SweepCase.grid(
      ("depth.rate", ["1/1", "1/3"]), ("mask.offset", ["0.15", "0.3"]), ("matte.blur", ["1", "4"]))
    let sweep = try SweepCase(try Self.made.get().recording, settings: settings)
    let whole = try sweep.run("whole").file.contentText()
    var generator = SeededGenerator(seed: 72)
    let path = sweep.path("cut")
    var (starts, written) = (0, 0)
    while written < settings.count {
      starts += 1
      try #require(starts < 100)
      let file = try SweepResultsFile.openOrCreate(path, try sweep.job.identity())
      // Every batch takes longer than that.
      let runner = SweepRunner(sweep.job, into: file, threadCount: 2, memoryLimit: 1 << 30, batchSeconds: 1e-9)
      // Two batches of five frames are judged, and one of twelve is played.
      var steps = starts == 1 ? 15 : 25 + generator.next(below: 20)
      written += try runner.run { _ in
        steps -= 1
        return steps > 0
      }.runCount
      try file.close()
    }
    #expect(starts > 1 && written == settings.count)
    #expect(areSame(try SweepResultsFile.open(path).contentText(), whole))
  }

  @Test
  func `results on a disk of its own are copied whole, go on from the copy, and leave nothing behind`() throws {
    let folder = try TemporaryFolder()
    let (share, scratch) = (folder.path("share"), folder.path("scratch"))
    try Folder.make(share)
    try Folder.make(scratch)
    let fixture = SweepFixture(settings: 6)
    let copy = share + "/part.sqlite"
    let runs = fixture.runs
    do {
      let results = try ScratchResults(path: copy, scratch: scratch, fixture.identity)
      try results.file.write(Array(runs[..<4]))
      try results.publish()
      #expect(try SweepResultsFile.open(copy).finishedRuns().count == 4)
      try results.file.write(runs[4])
      // As if it were killed here: the run that was not copied is lost.
      try results.file.close()
    }
    let next = try ScratchResults(path: copy, scratch: scratch, fixture.identity)
    #expect(try next.file.finishedRuns().count == 4)
    try next.file.write(Array(runs[4...]))
    try next.finish()
    #expect(
      try areSame(
        SweepResultsFile.open(copy).contentText(),
        SweepResultsFile.open(fixture.write(folder.path("whole.sqlite"))).contentText()))
    #expect(try Folder.names(in: share) == ["part.sqlite"])
    // The first one's folder is left, as after a kill.
    #expect(try Folder.names(in: scratch).count == 1)
  }

  @Test
  func `of two that do the same part, the one that began last writes it, and the other ends`() throws {
    let folder = try TemporaryFolder()
    let fixture = SweepFixture(settings: 3)
    let copy = folder.path("part.sqlite")
    let scratch = folder.path("scratch")
    try Folder.make(scratch)
    let first = try ScratchResults(path: copy, scratch: scratch, fixture.identity)
    try first.file.write(fixture.runs[0])
    try first.publish()
    let second = try ScratchResults(path: copy, scratch: scratch, fixture.identity)
    try first.file.write(fixture.runs[1])
    #expect(failure { try first.publish() }?.code == .busy)
    #expect(failure { try first.finish() }?.code == .busy)
    try second.file.write(fixture.runs[2])
    try second.finish()
    #expect(try SweepResultsFile.open(copy).finishedRuns() == [fixture.runs[0].key, fixture.runs[2].key])
    #expect(try Folder.names(in: scratch).isEmpty)
  }

  @Test func `a copy that another program is still writing is no reason to give up what was scored`() throws {
    let folder = try TemporaryFolder()
    let fixture = SweepFixture(settings: 2)
    let copy = folder.path("part.sqlite")
    let scratch = folder.path("scratch")
    try Folder.make(scratch)
    let results = try ScratchResults(path: copy, scratch: scratch, fixture.identity)
    try results.file.write(fixture.runs[0])
    // As by a process that stands still in the middle of its copy.
    let stalled = try #require(try FileReplacement.begin(copy))
    #expect(failure { try results.publish() }?.code == .beingWritten)
    withExtendedLifetime(stalled) {
      #expect(failure { try results.finish() }?.hint.contains("/results.sqlite on this computer") == true)
    }
    let left = try #require(try Folder.names(in: scratch).first)
    #expect(try SweepResultsFile.open("\(scratch)/\(left)/results.sqlite").finishedRuns().count == 1)
  }

  @Test
  func `a copy that cannot be written leaves the earlier one, and says where the results are`() throws {
    let folder = try TemporaryFolder()
    let fixture = SweepFixture(settings: 3)
    let share = folder.path("share")
    try Folder.make(share)
    let results = try ScratchResults(path: share + "/part.sqlite", scratch: folder.path, fixture.identity)
    try results.file.write(fixture.runs[0])
    try results.publish()
    try results.file.write(fixture.runs[1])
    // A folder stands where the new copy would be written.
    try Folder.make(share + "/.partial-part.sqlite")
    let error = failure { try results.finish() }
    #expect(error?.hint.contains("/results.sqlite on this computer") == true, "\(String(describing: error))")
    #expect(try SweepResultsFile.open(share + "/part.sqlite").finishedRuns().count == 1)
    let left = try #require(try Folder.names(in: folder.path).first { $0.hasPrefix("retake-sweep-") })
    #expect(try SweepResultsFile.open(folder.path("\(left)/results.sqlite")).finishedRuns().count == 2)
  }
}
