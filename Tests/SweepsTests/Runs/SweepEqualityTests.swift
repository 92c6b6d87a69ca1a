import Parameters
import RecordingTestSupport
import Replay
import Scores
import Sweeps
import TestSupport
import Testing

/// What a sweep says of a setting is what its replay says alone.
@Suite struct SweepEqualityTests {
  private static let made = Result {
    try SimulatedRecording("frames=24&size=160x120&depth-size=80x60&seed=5&face-lost=7-9")
  }
  private static func settings() throws -> [ParameterSet] {
    try SweepCase.grid(
      ("depth.rate", ["1/1", "1/2"]), ("mask.offset", ["0.02", "0.35"]), ("matte.blur", ["1", "3", "6"]))
  }

  /// A results file of lone replays.
  /// - Parameter mattes: how many of the settings have scores of their own.
  private static func alone(_ sweep: SweepCase, mattes: Int, _ order: PlayOrder = .everything) throws -> String {
    let file = try sweep.file("alone")
    var distinct: Set<[ScoredFrame]> = []
    for (number, setting) in sweep.job.settings.enumerated() {
      let lone = try LoneScores(
        try made.get().recording, setting, scores: Set(sweep.job.scores), order: order)
      #expect(lone.scored.frames.count { $0.hasMatte } > 4)
      distinct.insert(lone.scored.frames)
      try file.write(
        SettingRun(key: RunKey(setting: number, recording: 0), outcome: .scored(lone.scored), cost: nil))
    }
    // What is compared is not one setting with itself.
    #expect(distinct.count == mattes)
    return try file.contentText()
  }

  @Test
  func `a grid of 2 x 2 x 3 has the scores of twelve replays scored alone, to the bit, on any number of threads`()
    throws
  {
    let sweep = try SweepCase(try Self.made.get().recording, settings: Self.settings())
    let alone = try Self.alone(sweep, mattes: 12)
    for threadCount in [1, 2, 5] {
      let (file, outcome) = try sweep.run("threads-\(threadCount)", threadCount: threadCount)
      #expect(outcome.runCount == 12 && outcome.failedRunCount == 0 && outcome.isWhole)
      #expect(areSame(try file.contentText(), alone), "\(threadCount) threads")
    }
  }

  @Test(arguments: [1, 1_200_000, 3_000_000, 24_000_000])
  func `batches of any size change nothing`(limit: Int) throws {
    let sweep = try SweepCase(try Self.made.get().recording, settings: Self.settings())
    let whole = try sweep.run("whole").file.contentText()
    let forecast = try SweepRunner(sweep.job, into: nil, threadCount: 1, memoryLimit: limit).forecast()
    let (file, _) = try sweep.run("batches", memoryLimit: limit)
    #expect(areSame(try file.contentText(), whole))
    #expect(limit > 1 || forecast.batchCount == 12)
    #expect(limit < 24_000_000 || forecast.batchCount < 12)
  }

  @Test(arguments: [2, 5, 16])
  func `shards, each by itself and merged, are the whole`(count: Int) throws {
    let sweep = try SweepCase(try Self.made.get().recording, settings: Self.settings())
    let whole = try sweep.run("whole").file.contentText()
    var paths: [String] = []
    for number in (1...count).reversed() {
      let (file, outcome) = try sweep.run("shard-\(number)", shard: SweepShard("\(number)/\(count)"))
      #expect(outcome.isWhole)
      paths.append(file.path)
      try file.close()
    }
    let report = try SweepResultsFile.merge(paths, into: sweep.path("merged"))
    #expect(report.missing.isEmpty)
    #expect(areSame(try SweepResultsFile.open(sweep.path("merged")).contentText(), whole))
  }

  @Test(arguments: [
    ["fault.color-duplicate=0.3", "fault.color-swap=0.3", "fault.seed=4"],
    ["fault.color-drop=0.2", "fault.depth-drop=0.3", "fault.seed=2"],
    ["depth.look-ahead=3", "depth.rate=1/2", "depth.latency=2"], ["throttle.from=5", "throttle.rate=2/3"],
    ["fault.depth-noise=2", "depth.latency=1"],
    ["depth.temporal=smooth", "matte.temporal=average", "faces.rate=1/3"],
  ])
  func `faults, late depth, look-ahead, throttling and a part of the recording: the truth is that of what is shown`(
    assignments: [String]
  ) throws {
    var settings = try SweepCase.grid(("matte.blur", ["2", "5"]))
    for setting in settings {
      var other = setting
      for assignment in assignments { try other.set(assignment) }
      settings.append(other)
    }
    for order in [
      PlayOrder.everything,
      {
        var order = PlayOrder(frames: 3..<20)
        order.every = 2
        return order
      }(),
    ] {
      let sweep = try SweepCase(try Self.made.get().recording, settings: settings, order: order)
      let alone = try Self.alone(sweep, mattes: 4, order)
      let (file, outcome) = try sweep.run()
      #expect(outcome.failedRunCount == 0)
      #expect(areSame(try file.contentText(), alone))
    }
  }

  @Test
  func `settings that differ in their composite alone have the same scores, and their matte is made once`() throws {
    let settings = try SweepCase.grid(
      ("matte.blur", ["2", "5"]), ("composite.color", ["#000000", "#ff0000", "#00ff00"]))
    let sweep = try SweepCase(try Self.made.get().recording, settings: settings)
    let forecast = try SweepRunner(sweep.job, into: nil, threadCount: 1, memoryLimit: 1 << 30).forecast()
    #expect(forecast.stages.matte == 2)
    #expect(forecast.leftRunCount == 6)
    let (file, _) = try sweep.run()
    #expect(areSame(try file.contentText(), try Self.alone(sweep, mattes: 2)))
  }
}
