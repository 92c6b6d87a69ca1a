import ChunkFormat
import FrameModel
import Glibc
import MattePipeline
import RecordingStore
import Replay
import Support

/// Replays a bundle and compares the output with the expected digests.
package struct Reproduction {
  package struct Result: Sendable {
    package var description: BundleDescription
    /// Nil if every frame and stage is as expected.
    package var firstDifference: DigestDifference?
    /// Frames that were compared.
    package var frameCount: Int
    /// Compared frames that differ in any stage.
    package var differingCount: Int
    /// Compared frames that differ in each stage, in the order of `DigestStage`.
    package var stageCounts: [Int]
    /// A sentence if another version of Retake made the bundle.
    package var versionNote: String?
    /// Sentences on parameters that were set and never have an effect.
    package var idle: [String] = []

    package var isReproduced: Bool { firstDifference == nil }
  }

  /// - Parameters:
  ///   - bundle: only its chunk files, masks, plate and background are read.
  ///   - assignments: "name=value" in place of the bundle's parameters, to see what changes.
  ///   - keepsFound: whether the unpacked bundle stays, and differing output is written to `UnpackedBundle.foundPath`.
  ///   - progress: called after each frame with their number done and in all; false stops it.
  /// - Throws: `.corrupt` for parts that do not belong together or truncated digests, `.usage` for
  ///   wrong assignments, `.unsupported` for unknown parameters; what replaying throws.
  package static func run(
    _ bundle: UnpackedBundle, setting assignments: [String] = [], keepsFound: Bool = false,
    threadCount: Int = ProcessorCount.usable, note: @escaping (String) -> Void = { _ in },
    progress: (Int, Int) -> Bool = { _, _ in true }
  ) throws(RetakeError) -> Result {
    var (request, background) = try bundle.naming { () throws(RetakeError) in
      var request = try bundle.request()
      request.parameters.reset(PipelineParameters.composite.background)
      return (request, try bundle.background())
    }
    // Outside of `naming`: errors about the user's own files must not name the bundle.
    let idle = try set(assignments, in: &request, &background)
    return try bundle.naming { () throws(RetakeError) -> Result in
      let session = try ReplaySession(
        try bundle.recording(), request, background: background, threadCount: threadCount, advises: keepsFound,
        note: note)
      if assignments.isEmpty { try check(session.header, is: bundle.description.replay) }
      var result = try replay(bundle, session, keepsFound, progress)
      result.idle = idle
      return result
    }
  }

  /// The bundle's own parameter changes during the replay stay as they are.
  /// - Returns: `Result.idle`.
  private static func set(
    _ assignments: [String], in request: inout ReplayRequest, _ background: inout BackgroundFile?
  ) throws(RetakeError) -> [String] {
    guard !assignments.isEmpty else { return [] }
    let name = PipelineParameters.composite.background.declaration.name
    for assignment in assignments {
      try request.parameters.set(assignment)
      guard assignment.prefix(while: { $0 != "=" }) == name else { continue }
      let path = request.parameters[PipelineParameters.composite.background]
      background = path.isEmpty ? nil : try BackgroundFile(path: path)
    }
    let changes = request.changes.changes.map { (frame: $0.frame, assignment: "\($0.name)=\($0.value)") }
    request.changes = try ParameterTimeline(from: request.parameters, changes)
    return try ReplaySession.idleSentences(
      of: assignments, from: request.parameters, changes: changes.map(\.assignment))
  }

  private static func replay(
    _ bundle: UnpackedBundle, _ session: ReplaySession, _ keepsFound: Bool, _ progress: (Int, Int) -> Bool
  ) throws(RetakeError) -> Result {
    let (description, request) = (bundle.description, session.request)
    let sink = DigestCheckSink(try bundle.expectation())
    var outputs: [(name: String, sink: any RenderSink)] = [("expectation", sink)]
    if keepsFound {
      let found = try DigestSink(
        path: bundle.foundPath, header: session.header, maskDigest: { session.segmenter?.maskDigest })
      outputs.append(("found", found))
    }
    var differs = false
    defer { if keepsFound && !differs { unlink(bundle.foundPath) } }
    var isStopped = false
    let total = session.frameCount * (request.order.passCount ?? 1)
    _ = try session.run(RenderOutputs(outputs)) { done in
      isStopped = !progress(done, total)
      // A stranger's bundle may ask for more passes than it has digests of.
      return !isStopped && !sink.hasSurplus
    }
    guard !isStopped else {
      throw RetakeError(
        .inputOutput, "Stopped before the end: the remaining frames were not compared.")
    }
    if let sentence = sink.cutSentence { throw RetakeError(.corrupt, sentence, hint: BundleFormat.hint) }
    differs = sink.firstDifference != nil
    return Result(
      description: description, firstDifference: sink.firstDifference, frameCount: sink.comparison.commonCount,
      differingCount: sink.comparison.differingCount, stageCounts: sink.comparison.stageCounts,
      versionNote: versionNote(description.version))
  }

  /// Compares the replay's inputs except its parameters, of which another version may have more.
  private static func check(_ found: DigestHeader, is expected: DigestHeader) throws(RetakeError) {
    var pairs = [
      ("background", found.background, expected.background),
      ("plate", found.plate ?? DigestStage.none, expected.plate ?? DigestStage.none),
      ("network", found.network, expected.network),
      ("masks", found.masks, expected.masks),
      ("span of frames", span(found.order), span(expected.order)),
    ]
    // Same version and names of parameters, but another digest: the bundle was edited.
    if expected.version == found.version, Set(expected.parameters.map(\.name)) == Set(found.parameters.map(\.name)) {
      pairs.append(("digest of parameters", found.parameterDigest, expected.parameterDigest))
    }
    guard let (name, this, other) = pairs.first(where: { $1 != $2 }) else { return }
    throw RetakeError(
      .corrupt, "The \(name) differs from that of the expected digests: it is \(this), not \(other).",
      hint: BundleFormat.hint)
  }

  private static func span(_ order: PlayOrder) -> String {
    "\(order.frames.lowerBound) to \(order.frames.upperBound - 1)"
  }

  /// A sentence if the bundle was made with another pipeline revision. Bundles of programs that had none say nothing of it.
  package static func revisionNote(_ bundle: BundleDescription) -> String? {
    guard let revision = bundle.replay.pipelineRevision, revision != PipelineRevision.current else { return nil }
    return
      "The bundle was made with pipeline revision \(revision), but this is revision \(PipelineRevision.current), which "
      + "may give other pixels; .github/CHANGELOG.md lists the changes."
  }

  private static func versionNote(_ version: String) -> String? {
    guard version != RetakeVersion.current else { return nil }
    return "The bundle was made by Retake \(version.onOneLine(limit: 40)); this is version \(RetakeVersion.current)."
  }
}
