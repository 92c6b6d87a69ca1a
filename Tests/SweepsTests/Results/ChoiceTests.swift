import FrameModel
import Scores
import Sweeps
import TestSupport
import Testing

/// Settings with scores that are given outright.
struct ChoiceTable {
  var identity = SweepFixture(settings: 5, recordings: 2, scores: [.iou, .flicker, .soft, .lag]).identity
  /// By setting, then recording.
  var summaries: [RunSummary]

  init() {
    identity.recordings[1].absences = []
    //                  iou           flicker        soft       ms
    let table: [[(Double, Double, Double, Double)]] = [
      [(0.80, 0.010, 0.1, 5), (0.90, 0.030, 0.1, 7)],
      [(0.95, 0.030, 0.2, 9), (0.95, 0.050, 0.2, 9)],
      [(0.85, 0.010, 0.3, 2), (0.85, 0.010, 0.3, 2)],
      [(0.70, 0.005, 0.4, 1), (0.99, 0.015, 0.4, 1)],
      [(0.99, 0.001, 0.5, 1), (0.99, 0.001, 0.5, 1)],
    ]
    summaries = table.enumerated().flatMap { setting, runs in
      runs.enumerated().map { recording, values in
        var row = ScoreRow()
        (row[.iou], row[.flicker], row[.soft]) = (values.0, values.1, values.2)
        return RunSummary(
          key: RunKey(setting: setting, recording: recording), outcome: .scored(row), frameCount: 10, missingCount: 0,
          cost: StageCost(color: 0, depth: 0, mask: 0, matte: values.3 * 1e6))
      }
    }
    // Best of all by its numbers, had it not failed.
    summaries[9].outcome = .failed("no depth")
  }

  subscript(setting: Int, recording: Int) -> RunSummary {
    get { summaries[setting * 2 + recording] }
    set { summaries[setting * 2 + recording] = newValue }
  }
}

/// The choice of a setting.
@Suite struct ChoiceTests {
  @Test(
    arguments: [
      ("iou", 1, 4), ("flicker", 2, 4), ("cost", 3, 4), ("max(soft)", 3, 4), ("min(soft)", 0, 4), ("min(iou)", 3, 4),
      ("flicker<0.02,iou", 2, 2), ("flicker<=0.02,iou", 0, 3), (" flicker <= 0.02 , iou >= 0.85 , cost ", 2, 2),
      ("cost>1,flicker<1e-2,max(soft)", 2, 0), ("cost>=2,cost<=6,iou", 0, 2), ("iou>0.9,max(iou)", 1, 1),
    ] as [(String, Int, Int)])
  func `is the best within the limits, by the means over the recordings`(text: String, setting: Int, within: Int) throws
  {
    let table = ChoiceTable()
    let choice = try SweepChoice(text)
    #expect(choice.description == text)
    guard within > 0 else {
      #expect(failure { _ = try choice.best(of: table.summaries, table.identity) }?.code == .notFound)
      return
    }
    let result = try choice.best(of: table.summaries.reversed(), table.identity)
    #expect(result.setting == setting)
    #expect(result.withinCount == within)
    #expect(result.eligibleCount == 4)
    #expect(result.values.last?.measure == choice.measure || result.values.contains { $0.measure == choice.measure })
  }

  @Test
  func `says the values it went by, each once`() throws {
    let table = ChoiceTable()
    let result = try SweepChoice("cost<=6,flicker<0.03,cost>=2,max(soft)").best(of: table.summaries, table.identity)
    #expect(result.setting == 2)
    #expect(result.values.map(\.measure) == [.cost, .score(.flicker), .score(.soft)])
    #expect(result.values.map(\.value) == [2, 0.01, 0.3])
    #expect(try SweepChoice("cost<=6,flicker<0.03,flicker>0,max(soft)").scores == [.flicker, .soft])
    #expect(try SweepGate("iou<0.9,cost>5,iou>2").scores == [.iou])
  }

  @Test
  func
    `a recording of which no run has the score does not count, and a setting without it where others have it is out`()
    throws
  {
    var table = ChoiceTable()
    func setSoft(_ value: Double?, _ setting: Int, _ recording: Int) {
      guard case .scored(var row) = table[setting, recording].outcome else { return }
      row[.soft] = value
      table[setting, recording].outcome = .scored(row)
    }
    for setting in 0..<4 { setSoft(nil, setting, 1) }
    let choice = try SweepChoice("max(soft)")
    let best = try choice.best(of: table.summaries, table.identity)
    #expect(best.setting == 3 && best.values.map(\.value) == [0.4] && best.eligibleCount == 4)
    setSoft(nil, 3, 0)
    #expect(try choice.best(of: table.summaries, table.identity).setting == 2)
    for setting in 0..<3 { setSoft(nil, setting, 0) }
    #expect(failure { _ = try choice.best(of: table.summaries, table.identity) }?.code == .notFound)
  }

