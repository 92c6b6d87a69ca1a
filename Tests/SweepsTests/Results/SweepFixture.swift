import FrameModel
import Scores
import Support
import Sweeps

/// A sweep with made-up results that are the same every time: every run's are a function of its key.
struct SweepFixture {
  var identity: SweepIdentity
  var frameCount = 7

  init(settings: Int = 4, recordings: Int = 2, scores: [ScoreKind] = ScoreKind.allCases) {
    let blurs = (0..<settings).map { "\($0 % 5)" }
    let kinds = ["none", "a,\"b\"", "c\nd", "ünï"]
    identity = SweepIdentity(
      version: "0.1.0", pipelineRevision: 1, commit: "0123abcd", preset: "presenter",
      tried: ["matte.blur", "mask.offset", "depth.rate"],
      words: "--preset presenter --scan matte.blur=0..4:1", scores: scores,
      settings: (0..<settings).map { number in
        SweepIdentity.Setting(
          number: number, digest: "digest-\(number)",
          parameters: [
            .init(name: "depth.rate", value: number % 2 == 0 ? "1/2" : "1/3"),
            .init(name: "mask.offset", value: number % 2 == 0 ? "0.15" : "1"),
            .init(name: "matte.blur", value: blurs[number]), .init(name: "matte.kind", value: kinds[number % 4]),
            .init(name: "output.width", value: "640"), .init(name: "number", value: "\(number)"),
          ])
      }, defaultSetting: settings > 1 ? 1 : nil,
      recordings: (0..<recordings).map { number in
        SweepIdentity.Recording(
          number: number, id: "0123-\(number)", path: "clips/walk, \(number).retake", frames: 5..<40, every: 5,
          width: 64,
          height: 48, truth: number == 0 ? "alpha" : "none", truthFrameCount: number == 0 ? 6 : 0,
          boundaryTolerance: number == 0 ? 2 : nil,
          absences: number == 0 ? [] : scores.filter { $0.need == .truth }.map { .init(score: $0, reason: "no truth") })
      })
  }

  func run(_ key: RunKey) -> SettingRun {
    var random = SeededGenerator(seed: UInt64(key.setting * 1000 + key.recording))
    let cost = StageCost(
      color: random.nextUnit() * 1e6, depth: random.nextUnit() * 1e6, mask: random.nextUnit() * 1e6,
      matte: random.nextUnit() * 1e6)
    guard (key.setting * 7 + key.recording) % 11 != 10 else {
      return SettingRun(key: key, outcome: .failed("It does not work: \"\(key.setting)\", ever."), cost: nil)
    }
    let frames = (0..<frameCount).map { place in
      // Backwards, as a replay may play them.
      ScoredFrame(
        number: 35 - place * 5, hasMatte: random.next(below: 5) > 0,
        scores: row(key, &random) { $0.isOfFrames && (place > 0 || $0 != .flicker) })
    }
    let summary = row(key, &random) { _ in true }
    return SettingRun(
      key: key, outcome: .scored(ScoredRecording(frames: frames, summary: summary)),
      cost: key.setting % 3 == 2 ? nil : cost)
  }

  private func row(_ key: RunKey, _ random: inout SeededGenerator, _ has: (ScoreKind) -> Bool) -> ScoreRow {
    let extremes = [
      0, 1, Double.leastNonzeroMagnitude, .leastNormalMagnitude, 1e100, 0.1, 1e22, -1.0 / 3,
    ]
    let absent = Set(identity.recordings[key.recording].absences.map(\.score))
    var row = ScoreRow()
    for kind in identity.scores where has(kind) && !absent.contains(kind) {
      row[kind] = random.next(below: 4) == 0 ? extremes[random.next(below: extremes.count)] : random.nextUnit()
    }
    return row
  }

  var runs: [SettingRun] { identity.runKeys.map(run) }

  /// A file with these runs.
  @discardableResult
  func write(_ path: String, _ keys: [RunKey]? = nil) throws -> String {
    let file = try SweepResultsFile.create(path, identity)
    for key in keys ?? identity.runKeys { try file.write(run(key)) }
    try file.close()
    return path
  }
}

/// The error of something that has to fail.
func failure(_ body: () throws -> Void) -> RetakeError? {
  do {
    try body()
    return nil
  } catch {
    return error as? RetakeError
  }
}
