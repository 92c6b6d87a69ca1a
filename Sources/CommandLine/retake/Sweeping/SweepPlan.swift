import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Scores
import Support
import Sweeps

/// A sweep as defined by arguments and file, before any recording is opened.
struct SweepPlan {
  let recordings: [String]
  private let preset: String
  /// The values before any are varied.
  private let base: ParameterSet
  private let definition: SweepDefinition
  let settings: [ParameterSet]
  let scores: [ScoreKind]
  /// Scores requested by name. Only their absence is reported.
  let namedScores: Set<ScoreKind>
  private let truth: String?
  private let span: FrameSetSpan
  private let every: Int

  /// - Parameter needed: scores that a choice or a gate needs in any case.
  /// - Throws: `.usage` for invalid arguments, naming the nearest valid one.
  init(_ flags: SweepFlags, needed: [ScoreKind]) throws(RetakeError) {
    let file = try flags.file.map { path throws(RetakeError) in
      try SweepFile(path: path, ReplaySession.declarations)
    }
    (preset, base) = try flags.parameters.resolved(on: file.map { [$0.parameters] } ?? [])
    let said = try flags.space.definition()
    definition = file?.definition.overlaid(by: said) ?? said
    settings = try definition.space(base).settings()
    var named = try SweepScores.named(flags.scores)
    if named == nil, let file {
      named = try file.at(.scores) { () throws(RetakeError) in try SweepScores.named(file.words(.scores)) }
    }
    namedScores = Set((named ?? []) + needed)
    scores = SweepScores.sorted(Set((named ?? ScoreKind.standard) + needed))
    span = try flags.span.completed(by: file)
    let everyOfFile = try file?.every()
    every = flags.every ?? everyOfFile ?? 1
    truth = flags.truth ?? file?.paths(.truth).first
    recordings = flags.recordings.isEmpty ? file?.paths(.recordings) ?? [] : flags.recordings
    guard !recordings.isEmpty else {
      throw RetakeError(
        .usage, "No recording is named to sweep over.",
        hint: "as in 'retake sweep session.retake --scan matte.blur=1..12:1'; a file may name them under recordings")
    }
  }

  /// The first recording's name without suffix, used for default file names.
  var name: String { Self.name(recordings[0], withoutEnding: true) }

  private static func name(_ path: String, withoutEnding: Bool) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let ending = ".retake"
    return withoutEnding && name.hasSuffix(ending) && name.count > ending.count
      ? String(name.dropLast(ending.count)) : name
  }

  /// Arguments that reproduce this sweep for any recording, including values from files.
  var words: String {
    var words = ["--preset", preset]
    let start = try? Preset.named(preset).parameters(ReplaySession.declarations)
    for entry in base.entries where start?.value(named: entry.name)?.description != entry.value {
      words += ["--set", "\(entry.name)=\(entry.value)"]
    }
    words += definition.words
    words += ["--scores", scores.map(\.name).joined(separator: ",")]
    if let truth { words += ["--truth", truth] }
    words += span.words
    if every > 1 { words += ["--every", "\(every)"] }
    return ShellWord.joined(words)
  }

  func job(isQuiet: Bool) throws(RetakeError) -> SweepJob {
    var sources: [SweepSource] = []
    for path in recordings {
      let recording = try Recording.opened(path, isQuiet: isQuiet)
      var order = PlayOrder(frames: try span.frameSets(of: recording))
      order.every = every
      var source = SweepSource(recording, path: path, order: order, truth: nil)
      source.truth = try truthFolder(of: source)
      sources.append(source)
    }
    return SweepJob(
      preset: preset, settings: settings, tried: definition.tried, words: words,
      defaultSetting: settings.firstIndex(of: base), scores: scores, sources: sources)
  }

  private func truthFolder(of source: SweepSource) throws(RetakeError) -> TruthFolder? {
    guard let truth, let color = source.recording.firstStream(.color) else { return nil }
    let layout = source.recording.streams[color].layout
    // With several recordings, each has its own folder inside, by its name.
    let folder = recordings.count == 1 ? truth : "\(truth)/\(Self.name(source.path, withoutEnding: false))"
    return try TruthFolder(
      path: folder, frames: try source.playedNumbers(), width: layout.width, height: layout.height)
  }
}

extension FrameSetSpan {
  /// Completes missing arguments from the file.
  fileprivate func completed(by file: SweepFile?) throws(RetakeError) -> FrameSetSpan {
    guard let file else { return self }
    func moment(_ own: MomentArgument?, _ key: SweepFile.Key) throws(RetakeError) -> MomentArgument? {
      guard own == nil, let word = file.words(key).first else { return own }
      return try file.at(key) { () throws(RetakeError) in
        if let moment = MomentArgument(argument: word) { return moment }
        throw RetakeError(.usage, "'\(word)' is no moment.", hint: "there are \(MomentArgument.help)")
      }
    }
    var result = self
    (result.from, result.to) = (try moment(from, .from), try moment(to, .to))
    return result
  }

  fileprivate var words: [String] {
    [("--from", from), ("--to", to)].flatMap { word, moment in moment.map { [word, $0.text] } ?? [] }
  }
}

extension MomentArgument {
  fileprivate var text: String {
    switch moment {
    case .mark(let label): "mark:\(label)"
    case .frameSet(let number): "\(number)"
    case .time(let nanoseconds): "\(Double(nanoseconds) / 1e9)s"
    }
  }
}
