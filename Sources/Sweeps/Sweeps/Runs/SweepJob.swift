import MattePipeline
import Parameters
import RecordingStore
import Replay
import Scores
import Support

/// The work of a sweep: settings, recordings and scores.
package struct SweepJob {
  package var preset: String
  /// Values of `ReplaySession.declarations`; the index is the setting's number.
  package var settings: [ParameterSet]
  /// Names of the parameters that differ between settings or were requested.
  package var tried: [String]
  /// For people.
  package var words: String
  /// Number of the setting that equals the unchanged preset, if any.
  package var defaultSetting: Int?
  package var scores: [ScoreKind]
  package var sources: [SweepSource]

  package init(
    preset: String, settings: [ParameterSet], tried: [String], words: String, defaultSetting: Int?,
    scores: [ScoreKind], sources: [SweepSource]
  ) {
    (self.preset, self.settings, self.tried, self.words) = (preset, settings, tried, words)
    (self.defaultSetting, self.scores, self.sources) = (defaultSetting, scores, sources)
  }

  /// - Throws: why no setting can be played over any of the recordings, where that is known beforehand.
  func checkNeeds() throws(RetakeError) {
    var reason: RetakeError?
    for setting in settings {
      for source in sources {
        do throws(RetakeError) {
          try DistinctMatte.Origin(setting).checkDepth(of: source.recording)
          try Segmenters.checkNamed(setting, source.recording)
          return
        } catch {
          reason = reason ?? error
        }
      }
    }
    if let reason { throw reason }
  }

  /// Returns everything that the results depend on. Reads indexes and opens mask networks.
  /// - Throws: `.usage` for no settings, no scores, or one recording twice; `.unsupported` for a
  ///   recording without colour or without frames in the played part.
  package func identity() throws(RetakeError) -> SweepIdentity {
    guard !settings.isEmpty else {
      throw RetakeError(.usage, "There are no settings to try.", hint: "relax the constraints, or give other values")
    }
    guard !scores.isEmpty, !sources.isEmpty else {
      throw RetakeError(
        .usage, "A sweep needs at least one \(scores.isEmpty ? "score" : "recording").",
        hint: "add one; see 'retake help sweep run'")
    }
    var paths: [String: String] = [:]
    for source in sources {
      let id = source.recording.identity.id
      if let other = paths[id] {
        throw RetakeError(
          .usage,
          "\(other) and \(source.path) have the same id: one is a copy of the other, or both are of one simulated camera.",
          hint: "give only one of them; 'simulated?seed=2' is another camera")
      }
      paths[id] = source.path
    }
    var digests = SettingDigests(preset: preset, recording: sources[0].recording)
    let numbered = settings.enumerated().map { number, setting in
      SweepIdentity.Setting(
        number: number, digest: digests.digest(of: setting),
        parameters: setting.entries.map { SweepIdentity.Assignment(name: $0.name, value: $0.value) })
    }
    let none = FaultModel.none
    let showsOthers = settings.contains { FaultModel($0).color != none.color }
    let recordings = try sources.enumerated().map { number, source throws(RetakeError) in
      try source.identity(number, scores: scores, showsOthers: showsOthers)
    }
    return SweepIdentity(
      version: RetakeVersion.current, pipelineRevision: PipelineRevision.current, commit: RetakeVersion.commit,
      preset: preset, tried: tried, words: words, scores: scores, settings: numbered,
      defaultSetting: defaultSetting, recordings: recordings)
  }
}
