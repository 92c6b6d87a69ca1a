import FrameModel
import Parameters
import Scores

/// What a sweep's results are a function of. Two with one digest have the same results, to the bit.
package struct SweepIdentity: Hashable, Sendable {
  /// A setting that is tried.
  package struct Setting: Hashable, Sendable {
    /// From 0; the same in every shard.
    package var number: Int
    /// XXH3-128 of preset, parameters and the background's contents, as digests of replays have it.
    package var digest: String
    /// All parameters, in the order of declaration.
    package var parameters: [Assignment]

    package init(number: Int, digest: String, parameters: [Assignment]) {
      (self.number, self.digest, self.parameters) = (number, digest, parameters)
    }
  }

  package struct Assignment: Hashable, Sendable {
    package var name: String
    /// As the parameter writes it.
    package var value: String
    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  package struct Recording: Hashable, Sendable {
    /// From 0.
    package var number: Int
    package var id: String
    /// Where it lay: for people, and to find it again. Not part of what results are a function of.
    package var path: String
    /// Frame sets that are played.
    package var frames: Range<Int>
    /// Of every so many one.
    package var every: Int
    package var width: Int
    package var height: Int
    /// "alpha" for the recording's own stream, "folder DIGEST" for mattes of a folder, "none".
    package var truth: String
    /// Scores that were asked for and that it cannot have, with the reason: one sentence each.
    package var absences: [Absence]

    package init(
      number: Int, id: String, path: String, frames: Range<Int>, every: Int, width: Int, height: Int, truth: String,
      absences: [Absence]
    ) {
      (self.number, self.id, self.path, self.frames, self.every) = (number, id, path, frames, every)
      (self.width, self.height, self.truth, self.absences) = (width, height, truth, absences)
    }
  }

  package struct Absence: Hashable, Sendable {
    package var score: ScoreKind
    package var reason: String
    package init(score: ScoreKind, reason: String) { (self.score, self.reason) = (score, reason) }
  }

  /// Of Retake.
  package var version: String
  package var preset: String
  /// Names of the parameters that differ between settings or were asked to, in the order in which they were given.
  package var tried: [String]
  /// The words that made it, for people: "--preset … --scan matte.blur=1..12:1". Not part of what results are a function of.
  package var words: String
  package var scores: [ScoreKind]
  package var settings: [Setting]
  /// The place among `settings` of the preset as it is with what was set and nothing tried; nil where it is not one of them.
  package var defaultSetting: Int?
  package var recordings: [Recording]

  package init(
    version: String, preset: String, tried: [String], words: String, scores: [ScoreKind], settings: [Setting],
    defaultSetting: Int?, recordings: [Recording]
  ) {
    (self.version, self.preset, self.tried, self.words, self.scores) = (version, preset, tried, words, scores)
    (self.settings, self.defaultSetting, self.recordings) = (settings, defaultSetting, recordings)
  }
}
