import ChunkFormat
import FrameModel
import Glibc
import MattePipeline
import RecordingStore
import Replay
import Support

/// Replays a bundle and holds what comes out against what it expects.
package struct Reproduction {
  package struct Result: Sendable {
    package var description: BundleDescription
    /// Nil where every frame and stage is as expected.
    package var firstDifference: DigestDifference?
    /// Frames that were held against the expectation.
    package var frameCount: Int
    /// Those of them that differ somewhere.
    package var differingCount: Int
    /// Those of them that differ in each stage, in `DigestStage`'s order.
    package var stageCounts: [Int]
    /// A sentence where another version of Retake made the expectation; nil where this one did.
    package var versionNote: String?

    package var isReproduced: Bool { firstDifference == nil }
  }

  /// - Parameters:
  ///   - bundle: of which nothing but its chunk files, masks and background is read.
  ///   - assignments: "name=value": parameters to replay it with in place of its own, for what would come out then.
  ///   - keepsFound: whether what came out is written to `UnpackedBundle.foundPath`, where it is not as expected.
  ///   - threadCount: changes the time it takes and nothing else; nil for one for each processor.
  ///   - note: is told what the user should know, a sentence at a time.
  ///   - progress: called after each frame with their number done and in all; false stops it.
  /// - Throws: `.corrupt` for a bundle whose parts do not belong together and for an expectation that was cut off, `.unsupported`
  ///   for parameters that this version does not have, `.usage` for assignments that are wrong, and what replaying throws.
  package static func run(
    _ bundle: UnpackedBundle, setting assignments: [String] = [], keepsFound: Bool = false, threadCount: Int? = nil,
    note: @escaping (String) -> Void = { _ in }, progress: (Int, Int) -> Bool = { _, _ in true }
  ) throws(RetakeError) -> Result {
    var (request, background) = try bundle.naming { () throws(RetakeError) in
      var request = try bundle.request()
      request.parameters.reset(PipelineParameters.background)
      return (request, try bundle.background())
    }
    // The user's own files are not named as the bundle's.
    if !assignments.isEmpty { try set(assignments, in: &request, &background) }
    return try bundle.naming { () throws(RetakeError) -> Result in
      let session = try ReplaySession(
        try bundle.recording(), request, background: background, threadCount: threadCount, note: note)
      if assignments.isEmpty { try check(session.identity, is: bundle.description.replay) }
      return try replay(bundle, session, keepsFound, progress)
    }
  }

  /// Changes of the bundle's parameters on the way stay as they are.
  private static func set(
    _ assignments: [String], in request: inout ReplayRequest, _ background: inout BackgroundFile?
  ) throws(RetakeError) {
    let name = PipelineParameters.background.declaration.name
    for assignment in assignments {
      try request.parameters.set(assignment)
      guard assignment.prefix(while: { $0 != "=" }) == name else { continue }
      let path = request.parameters[PipelineParameters.background]
      background = path.isEmpty ? nil : try BackgroundFile(path: path)
    }
    request.changes = try ParameterTimeline(
      from: request.parameters, request.changes.changes.map { ($0.frame, "\($0.name)=\($0.value)") })
  }

  private static func replay(
    _ bundle: UnpackedBundle, _ session: ReplaySession, _ keepsFound: Bool, _ progress: (Int, Int) -> Bool
  ) throws(RetakeError) -> Result {
    let (description, request) = (bundle.description, session.request)
    let sink = DigestCheckSink(try bundle.expectation())
    var outputs: [(name: String, sink: any RenderSink)] = [("expectation", sink)]
    if keepsFound {
      let found = try DigestSink(
        path: bundle.foundPath, identity: session.identity, maskDigest: { session.segmenter?.maskDigest })
      outputs.append(("found", found))
    }
    var differs = false
    defer { if keepsFound && !differs { unlink(bundle.foundPath) } }
    var isStopped = false
    let total = session.frameCount * (request.order.passCount ?? 1)
    _ = try session.run(RenderOutputs(outputs)) { done in
      isStopped = !progress(done, total)
      // A stranger may ask for more passes than there are digests of.
      return !isStopped && !sink.hasSurplus
    }
    guard !isStopped else { throw RetakeError(.inputOutput, "Stopped before the end: nothing is known of the rest.") }
    if let sentence = sink.cutSentence { throw RetakeError(.corrupt, sentence, hint: BundleFormat.hint) }
    differs = sink.firstDifference != nil
    return Result(
      description: description, firstDifference: sink.firstDifference, frameCount: sink.comparison.commonCount,
      differingCount: sink.comparison.differingCount, stageCounts: sink.comparison.stageCounts,
      versionNote: versionNote(description.version))
  }

  /// What the replay is of, beside its parameters, which another version may have more of.
  private static func check(_ identity: ReplayIdentity, is expected: DigestHeader) throws(RetakeError) {
    let found = DigestHeader(identity)
    var pairs = [
      ("background", found.background, expected.background), ("network", found.network, expected.network),
      ("masks", found.masks, expected.masks),
      ("frames", "\(found.order.frames)", "\(expected.order.frames)"),
    ]
    // The same parameters, of the same version, in other words: somebody wrote one of them anew.
    if expected.version == found.version, Set(expected.parameters.map(\.name)) == Set(found.parameters.map(\.name)) {
      pairs.append(("digest of parameters", found.parameterDigest, expected.parameterDigest))
    }
    guard let (name, this, other) = pairs.first(where: { $1 != $2 }) else { return }
    throw RetakeError(
      .corrupt, "The \(name) is not what the expectation was made with: it is \(this), not \(other).",
      hint: BundleFormat.hint)
  }

  private static func versionNote(_ version: String) -> String? {
    guard version != RetakeVersion.current else { return nil }
    return "The bundle was made by Retake \(version.onOneLine(limit: 40)), this is \(RetakeVersion.current)."
  }
}
