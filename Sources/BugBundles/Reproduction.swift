import ChunkFormat
import FrameModel
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
  ///   - threadCount: changes the time it takes and nothing else; nil for one for each processor.
  ///   - note: is told what the user should know, a sentence at a time.
  ///   - progress: called after each frame with their number done and in all; false stops it.
  /// - Throws: `.corrupt` for a bundle whose parts do not belong together, `.unsupported` for parameters that this version does
  ///   not have, and what replaying throws.
  package static func run(
    _ bundle: UnpackedBundle, threadCount: Int? = nil, note: @escaping (String) -> Void = { _ in },
    progress: (Int, Int) -> Bool = { _, _ in true }
  ) throws(RetakeError) -> Result {
    let description = bundle.description
    let recording = try bundle.recording()
    var request = try bundle.request()
    request.parameters.reset(PipelineParameters.background)
    let session = try ReplaySession(
      recording, request, background: try bundle.background(), threadCount: threadCount, note: note)
    try check(session.identity, is: description.replay)
    let sink = DigestCheckSink(try DigestFileReader(path: bundle.expectationPath))
    var isStopped = false
    let total = session.frameCount * (request.order.passCount ?? 1)
    _ = try session.run(RenderOutputs([("expectation", sink)])) { done in
      isStopped = !progress(done, total)
      return !isStopped
    }
    guard !isStopped else { throw RetakeError(.inputOutput, "Stopped before the end: nothing is known of the rest.") }
    return Result(
      description: description, firstDifference: sink.firstDifference, frameCount: sink.comparison.commonCount,
      differingCount: sink.comparison.differingCount, versionNote: versionNote(description.version))
  }

  /// What the replay is of, beside its parameters, which another version may have more of.
  private static func check(_ identity: ReplayIdentity, is expected: DigestHeader) throws(RetakeError) {
    let found = DigestHeader(identity)
    let pairs = [
      ("background", found.background, expected.background), ("network", found.network, expected.network),
      ("masks", found.masks, expected.masks),
      ("frames", "\(found.order.frames)", "\(expected.order.frames)"),
    ]
    guard let (name, this, other) = pairs.first(where: { $1 != $2 }) else { return }
    throw RetakeError(
      .corrupt, "The bundle's \(name) is not what its expectation was made with: it is \(this), not \(other).",
      hint: BundleFormat.hint)
  }

  private static func versionNote(_ version: String) -> String? {
    guard version != RetakeVersion.current else { return nil }
    return "The bundle was made by Retake \(version), this is \(RetakeVersion.current)."
  }
}
