import ChunkFormat
import FrameModel
import Glibc
import MattePipeline
import RecordingStore
import Rendering
import ReplaySessions

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
    /// A sentence where another version of Retake made the expectation; nil where this one did.
    package var versionNote: String?

    package var isReproduced: Bool { firstDifference == nil }
  }

  /// - Parameters:
  ///   - bundle: of which nothing but its chunk files, masks and background is read.
  ///   - keepsFound: whether what came out is written to `UnpackedBundle.foundPath`, where it is not as expected.
  ///   - threadCount: changes the time it takes and nothing else; nil for one for each processor.
  ///   - note: is told what the user should know, a sentence at a time.
  ///   - progress: called after each frame with their number done and in all; false stops it.
  /// - Throws: `.corrupt` for a bundle whose parts do not belong together and for an expectation that was cut off, `.unsupported`
  ///   for parameters that this version does not have, and what replaying throws.
  package static func run(
    _ bundle: UnpackedBundle, keepsFound: Bool = false, threadCount: Int? = nil,
    note: @escaping (String) -> Void = { _ in }, progress: (Int, Int) -> Bool = { _, _ in true }
  ) throws(RetakeError) -> Result {
    try bundle.naming { () throws(RetakeError) -> Result in
      try replay(bundle, keepsFound, threadCount, note, progress)
    }
  }

  private static func replay(
    _ bundle: UnpackedBundle, _ keepsFound: Bool, _ threadCount: Int?, _ note: @escaping (String) -> Void,
    _ progress: (Int, Int) -> Bool
  ) throws(RetakeError) -> Result {
    let description = bundle.description
    let recording = try bundle.recording()
    var request = try bundle.request()
    request.parameters.reset(PipelineParameters.background)
    let session = try ReplaySession(
      recording, request, background: try bundle.background(), threadCount: threadCount, note: note)
    try check(session.identity, is: description.replay)
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
      differingCount: sink.comparison.differingCount, versionNote: versionNote(description.version))
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
