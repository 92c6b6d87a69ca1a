import Scores

/// Everything that a sweep's results depend on, and a few texts for people. Equal digests mean
/// results that are equal to the bit.
package struct SweepIdentity: Hashable, Sendable {
  package struct Setting: Hashable, Sendable {
    /// From 0; the same in every shard.
    package var number: Int
    /// XXH3-128 of preset, parameters and background contents, as in a replay's digests.
    package var digest: String
    /// In the order of their declarations.
    package var parameters: [Assignment]

    package init(number: Int, digest: String, parameters: [Assignment]) {
      (self.number, self.digest, self.parameters) = (number, digest, parameters)
    }
  }

  package struct Assignment: Hashable, Sendable {
    package var name: String
    package var value: String
    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  package struct Recording: Hashable, Sendable {
    package var number: Int
    package var id: String
    /// For people; results do not depend on it.
    package var path: String
    package var frames: Range<Int>
    /// n, if only every n-th frame set is played.
    package var every: Int
    package var width: Int
    package var height: Int
    /// "alpha" for the recording's own stream, "folder DIGEST" for a folder of mattes, or "none".
    package var truth: String
    /// How many of the played frames have truth; nil in results of programs that did not count them.
    package var truthFrameCount: Int?
    /// Of boundaries, pixels; nil if no score uses it, or in results of programs with a fixed one.
    package var boundaryTolerance: Int?
    /// Requested scores that the recording cannot have.
    package var absences: [Absence]

    package init(
      number: Int, id: String, path: String, frames: Range<Int>, every: Int, width: Int, height: Int, truth: String,
      truthFrameCount: Int? = nil, boundaryTolerance: Int? = nil, absences: [Absence]
    ) {
      (self.number, self.id, self.path, self.frames, self.every) = (number, id, path, frames, every)
      (self.width, self.height, self.truth, self.absences) = (width, height, truth, absences)
      (self.truthFrameCount, self.boundaryTolerance) = (truthFrameCount, boundaryTolerance)
    }
  }

  /// For each recording with truth: how many frames have it, and the tolerance of boundaries.
  /// - Parameter isPartial: only recordings where some played frame has none.
  package func truthSentences(isPartial: Bool = false) -> [String] {
    recordings.compactMap { recording in
      let played = (recording.frames.count + recording.every - 1) / recording.every
      guard let count = recording.truthFrameCount, count > 0, !isPartial || count < played else { return nil }
      let tolerance = recording.boundaryTolerance.map { "; the boundary tolerance is \($0) px" } ?? ""
      return "\(recording.path): \(count) of \(played) frames \(count == 1 ? "has" : "have") truth\(tolerance)."
    }
  }

  package struct Absence: Hashable, Sendable {
    package var score: ScoreKind
    package var reason: String
    package init(score: ScoreKind, reason: String) { (self.score, self.reason) = (score, reason) }
  }

  /// The version of Retake.
  package var version: String
  /// Of the pipeline; nil in results of programs that had none.
  package var pipelineRevision: Int?
  /// The build's commit, for people; results do not depend on it.
  package var commit: String
  package var preset: String
  /// The swept parameters, in the order in which they were given.
  package var tried: [String]
  /// The command line, for people; results do not depend on it.
  package var words: String
  package var scores: [ScoreKind]
  package var settings: [Setting]
  /// The index of the setting without any swept value; nil if it is not among `settings`.
  package var defaultSetting: Int?
  package var recordings: [Recording]

  package init(
    version: String, pipelineRevision: Int?, commit: String, preset: String, tried: [String], words: String,
    scores: [ScoreKind], settings: [Setting],
    defaultSetting: Int?, recordings: [Recording]
  ) {
    (self.pipelineRevision, self.commit) = (pipelineRevision, commit)
    (self.version, self.preset, self.tried, self.words, self.scores) = (version, preset, tried, words, scores)
    (self.settings, self.defaultSetting, self.recordings) = (settings, defaultSetting, recordings)
  }
}