  @Test
  func `unsupervised takes the best mean rank, in any order of runs, with edge-contrast where depth is missing`() throws
  {
    var table = ChoiceTable()
    table.identity =
      SweepFixture(
        settings: 5, recordings: 1, scores: [.agreement, .outlineAgreement, .edgeContrast]
      ).identity
    table.identity.recordings[0].absences = []
    // The largest values are not the best ranks: 0 and 1 are first by one score each, 2 is second by both.
    let values: [(Double, Double, Double)] = [(0.99, 0.1, 1), (0.1, 0.9, 9), (0.5, 0.4, 2), (0.2, 0.3, 3), (0, 0, 0)]
    table.summaries = values.enumerated().map { setting, value in
      var row = ScoreRow()
      (row[.agreement], row[.outlineAgreement], row[.edgeContrast]) = value
      return RunSummary(
        key: RunKey(setting: setting, recording: 0), outcome: .scored(row), frameCount: 9, missingCount: 0, cost: nil)
    }
    let choice = try SweepChoice("unsupervised")
    #expect(choice.scores == [.agreement, .outlineAgreement, .edgeContrast])
    for summaries in [table.summaries, table.summaries.reversed()] {
      let best = try choice.best(of: summaries, table.identity)
      #expect(best.setting == 2 && best.values.map(\.value) == [0.75])
      let limited = try SweepChoice("agreement<0.4,unsupervised").best(of: summaries, table.identity)
      #expect(limited.setting == 1 && limited.values.map(\.value) == [0.1, 0.625])
    }
    for score in [ScoreKind.agreement, .outlineAgreement] {
      table.identity.recordings[0].absences.append(.init(score: score, reason: "no depth"))
    }
    #expect(try choice.best(of: table.summaries, table.identity).setting == 1)
    table.identity.recordings[0].absences.append(.init(score: .edgeContrast, reason: "none"))
    #expect(failure { _ = try choice.best(of: table.summaries, table.identity) }?.code == .usage)
    #expect(failure { _ = try SweepChoice("unsupervised>0.5,iou") }?.code == .usage)
  }

  @Test
  func `of equal ones the first is taken`() throws {
    var table = ChoiceTable()
    for setting in 0..<4 { for recording in 0..<2 { table[setting, recording].outcome = table[2, 0].outcome } }
    #expect(try SweepChoice("iou").best(of: table.summaries, table.identity).setting == 0)
    #expect(try SweepChoice("min(iou)").best(of: table.summaries, table.identity).setting == 0)
  }

  @Test
  func `passes by what failed, is not finished or has no value`() throws {
    var table = ChoiceTable()
    var row = ScoreRow()
    row[.flicker] = 0
    table[1, 1].outcome = .scored(row)
    let result = try SweepChoice("iou").best(of: table.summaries, table.identity)
    #expect(result.setting == 0)
    #expect(result.eligibleCount == 3)
    table.summaries.remove(at: 1)
    #expect(try SweepChoice("iou").best(of: table.summaries, table.identity).setting == 2)
    let without = ChoiceTable().summaries.map { summary in
      var summary = summary
      if summary.key.setting != 3 { summary.cost = nil }
      return summary
    }
    #expect(try SweepChoice("cost<100,max(soft)").best(of: without, table.identity).setting == 3)
  }

  @Test
  func `a recording that cannot have a score does not count in its mean`() throws {
    var table = ChoiceTable()
    table.identity.recordings[1].absences = [.init(score: .iou, reason: "no truth")]
    var row = ScoreRow()
    row[.flicker] = 0.01
    for setting in 0..<4 { table[setting, 1].outcome = .scored(row) }
    let result = try SweepChoice("iou").best(of: table.summaries, table.identity)
    #expect(result.setting == 1)
    #expect(result.values.map(\.value) == [0.95])
    table.identity.recordings[0].absences = [.init(score: .iou, reason: "it has no stream alpha")]
    let error = failure { _ = try SweepChoice("iou").best(of: table.summaries, table.identity) }
    #expect(error?.message == "No recording of this sweep has the score iou.")
    #expect(error?.hint == "it has no stream alpha; name mattes with --truth, or choose with --best unsupervised")
    // Known before anything is run.
    #expect(failure { try table.identity.check(SweepChoice("iou>0.5,cost")) }?.message == error?.message)
    #expect(failure { try table.identity.check(SweepChoice("flicker<1,cost")) } == nil)
  }

