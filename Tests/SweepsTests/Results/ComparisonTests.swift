import FrameModel
import Scores
import Sweeps
import TestSupport
import Testing

/// Comparing two results files.
@Suite struct ComparisonTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String, _ fixture: SweepFixture, _ change: (inout SettingRun) -> Void = { _ in }) throws
    -> SweepResultsFile
  {
    let file = try SweepResultsFile.create(folder.path(name), fixture.identity)
    for var run in fixture.runs {
      change(&run)
      try file.write(run)
    }
    try file.close()
    return try SweepResultsFile.open(folder.path(name))
  }

  /// Changes a scored run's summary and frames.
  private func edit(_ run: inout SettingRun, _ change: (inout ScoredRecording) -> Void) {
    guard case .scored(var recording) = run.outcome else { return }
    change(&recording)
    run.outcome = .scored(recording)
  }

  @Test
  func `the same results of two versions are the same, whatever they cost and wherever they lay`() throws {
    let fixture = SweepFixture()
    var other = fixture
    other.identity.version = "0.2.0"
    other.identity.words = ""
    for place in 0..<2 { other.identity.recordings[place].path = "/elsewhere/\(place)" }
    let comparison = try SweepComparison(
      file("a", fixture), file("b", other) { $0.cost = StageCost(color: 1, depth: 1, mask: 1, matte: 1) })
    #expect(comparison.isSame)
    #expect(comparison.versions == ["0.1.0", "0.2.0"])
    #expect(comparison.runCount == 8)
    #expect(comparison.notes.isEmpty)
    #expect(comparison.scores.map(\.kind) == ScoreKind.allCases)
    #expect(comparison.scores.allSatisfy { $0.equalCount == 8 - 1 && $0.largest == nil })
  }

  @Test
  func `where no run is in both, nothing is the same`() throws {
    let fixture = SweepFixture()
    let paths = try ["a", "b"].map { try fixture.write(folder.path($0), []) }
    let comparison = try SweepComparison(SweepResultsFile.open(paths[0]), SweepResultsFile.open(paths[1]))
    #expect(comparison.runCount == 0 && comparison.onlyFirst.isEmpty && comparison.onlySecond.isEmpty)
    #expect(!comparison.isSame)
  }

  @Test
  func `what became better, worse and other is counted, with the largest change and where`() throws {
    let fixture = SweepFixture(settings: 5, recordings: 1, scores: [.iou, .flicker, .soft])
    // Setting 3 fails in both.
    let steps: [Double] = [0.01, -0.5, 0, 9, 0.25]
    func value(_ setting: Int) -> Double { 0.5 + steps[setting] }
    let first = try file("a", fixture) { run in
      edit(&run) { recording in for kind in [ScoreKind.iou, .flicker, .soft] { recording.summary[kind] = 0.5 } }
    }
    let second = try file("b", fixture) { run in
      let setting = run.key.setting
      edit(&run) { recording in
        recording.summary[.iou] = value(setting)
        recording.summary[.flicker] = value(setting)
        recording.summary[.soft] = setting == 4 ? nil : value(setting)
      }
    }
    let comparison = try SweepComparison(first, second)
    #expect(!comparison.isSame)
    #expect(comparison.otherFrames.isEmpty)
    let (iou, flicker, soft) = (comparison.scores[0], comparison.scores[1], comparison.scores[2])
    #expect([iou.equalCount, iou.betterCount, iou.worseCount, iou.otherCount, iou.oneSidedCount] == [1, 2, 1, 0, 0])
    #expect([flicker.equalCount, flicker.betterCount, flicker.worseCount] == [1, 1, 2])
    #expect([soft.equalCount, soft.otherCount, soft.oneSidedCount] == [1, 2, 1])
    #expect(iou.largest?.key == RunKey(setting: 1, recording: 0))
    #expect(iou.largest?.before == 0.5)
    #expect(iou.largest?.after == 0)
  }

  @Test
  func `a bit of one frame is a difference, named with its frame`() throws {
    let fixture = SweepFixture()
    let comparison = try SweepComparison(
      file("a", fixture),
      file("b", fixture) { run in
        guard run.key == RunKey(setting: 2, recording: 1) else { return }
        edit(&run) { $0.frames[4].scores[.area] = ($0.frames[4].scores[.area] ?? 0).nextUp }
      })
    #expect(!comparison.isSame)
    #expect(comparison.scores.allSatisfy { $0.isSame })
    #expect(
      comparison.otherFrames.map(\.description) == [
        "setting 2, clips/walk, 1.retake: 1 of 7 frames have different scores, the first is 15"
      ])
  }

  @Test
  func `settings are matched by their parameters and recordings by their ids, whatever their numbers`() throws {
    let fixture = SweepFixture(settings: 5)
    var other = fixture
    other.identity.settings.reverse()
    other.identity.recordings.reverse()
    for place in 0..<5 { other.identity.settings[place].number = place }
    for place in 0..<2 { other.identity.recordings[place].number = place }
    // A later version knows one parameter more.
    for place in 0..<5 { other.identity.settings[place].parameters.append(.init(name: "matte.new", value: "1")) }
    let second = try SweepResultsFile.create(folder.path("b"), other.identity)
    for key in fixture.identity.runKeys {
      var run = fixture.run(key)
      run.key = RunKey(setting: 4 - key.setting, recording: 1 - key.recording)
      try second.write(run)
    }
    let comparison = try SweepComparison(file("a", fixture), second)
    #expect(comparison.isSame)
    #expect(comparison.runCount == 10)
    #expect(comparison.notes == ["only the second has the parameter matte.new"])
  }

  @Test
  func `one setting each is compared whatever its parameters, which are named`() throws {
    let fixture = SweepFixture(settings: 1, recordings: 1, scores: [.iou])
    var other = fixture
    other.identity.settings[0].parameters[2].value = "9"
    let comparison = try SweepComparison(file("a", fixture), file("b", other))
    #expect(comparison.runCount == 1 && comparison.onlyFirst.isEmpty && comparison.onlySecond.isEmpty)
    #expect(comparison.otherwise == ["the settings differ: matte.blur 0 / 9"])
    #expect(!comparison.isSame)
  }

  @Test
  func `what only one of them has is named`() throws {
    let fixture = SweepFixture(settings: 4, recordings: 2, scores: [.iou, .soft])
    var other = SweepFixture(settings: 3, recordings: 3, scores: [.soft, .lag])
    other.identity.settings[2].parameters[2].value = "9"
    other.identity.recordings[1].truth = "folder 1234"
    other.identity.recordings[1].frames = 0..<9
    let second = try SweepResultsFile.create(folder.path("b"), other.identity)
    for key in other.identity.runKeys where key != RunKey(setting: 1, recording: 0) { try second.write(other.run(key)) }
    let first = try file("a", fixture)
    let comparison = try SweepComparison(first, second)
    #expect(!comparison.isSame)
    #expect(
      comparison.onlyFirst == [
        "score iou", "2 settings: 2, 3", "the run of setting 1 over clips/walk, 0.retake",
      ])
    #expect(comparison.onlySecond == ["score lag", "setting 2", "recording clips/walk, 2.retake"])
    #expect(
      comparison.otherwise == [
        "recording clips/walk, 1.retake: different frames are played",
        "recording clips/walk, 1.retake: the truth differs",
      ])
    let back = try SweepComparison(second, first)
    #expect(back.onlySecond == comparison.onlyFirst)
    #expect(back.onlyFirst == comparison.onlySecond)
  }

  @Test
  func `who failed in one of them, or otherwise, is named`() throws {
    let fixture = SweepFixture(settings: 3, recordings: 1)
    let comparison = try SweepComparison(
      file("a", fixture) { if $0.key.setting < 2 { $0.outcome = .failed("once") } },
      file("b", fixture) {
        if $0.key.setting == 0 { $0.outcome = .failed("twice") }
        if $0.key.setting == 2 { $0.outcome = .failed("late") }
      })
    #expect(
      comparison.otherOutcomes.map(\.description) == [
        "setting 0, clips/walk, 0.retake: failed with another error: once / twice",
        "setting 1, clips/walk, 0.retake: failed in the first only: once",
        "setting 2, clips/walk, 0.retake: failed in the second only: late",
      ])
    #expect(!comparison.isSame)
  }
}
