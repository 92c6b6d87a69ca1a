import FrameModel
import RecordingStore
import Support

/// Copies a part of a recording as `Trim` does, with people made unrecognisable in it: for recordings that are given to
/// others. Frames keep their numbers, times, sizes and formats, so that the copy replays with the timing of the original.
package enum Redaction {
  package struct Report: Hashable, Sendable {
    package var copy: Trim.Report
    /// Frames of each stream that are black, and in how many a part was covered.
    package var blackFrameCounts: [Int] = []
    package var coveredFrameCounts: [Int] = []
    /// Sentences about what was removed because nothing was known of it.
    package var notes: [String] = []
  }

  /// - Parameters:
  ///   - rules: at least one. `dropColor` leaves nothing for the others to cover; `facesOnlyBoxes` covers more than
  ///     `blurFaces`.
  ///   - folder: of the new recording. Its id says what was done, and so does the setting "redaction" of each stream that was
  ///     changed.
  ///   - keepsTimes: as for `Trim`.
  ///   - progress: called after each chunk file with their number done and in all; false stops it.
  /// - Throws: `.usage` without a rule; `.unsupported` where faces are to be covered and nobody looked for them; what the disk
  ///   refuses. What was made until then is taken away.
  package static func run(
    _ recording: Recording, _ selection: FrameSelection, rules: RedactionRules, into folder: RecordingFolder,
    keepsTimes: Bool = false, fileSystem: any FileSystem = RealFileSystem(),
    progress: (Int, Int) -> Bool = { _, _ in true }
  ) throws(RetakeError) -> Report {
    guard !rules.isEmpty else {
      throw RetakeError(
        .usage, "A redacted copy needs to be told what to remove.", hint: "say at least one rule, such as 'blur-faces'")
    }
    let (plans, notes) = try StreamPlan.plans(recording, rules)
    let redactor = try Redactor(recording, rules, plans)
    let copy = try Trim.run(
      recording, selection, into: folder, treatment: redactor, keepsTimes: keepsTimes, fileSystem: fileSystem,
      progress: progress)
    return Report(
      copy: copy, blackFrameCounts: redactor.blackFrameCounts, coveredFrameCounts: redactor.coveredFrameCounts,
      notes: notes)
  }
}