  @Test
  func `where none is within the limits it says which limit leaves none, and who comes nearest`() {
    let table = ChoiceTable()
    let error = failure { _ = try SweepChoice("iou>0.84,flicker<0.005,cost").best(of: table.summaries, table.identity) }
    #expect(error?.code == .notFound)
    #expect(error?.message == "No setting within iou>0.84 fulfils flicker<0.005.")
    #expect(error?.hint == "the nearest is setting 2 with flicker 0.01")
    let first = failure { _ = try SweepChoice("iou>0.97,cost").best(of: table.summaries, table.identity) }
    #expect(first?.message == "No setting fulfils iou>0.97.")
    #expect(first?.hint == "the nearest is setting 1 with iou 0.95")
    let none = failure { _ = try SweepChoice("lag").best(of: table.summaries, table.identity) }
    #expect(none?.message == "No setting has a value of lag.")
    let unfinished = failure { _ = try SweepChoice("iou").best(of: [table[0, 0]], table.identity) }
    #expect(unfinished?.message.contains("No setting finished over all recordings") == true)
    #expect(unfinished?.hint == "run the sweep's command again to continue it")
    var failed = table
    for place in failed.summaries.indices { failed.summaries[place].outcome = .failed("no depth") }
    let all = failure { _ = try SweepChoice("iou").best(of: failed.summaries, failed.identity) }
    let path = failed.identity.recordings[0].path
    #expect(all?.message.hasSuffix("; setting 0 over \(path) failed: no depth") == true, "\(all?.message ?? "")")
    #expect(
      all?.hint == "when that is mended, sweep into another file with -o, since runs that failed are not repeated")
    let other = failure { _ = try SweepChoice("sad").best(of: table.summaries, table.identity) }
    #expect(other?.code == .usage)
    #expect(other?.hint == "it has iou, flicker, soft, lag and cost")
  }

  @Test(
    arguments: [
      ("", "a term is empty"), ("iou,", "a term is empty"), (",iou", "a term is empty"),
      ("flicker<0.02", "has only limits"),
      ("iou,flicker", "only the last term may be a score"), ("flickr<0.02,iou", "no score 'flickr'"),
      ("iuo", "did you mean iou?"), ("costs", "did you mean cost?"), ("soft", "min(soft) or max(soft)"),
      ("min(flickr)", "did you mean flicker?"), ("flicker<,iou", "'' in 'flicker<' is not a number"),
      ("flicker<nan,iou", "is not a number"), ("flicker<inf,iou", "is not a number"),
      ("flicker<0x1p3,iou", "is not a number"),
      ("flicker<1e999,iou", "is not a number"), ("flicker=1,iou", "'=' in 'flicker=1' is not a comparison"),
      ("flicker<>1,iou", "is not a comparison"), ("<1,iou", "no score ''"), ("0.02>flicker,iou", "is not a number"),
      ("min(iou", "no score 'min(iou'"), ("iou<0,9", "no score"), (String(repeating: "x", count: 5000), "too long"),
    ])
  func `words that are off are named, with what was meant`(text: String, words: String) {
    let error = failure { _ = try SweepChoice(text) }
    #expect(error?.code == .usage)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    #expect(error?.hint.isEmpty == false)
  }
}

/// A sweep as a gate.
@Suite struct GateTests {
  private func lines(_ text: String, _ table: ChoiceTable, _ settings: [Int]? = nil) throws -> [String] {
    try SweepGate(text).failures(of: table.summaries, table.identity, settings: settings).map(\.description)
  }

  @Test
  func `names every run that is as forbidden, one line each`() throws {
    let table = ChoiceTable()
    #expect(
      try lines("iou<0.85", table, [3, 0, 2]) == [
        "setting 0, clips/walk, 0.retake: iou is 0.8, and the gate fails at iou<0.85",
        "setting 3, clips/walk, 0.retake: iou is 0.7, and the gate fails at iou<0.85",
      ])
    #expect(try lines("iou<=0.85", table, [2]).count == 2)
    #expect(try lines("iou<0.5, cost>10", table, [0, 1, 2, 3]).isEmpty)
    #expect(
      try lines("flicker>0.02,cost>6", table, [0]) == [
        "setting 0, clips/walk, 1.retake: flicker is 0.03, and the gate fails at flicker>0.02",
        "setting 0, clips/walk, 1.retake: cost is 7, and the gate fails at cost>6.0",
      ])
    #expect(
      try SweepGate("iou<0.75").failures(of: table.summaries, table.identity).map(\.key) == [
        RunKey(setting: 3, recording: 0), RunKey(setting: 4, recording: 1),
      ])
  }

  @Test
  func `a check that cannot be made is not passed`() throws {
    var table = ChoiceTable()
    #expect(try lines("iou<0.5", table, [4]) == ["setting 4, clips/walk, 1.retake: failed: no depth"])
    #expect(
      try lines("lag>3", table, [2]) == [
        "setting 2, clips/walk, 0.retake: has no lag", "setting 2, clips/walk, 1.retake: has no lag",
      ])
    table.identity.recordings[1].absences = [.init(score: .lag, reason: "It has one frame.")]
    #expect(try lines("lag>3", table, [2]).last == "setting 2, clips/walk, 1.retake: has no lag: It has one frame.")
    table.summaries.remove(at: 2)
    #expect(try lines("iou<0.5", table, [1]) == ["setting 1, clips/walk, 0.retake: is not finished"])
    #expect(failure { _ = try lines("sad>3", table) }?.message == "This sweep does not have the score sad.")
  }

  @Test(arguments: [
    ("iou", "'iou' is not a condition for failure"), ("", "is not a condition for failure"),
    ("iou<0.9,", "is not a condition for failure"),
    ("iuo<0.9", "did you mean iou?"), ("iou<x", "not a number"),
  ])
  func `words that are off are named`(text: String, words: String) {
    let error = failure { _ = try SweepGate(text) }
    #expect(error?.code == .usage)
    #expect(error?.description.contains(words) == true)
  }
}
