import FrameModel
import Scores
import Support
import Sweeps

/// A sweep that was never run, with scores as a real one may have: better with some blur, worse with little depth, one setting
/// that failed, frames without a matte.
struct SampleSweep {
  var identity: SweepIdentity
  var frameCount = 240
  /// Frames that a run's scores are means of.
  var summaryFrameCount = 240
  /// Settings, by their places, that failed, with their errors.
  var failures: [Int: String] = [:]
  /// Runs that were not done.
  var missing: Set<RunKey> = []
  var hasCost = true

  static let blurs = ["1", "1.5", "2", "3", "4", "6", "8", "12"]
  static let offsets = ["0.15", "0.2", "0.25", "0.3", "0.35"]
  static let rates = ["1/1", "1/2", "1/3"]
  static let truthScores: [ScoreKind] = [.iou, .boundaryF, .mse, .dtssd]
  static let otherScores: [ScoreKind] = [.flicker, .edgeAlignment, .soft, .holes, .areaVariation, .dropOuts]

  /// What the preset sets by itself.
  static let presetValues: [SweepIdentity.Assignment] = [
    .init(name: "depth.rate", value: "1/2"), .init(name: "depth.hold", value: "true"),
    .init(name: "mask.offset", value: "0.3"), .init(name: "mask.close", value: "2"),
    .init(name: "matte.blur", value: "2"),
  ]

  /// A grid of 120 settings over two recordings, of which the first has no faces.
  static func grid() -> SampleSweep {
    var settings: [SweepIdentity.Setting] = []
    for blur in blurs {
      for offset in offsets {
        for rate in rates { settings.append(setting(settings.count, blur, offset, rate)) }
      }
    }
    let current = settings.firstIndex {
      $0.parameters[0].value == "1/2" && $0.parameters[2].value == "0.3" && $0.parameters[4].value == "2"
    }
    var sweep = SampleSweep(
      identity: SweepIdentity(
        version: "0.1.0", pipelineRevision: 1, commit: "0123abcd", preset: "soft",
        tried: ["matte.blur", "mask.offset", "depth.rate"],
        words:
          "--preset soft --set mask.close=3 --list matte.blur=1,1.5,2,3,4,6,8,12 --scan mask.offset=0.15..0.35:0.05 "
          + "--list depth.rate=1/1,1/2,1/3 --scores truth,edge,faces",
        scores: truthScores + otherScores + [.faceCoverage], settings: settings, defaultSetting: current,
        recordings: [
          recording(0, "recordings/desk at noon.retake", truth: "alpha"),
          recording(1, "recordings/window.retake", truth: "alpha"),
        ]))
    for place in sweep.identity.recordings.indices {
      sweep.identity.recordings[place].absences = [
        .init(score: .faceCoverage, reason: "Faces were never looked for in this recording: 'retake faces' does.")
      ]
    }
    sweep.failures = [
      77:
        "The background 'room & garden.mp4' ended at frame 131 of 240. (give one that is as long as the recording, or --set composite.loop=true)"
    ]
    return sweep
  }

  /// So many settings of one parameter over so many recordings.
  static func line(_ count: Int, recordings: Int = 1, truth: Bool = true) -> SampleSweep {
    let settings = (0..<count).map { place -> SweepIdentity.Setting in
      let blur = Figures.text(1 + 11 * Double(place) / Double(max(1, count - 1)))
      return setting(place, blur, offsets[place % 5], rates[place % 3])
    }
    return SampleSweep(
      identity: SweepIdentity(
        version: "0.1.0", pipelineRevision: 1, commit: "0123abcd", preset: "soft",
        tried: ["matte.blur", "mask.offset", "depth.rate"],
        words: "--random \(count) --seed 7", scores: (truth ? truthScores : []) + otherScores, settings: settings,
        defaultSetting: count > 0 ? 0 : nil,
        recordings: (0..<recordings).map { recording($0, "take-\($0).retake", truth: truth ? "alpha" : "none") }),
      frameCount: 60, summaryFrameCount: 8)
  }

  private static func setting(_ number: Int, _ blur: String, _ offset: String, _ rate: String) -> SweepIdentity.Setting
  {
    .init(
      number: number, digest: "\(number)",
      parameters: [
        .init(name: "depth.rate", value: rate), .init(name: "depth.hold", value: "true"),
        .init(name: "mask.offset", value: offset), .init(name: "mask.close", value: "3"),
        .init(name: "matte.blur", value: blur),
      ])
  }

  private static func recording(_ number: Int, _ path: String, truth: String) -> SweepIdentity.Recording {
    .init(
      number: number, id: number == 0 ? "01JD3K6Z8Q" : "01JD3M2T4V", path: path, frames: 0..<240, every: 1, width: 640,
      height: 480,
      truth: truth, absences: [])
  }

  // MARK: Results

