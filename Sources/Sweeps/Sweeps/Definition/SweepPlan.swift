import FrameModel
import Glibc
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Scores
import Support

/// A sweep as it was asked for, before any recording is opened.
package struct SweepPlan {
  package var recordings: [String]
  package var preset: String
  /// The values before any are varied.
  package var base: ParameterSet
  package var definition: SweepDefinition
  package var settings: [ParameterSet]
  package var scores: [ScoreKind]
  /// A folder of mattes, or with several recordings a folder of such folders; nil for recorded
  /// alpha.
  package var truth: String?
  /// Grey of pixels that the mattes of `truth` leave out; nil for none.
  package var ignoredValue: UInt8?
  /// Pixels; nil for the default.
  package var boundaryTolerance: Int?
  package var span: MomentSpan
  package var every: Int
  private let isSearch: Bool

  /// - Parameter isSearch: whether a search chooses the settings; the plan then has that of the base only.
  /// - Throws: `.usage` for a definition that does not fit the values, or the frames.
  package init(
    recordings: [String], preset: String, base: ParameterSet, definition: SweepDefinition, scores: [ScoreKind],
    truth: String?, ignoredValue: UInt8? = nil, boundaryTolerance: Int? = nil, span: MomentSpan, every: Int,
    isSearch: Bool = false
  ) throws(RetakeError) {
    (self.recordings, self.preset, self.base, self.definition) = (recordings, preset, base, definition)
    (self.scores, self.truth, self.span, self.every) = (scores, truth, span, every)
    (self.ignoredValue, self.boundaryTolerance, self.isSearch) = (ignoredValue, boundaryTolerance, isSearch)
    guard ignoredValue == nil || truth != nil else {
      throw RetakeError(
        .usage, "There are no true mattes to ignore pixels of.",
        hint: "give their folder with --truth, or leave out --ignore")
    }
    try definition.check(every: every)
    settings = isSearch ? [base] : try definition.space(base).settings()
  }

  /// The first recording's name without suffix, used for default file names.
  package var name: String { Self.name(recordings[0], withoutEnding: true) }

  private static func name(_ path: String, withoutEnding: Bool) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let ending = ".retake"
    return withoutEnding && name.hasSuffix(ending) && name.count > ending.count
      ? String(name.dropLast(ending.count)) : name
  }

  /// Arguments that reproduce this sweep for any recording, including values from files.
  package var words: String {
    var words = ["--preset", preset]
    let start = try? Preset.named(preset).parameters(ReplaySession.declarations)
    for entry in base.entries where start?.value(named: entry.name)?.description != entry.value {
      words += ["--set", "\(entry.name)=\(entry.value)"]
    }
    words += definition.words
    words += ["--scores", scores.map(\.name).joined(separator: ",")]
    if let truth { words += ["--truth", truth] }
    if let ignoredValue { words += ["--ignore", "\(ignoredValue)"] }
    if let boundaryTolerance { words += ["--boundary-tolerance", "\(boundaryTolerance)"] }
    words += span.words
    if every > 1 { words += ["--every", "\(every)"] }
    return ShellWord.joined(words)
  }

  /// - Parameter open: opens a recording by its path.
  /// - Throws: errors of opening recordings and truth; why no setting can be played over any recording.
  package func job(_ open: (String) throws(RetakeError) -> Recording) throws(RetakeError) -> SweepJob {
    var sources: [SweepSource] = []
    for path in recordings {
      let recording = try open(path)
      var order = PlayOrder(frames: try span.frameSets(of: recording))
      order.every = every
      var source = SweepSource(recording, path: path, order: order, truth: nil)
      source.truth = try truthFolder(of: source)
      source.boundaryTolerance = boundaryTolerance
      sources.append(source)
    }
    let job = SweepJob(
      preset: preset, settings: settings, tried: definition.tried, words: words,
      defaultSetting: settings.firstIndex(of: base), scores: scores, sources: sources)
    // A search may find settings that need less than its base.
    if !isSearch { try job.checkNeeds() }
    return job
  }

  private func truthFolder(of source: SweepSource) throws(RetakeError) -> TruthFolder? {
    guard let truth, let color = source.recording.firstStream(.color) else { return nil }
    let layout = source.recording.streams[color].layout
    // With several recordings, each has its own folder inside, by its name.
    let folder = recordings.count == 1 ? truth : "\(truth)/\(Self.name(source.path, withoutEnding: false))"
    if recordings.count > 1, access(folder, F_OK) != 0 {
      throw RetakeError(
        .notFound, "There is no \(folder).",
        hint: "for several recordings, give each a subfolder in \(truth) with the recording's name")
    }
    let found = try TruthFolder(
      path: folder, frames: try source.playedNumbers(), width: layout.width, height: layout.height,
      ignoring: ignoredValue)
    guard found.frameCount > 0 else {
      throw RetakeError(
        .unsupported, "All true mattes of the played frames in \(folder) leave out every pixel.",
        hint: "see the folder 'ignore' in it, --ignore, and the alpha of its pictures")
    }
    return found
  }
}
