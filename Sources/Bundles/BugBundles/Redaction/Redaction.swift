import RecordingStore
import Support

/// Copies a part of a recording as `Trim` does, with people made unrecognisable. Frames keep their
/// numbers, times, sizes and formats, so the copy replays with the original's timing.
package enum Redaction {
  package struct Report: Hashable, Sendable {
    package var copy: CopyReport
    /// Black frames of each stream, and frames of each stream with covered parts.
    package var blackFrameCounts: [Int] = []
    package var coveredFrameCounts: [Int] = []
    /// Frames in which faces were to be covered and none is known, of all streams.
    package var unchangedFrameCount = 0
    /// Covered frames in which no face was seen, only shortly before or after, of all streams.
    package var assumedFrameCount = 0
    /// Sentences about streams that are black because they were never searched for faces.
    package var notes: [String] = []
  }

  /// - Parameters:
  ///   - rules: at least one. `dropColor` covers most, then `facesOnlyBoxes`, then `blurFaces`.
  ///   - folder: of the copy. Its id and the setting "redaction" of changed streams name the rules.
  /// - Throws: `.usage` without a rule; `.unsupported` if faces are to be covered but were never
  ///   searched for; file system errors. An incomplete copy is removed.
  package static func run(
    _ recording: Recording, _ selection: FrameSelection, rules: RedactionRules, into folder: RecordingFolder,
    keepsTimes: Bool = false, progress: (Int, Int) -> Bool = { _, _ in true }
  ) throws(RetakeError) -> Report {
    guard !rules.isEmpty else {
      throw RetakeError(
        .usage, "A redacted copy needs a rule for what to remove.", hint: "give at least one rule, such as 'blur-faces'"
      )
    }
    let (plans, notes) = try StreamPlan.plans(recording, rules)
    let redactor = try Redactor(recording, rules, plans)
    let copy = try Trim.run(
      recording, selection, into: folder, treatment: redactor, keepsTimes: keepsTimes, progress: progress)
    return Report(
      copy: copy, blackFrameCounts: redactor.blackFrameCounts, coveredFrameCounts: redactor.coveredFrameCounts,
      unchangedFrameCount: redactor.unchangedFrameCount, assumedFrameCount: redactor.assumedFrameCount, notes: notes)
  }
}