  var summaries: [RunSummary] {
    identity.settings.indices.flatMap { setting in
      identity.recordings.indices.compactMap { recording -> RunSummary? in
        let key = RunKey(setting: setting, recording: recording)
        guard !missing.contains(key) else { return nil }
        if let error = failures[setting] {
          return RunSummary(key: key, outcome: .failed(error), frameCount: 0, missingCount: 0, cost: nil)
        }
        // Of long recordings the start is enough to have scores.
        let frames = frames(key, min(frameCount, summaryFrameCount))
        var row = ScoreRow()
        for kind in identity.scores {
          if kind == .areaVariation { row[kind] = 0.04 + 0.03 * noise(setting, recording, 7) }
          if kind == .dropOuts { row[kind] = Double(frames.count { !$0.hasMatte }) }
          guard kind.isOfFrames else { continue }
          let values = frames.compactMap { $0.scores[kind] }
          if !values.isEmpty { row[kind] = values.reduce(0, +) / Double(values.count) }
        }
        let (blur, _, rate) = numbers(setting)
        let cost = StageCost(
          color: 310_000, depth: 1_900_000 * rate, mask: 820_000 + 40_000 * noise(setting, recording, 3),
          matte: 600_000 + 95_000 * blur + 60_000 * noise(setting, recording, 4))
        return RunSummary(
          key: key, outcome: .scored(row), frameCount: frames.count, missingCount: frames.count { !$0.hasMatte },
          cost: hasCost ? cost : nil)
      }
    }
  }

  func frames(_ key: RunKey) -> [ScoredFrame] { frames(key, frameCount) }

  private func frames(_ key: RunKey, _ count: Int) -> [ScoredFrame] {
    let (blur, offset, rate) = numbers(key.setting)
    let light = key.recording % 2 == 0 ? 0.0 : 0.018
    let softness = (PortableMath.log2(blur) - 1.7) / 3.6
    let aside = (offset - 0.23) / 0.2
    let base = 0.952 - light - 0.055 * softness * softness - 0.05 * aside * aside - 0.05 * (1 - rate)
    return (0..<count).map { number in
      let wave = PortableMath.sin(Double(number) / 13 + Double(key.recording)) * 0.006
      let jitter = (noise(key.setting, key.recording, 100 + number) - 0.5) * 0.02
      // The camera is covered for a moment; those that hold depth for longer notice later.
      let start = key.recording == 0 ? 96 : 170
      let isGap = number >= start && number < start + 5 + Int(7 * (1 - rate))
      var row = ScoreRow()
      for kind in identity.scores where kind.isOfFrames {
        row[kind] = isGap ? Self.empty(kind) : value(kind, base + wave + jitter, blur, rate)
      }
      return ScoredFrame(number: number, hasMatte: !isGap, scores: row)
    }
  }

  private static func empty(_ kind: ScoreKind) -> Double? {
    switch kind {
    case .mse: 0.21
    case .edgeAlignment, .faceCoverage: nil
    default: 0
    }
  }

  private func value(_ kind: ScoreKind, _ quality: Double, _ blur: Double, _ rate: Double) -> Double? {
    switch kind {
    case .iou: quality
    case .boundaryF: 0.55 + (quality - 0.8) * 2.1
    case .edgeAlignment: 0.31 + (quality - 0.8) * 1.3
    case .mse: (1 - quality) * 0.12
    case .dtssd: 0.021 + (1 - quality) * 0.08
    case .flicker: 0.034 / (0.6 + blur * 0.35) + (1 - rate) * 0.006 + (1 - quality) * 0.01
    case .soft: 0.01 + blur * 0.004
    case .holes: Double(Int(9 * (1 - quality)))
    default: nil
    }
  }

  private func numbers(_ setting: Int) -> (blur: Double, offset: Double, rate: Double) {
    let parameters = identity.settings[setting].parameters
    let rate = parameters[0].value.split(separator: "/").compactMap { Double($0) }
    return (
      Double(parameters[4].value) ?? 4, Double(parameters[2].value) ?? 0.25, rate.count == 2 ? rate[0] / rate[1] : 1
    )
  }

  private func noise(_ setting: Int, _ recording: Int, _ what: Int) -> Double {
    Double(SeededGenerator.hash(UInt64(setting), UInt64(recording), UInt64(what)) >> 11) * 0x1p-53
  }

  // MARK: The report

  func report(pictures: [ReportPicture] = [], choice: String? = nil) throws -> String {
    try SweepReport(
      identity, summaries, frames: { (key) throws(RetakeError) in self.frames(key) }, pictures: pictures,
      choice: try choice.map { text throws(RetakeError) in try SweepChoice(text) }, presetValues: Self.presetValues
    ).html
  }

  private enum Figures {
    /// Four decimals.
    static func text(_ value: Double) -> String {
      let scaled = Int((value * 10_000).rounded())
      let digits = String(scaled % 10_000)
      return "\(scaled / 10_000)." + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
