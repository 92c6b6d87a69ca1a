import ChunkFormat
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support

/// Makes a bundle: cuts a part out of a recording, replays it, and writes both into one file. The
/// part includes earlier depth and faces that are still in use where it begins. So its digests
/// equal those of the same part replayed in the whole recording.
package struct BundleMaker {
  package struct Report: Hashable, Sendable {
    package var byteCount = 0
    /// Frame sets replayed in one pass.
    package var frameCount = 0
    /// Frame sets that are not replayed, but that replayed ones depend on.
    package var besideCount = 0
    /// Frames of the replay that have digests; 0 if the parameters give no picture at all.
    package var pictureCount = 0
    /// Sentences about data that could not be read.
    package var damage: [String] = []
    /// Sentences about what was removed for privacy; empty without rules.
    package var removed: [String] = []
    /// Colour frames in which faces were to be covered and none is known.
    package var unchangedFrameCount = 0
    /// What is still in the bundle.
    package var remainder = ""
  }

  package var note = ""
  package var environment = BundleEnvironment.current()
  package var threadCount = ProcessorCount.usable
  /// Applied before the replay, so the expected digests describe the redacted part.
  package var rules: RedactionRules = []
  /// Whether other users may read the bundle, as the umask allows.
  package var isShared = false
  package var tell: (String) -> Void = { _ in }
  /// Receives frames done and in all; returns false to stop.
  package var progress: (Int, Int) -> Bool = { _, _ in true }

  package init() {}

  /// - Parameter request: for the whole recording; its order selects the part.
  /// - Throws: `.unsupported` for what no bundle can hold; what cutting and replaying throw; file
  ///   system errors. Nothing is left behind then.
  package func run(_ recording: Recording, _ request: ReplayRequest, to path: String) throws(RetakeError) -> Report {
    do throws(RetakeError) {
      return try make(recording, request, path)
    } catch {
      throw BundleFormat.hidingWork(error, of: path)
    }
  }

  private func make(_ recording: Recording, _ request: ReplayRequest, _ path: String) throws(RetakeError) -> Report {
    try check(request)
    _ = try ReplaySession.streams(of: recording, request)
    let background = try BundledBackground(
      path: request.parameters[PipelineParameters.composite.background], isRedacted: !rules.isEmpty)
    let plate = request.parameters[PipelineParameters.mask.plate]
    guard plate.isEmpty || !rules.changesPixels else {
      throw RetakeError(
        .unsupported, "The plate \(plate) would be stored in the bundle with the room that it shows.",
        hint: "leave it out with --set mask.plate= and begin with the empty scene (--from), or do not change pictures")
    }
    try BundleOutput.checkIsFree(path)
    try Folder.makeParent(of: path)
    let work = try ScratchFolder(beside: path)
    var report = Report()
    let part = try BundlePartOfRecording(recording, request)
    let copy = try cut(part, of: recording, into: RecordingFolder(path: work.path("recording.retake")), &report)
    if background.kind != .none { tell("The background \(background.path) goes into the bundle.") }
    if !plate.isEmpty { tell("The plate \(plate) goes into the bundle.") }
    let masks = CarriedMasks(part, of: recording, request)
    // Masks that a network made of the unredacted pictures could show what was removed.
    let kept = rules.changesPixels ? try masks.checkCanBeMadeAnew() : try masks.carry(into: copy)
    var own = request
    own.order = part.order
    own.firstNumber = part.firstNumber
    if let kept { try own.parameters.set(PipelineParameters.mask.model.declaration.name, to: kept) }
    let header = try replay(
      copy, own, to: work.path(BundlePart.expectation.name), of: recording.folder.path, &report)
    let files = BundleFiles(
      recording: copy, background: background, header: header,
      expectationPath: work.path(BundlePart.expectation.name), parameters: own.parameters,
      // Words of a person, which could name what was to be removed.
      tags: rules.isEmpty ? try recording.tags() : RecordingTags())
    report.remainder = try rules.remainder(
      in: copy, unchanged: report.unchangedFrameCount, tags: files.tags, note: note,
      hasBackground: background.kind != .none,
      hasPlate: header.plate != nil)
    let output = try BundleOutput(path: path, isShared: isShared)
    report.byteCount = try files.write(
      to: output, source: recording.identity.id, note: note, removed: report.removed, environment)
    try output.publish()
    return report
  }

  private func check(_ request: ReplayRequest) throws(RetakeError) {
    guard request.order.passCount != nil else {
      throw RetakeError(
        .unsupported, "An endless replay has no digests to expect.", hint: "set the number of passes")
    }
    guard note.utf8.count <= BundlePart.noteByteCountLimit else {
      throw RetakeError(
        .usage, "The note has \(note.utf8.count) bytes; the limit is \(BundlePart.noteByteCountLimit).",
        hint: "shorten it, or send a text file along with the bundle")
    }
  }

  private func cut(
    _ part: BundlePartOfRecording, of recording: Recording, into folder: RecordingFolder, _ report: inout Report
  ) throws(RetakeError) -> Recording {
    let selection = try FrameSelection(recording, frameSets: part.frameSets, isClosed: true)
    if rules.isEmpty {
      let cut = try Trim.run(recording, selection, into: folder, keepsTimes: true) { _, _ in progress(0, part.count) }
      report.damage = cut.damage
    } else {
      let cut = try Redaction.run(recording, selection, rules: rules, into: folder, keepsTimes: true) { _, _ in
        progress(0, part.count)
      }
      report.damage = cut.copy.damage
      let coveredCount = cut.coveredFrameCounts.reduce(0, +)
      guard coveredCount > 0 || cut.unchangedFrameCount == 0 else {
        let path = ShellWord.quoted(recording.folder.path)
        let other = Recording.otherDetector(than: try? recording.faceCounts().first?.detector)
        throw RetakeError(
          .unsupported, "Faces in \(recording.folder.path) cannot be covered: none is known in the part.",
          hint:
            "'retake faces \(path) \(other) --replace' searches with another detector; where nobody is in the "
            + "picture, leave out the rule; otherwise drop the colour")
      }
      report.unchangedFrameCount = cut.unchangedFrameCount
      report.removed =
        rules.sentences(
          of: recording.streams, unchanged: cut.unchangedFrameCount, covered: coveredCount,
          assumed: cut.assumedFrameCount) + cut.notes
    }
    report.frameCount = part.count
    report.besideCount = part.frameSets.count - part.order.frames.count
    let copy = try Recording(path: folder.path)
    let count = try copy.frameSetCount()
    guard count == part.frameSets.count else {
      throw RetakeError(
        .unsupported,
        "The copied part has \(count) frame sets instead of \(part.frameSets.count): some of them cannot be read.",
        hint:
          "choose another part; or 'retake recover \(ShellWord.quoted(recording.folder.path))' keeps what is whole, to be bundled then"
      )
    }
    return copy
  }

  /// Replays the part and writes the expected digests.
  private func replay(
    _ recording: Recording, _ request: ReplayRequest, to path: String, of original: String, _ report: inout Report
  ) throws(RetakeError) -> DigestHeader {
    let session = try ReplaySession(
      recording, request, threadCount: threadCount,
      // The copy is gone when somebody reads it.
      note: { [tell] in tell($0.replacing(recording.folder.path, with: original)) })
    let sink = try DigestSink(path: path, header: session.header, maskDigest: { session.segmenter?.maskDigest })
    var isStopped = false
    let total = session.frameCount * (request.order.passCount ?? 1)
    let played = try session.run(RenderOutputs([("digests", sink)])) { done in
      isStopped = !progress(done, total)
      return !isStopped
    }
    guard !isStopped else { throw RetakeError(.inputOutput, "Stopped before the end; no bundle was made.") }
    report.pictureCount = played.counts.video - played.skipped
    if let segmenter = session.segmenter, segmenter.counts.failed > 0 {
      throw RetakeError(
        .unsupported,
        "\(segmenter.model) failed on \(segmenter.counts.failed) of the frames, which a bundle without the model cannot "
          + "reproduce.", hint: "choose a part without these frames")
    }
    return session.header
  }
}
