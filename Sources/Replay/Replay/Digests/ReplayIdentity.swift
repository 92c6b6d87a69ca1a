import Kernels
import MattePipeline
import Parameters
import RecordingStore
import Support

/// Everything that a replay depends on, for the header of its digests.
package struct ReplayIdentity: Sendable {
  package var recordingID: String
  package var preset: String
  package var parameters: ParameterSet
  package var changes: [ParameterTimeline.Change]
  package var schedule: DepthSchedule
  /// Frame sets within the recording, counted from 0 at its first.
  package var order: PlayOrder
  package var firstNumber: Int
  /// Frame sets in one pass. Nil for a camera, where it is unknown in advance.
  package var frameCount: Int?
  package var background: String
  /// See `DecoderIdentity`. Not part of `parameterDigest`.
  package var decoders: [String]
  package var masks: MaskIdentity?

  package init(
    recordingID: String, preset: String, parameters: ParameterSet, changes: ParameterTimeline = .none,
    schedule: DepthSchedule, order: PlayOrder = .everything, firstNumber: Int = 0, frameCount: Int?,
    background: String?, masks: MaskIdentity? = nil, decoders: [String] = []
  ) {
    self.recordingID = recordingID
    self.preset = preset
    self.changes = changes.changes
    // Background and network are identified by content, not by path.
    self.parameters = parameters
    self.parameters.reset(PipelineParameters.composite.background)
    self.parameters.reset(PipelineParameters.mask.model)
    self.masks = masks
    self.decoders = decoders
    self.schedule = schedule
    self.order = order
    self.firstNumber = firstNumber
    self.frameCount = frameCount
    self.background = background ?? DigestStage.none
  }

  /// XXH3-128 of preset, parameters, changes, and the contents of background and network.
  package var parameterDigest: String {
    var text = "preset=\(preset)\n" + parameters.canonicalText + "background=\(background)\n"
    if let masks { text += "network=\(masks.network)\n" }
    for change in changes { text += "at=\(change.frame) \(change.name)=\(change.value)\n" }
    return Array(text.utf8).withRawBytes { Checksum.xxh3Hex128($0) }
  }
}
