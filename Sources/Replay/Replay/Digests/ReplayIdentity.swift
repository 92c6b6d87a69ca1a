import Kernels
import MattePipeline
import Parameters
import RecordingStore
import Support

/// What a replay was a function of: the header of its digests.
package struct ReplayIdentity: Sendable {
  package var recordingID: String
  package var preset: String
  package var parameters: ParameterSet
  package var changes: [ParameterTimeline.Change]
  package var schedule: DepthSchedule
  /// Numbers of the recording's frame sets, none beyond its last; counted from its first, which is called `firstNumber`.
  package var order: PlayOrder
  /// See `ReplayPlan.firstNumber`.
  package var firstNumber: Int
  /// Frame sets of one pass. Nil where it is not known before: of a camera.
  package var frameCount: Int?
  /// What is behind the person, by its contents: "none" without one.
  package var background: String
  /// What made pixels of the recording's JPEG and the background's video: see `DecoderIdentity`. In no digest of parameters.
  package var decoders: [String]
  /// Of a network's masks; nil where none were made.
  package var masks: MaskIdentity?

  package init(
    recordingID: String, preset: String, parameters: ParameterSet, changes: ParameterTimeline = .none,
    schedule: DepthSchedule, order: PlayOrder = .everything, firstNumber: Int = 0, frameCount: Int?,
    background: String?, masks: MaskIdentity? = nil, decoders: [String] = []
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
    self.decoders = decoders
    self.schedule = schedule
    self.order = order
    self.firstNumber = firstNumber
    self.frameCount = frameCount
    self.background = background ?? DigestStage.none
  }

  /// XXH3-128 of preset, parameters, their changes, the background's contents and the network.
  package var parameterDigest: String {
    var text = "preset=\(preset)\n" + parameters.canonicalText + "background=\(background)\n"
    if let masks { text += "network=\(masks.network)\n" }
    for change in changes { text += "at=\(change.frame) \(change.name)=\(change.value)\n" }
    return Array(text.utf8).withRawBytes { Checksum.xxh3Hex128($0) }
  }
}
