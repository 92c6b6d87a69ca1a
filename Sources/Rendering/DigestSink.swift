import ChunkFormat
import FrameModel
import Glibc
import MattePipeline
import Parameters
import RecordingStore
import Replay

/// What a replay was a function of: the header of its digests.
package struct ReplayIdentity: Sendable {
  package var recordingID: String
  package var preset: String
  package var parameters: ParameterSet
  package var changes: [ParameterTimeline.Change]
  package var schedule: DepthSchedule
  package var firstFrame: Int
  /// Nil where it is not known before: of a camera.
  package var frameCount: Int?
  /// What is behind the person, by its contents: "none" without one.
  package var background: String
  /// Of a network's masks; nil where none were made.
  package var masks: MaskIdentity?

  package init(
    recordingID: String, preset: String, parameters: ParameterSet, changes: ParameterTimeline = .none,
    schedule: DepthSchedule, firstFrame: Int, frameCount: Int?, background: String?, masks: MaskIdentity? = nil
  ) {
    self.recordingID = recordingID
    self.preset = preset
    self.changes = changes.changes
    // The background counts by its contents, not by where they lie.
    self.parameters = parameters
    self.parameters.reset(PipelineParameters.background)
    // So does a network, by its own digest.
    self.parameters.reset(PipelineParameters.maskModel)
    self.masks = masks
    self.schedule = schedule
    self.firstFrame = firstFrame
    self.frameCount = frameCount
    self.background = background ?? "none"
  }

  /// XXH3-128 of preset, parameters, their changes, the background's contents and the network.
  package var parameterDigest: String {
    var text = "preset=\(preset)\n" + parameters.canonicalText + "background=\(background)\n"
    if let masks { text += "network=\(masks.network)\n" }
    for change in changes { text += "at=\(change.frame) \(change.name)=\(change.value)\n" }
    return Array(text.utf8).withRawBytes { Checksum.xxh3Hex128($0) }
  }
}

/// XXH3-128 of every stage of every frame, as JSON lines: a header, a line for each frame, and a last line with a digest
/// of all.
package final class DigestSink: RenderSink {
  private let output: OutputFile
  private let networkDigest: () -> String?
  private var frames = 0
  private var all: [UInt8] = []
  /// Digests of what did not change since the last frame are not computed again.
  private var depthDigests: (source: String, prepared: String)?
  private var maskDigest: String?
  private var matteDigest: String?

  /// - Parameters:
  ///   - path: "-" for standard output.
  ///   - maskDigest: asked at the end: of all masks that a network gave; nil where there is none.
  package init(
    path: String, identity: ReplayIdentity, patience: WritePatience = WritePatience(),
    maskDigest: @escaping () -> String? = { nil }
  ) throws(RetakeError) {
    networkDigest = maskDigest
    output = try OutputFile(path: path, patience: patience)
    var parameters = JSONObject()
    for entry in identity.parameters.entries { parameters.add(entry.name, entry.value) }
    var header = JSONObject()
    header.add("format", "retake-digests-1")
    header.add("version", RetakeVersion.current)
    header.add("recording", identity.recordingID)
    header.add("preset", identity.preset)
    header.add("parameter_digest", identity.parameterDigest)
    header.add("depth_rate", identity.schedule.rate.description)
    header.add("depth_phase", identity.schedule.phase)
    header.add("first_frame", identity.firstFrame)
    if let count = identity.frameCount { header.add("frame_count", count) }
    header.add("parameters", parameters)
    if !identity.changes.isEmpty { header.add("changes", identity.changes.map(Self.change)) }
    header.add("background", identity.background)
    header.add("network", identity.masks?.network ?? "none")
    header.add("masks", identity.masks?.key ?? "none")
    try write(header)
  }

  package func take(_ output: PipelineOutput) throws(RetakeError) {
    if output.changed.contains(.depth) || depthDigests == nil {
      depthDigests = (
        Self.digest(output.sourceDepth?.bytes), Self.digest(output.depth?.bytes)
      )
    }
    if output.changed.contains(.mask) || maskDigest == nil { maskDigest = Self.digest(output.mask?.bytes) }
    if output.changed.contains(.matte) || matteDigest == nil { matteDigest = Self.digest(output.matte?.bytes) }
    let stages = [
      ("source_color", Self.digest(output.sourceColor.bytes)), ("source_depth", depthDigests!.source),
      ("depth", depthDigests!.prepared), ("mask", maskDigest!), ("matte", matteDigest!),
      ("composite", Self.digest(output.composite.bytes)),
    ]
    // What this output lacks the next one may have, without its being another.
    if output.depth == nil { depthDigests = nil }
    if output.mask == nil { maskDigest = nil }
    if output.matte == nil { matteDigest = nil }
    var line = JSONObject()
    line.add("frame", output.index)
    for (name, digest) in stages {
      line.add(name, digest)
      all += Array(digest.utf8)
    }
    // Rolled up as it goes, so that memory does not grow with the recording.
    if all.count > 1 << 16 { all = Array(all.withRawBytes { Checksum.xxh3Hex128($0) }.utf8) }
    frames += 1
    try write(line)
  }

  private static func change(_ change: ParameterTimeline.Change) -> JSONObject {
    var object = JSONObject()
    object.add("frame", change.frame)
    object.add("name", change.name)
    object.add("value", change.value)
    return object
  }

  /// "none" for what the pipeline did not make.
  private static func digest(_ bytes: UnsafeRawBufferPointer?) -> String {
    bytes.map { Checksum.xxh3Hex128($0) } ?? "none"
  }

  package func finish() throws(RetakeError) {
    var last = JSONObject()
    last.add("frames", frames)
    last.add("all", all.withRawBytes { Checksum.xxh3Hex128($0) })
    if let digest = networkDigest() { last.add("masks", digest) }
    try write(last)
  }

  private func write(_ object: JSONObject) throws(RetakeError) { try output.write(object.text + "\n") }
}
