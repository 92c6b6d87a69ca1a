import FrameModel
import Parameters
import Support

/// The first line of a file of digests: all that the replay was a function of, so that it can be made again where the
/// recording, and the files of its background and its network, are at hand.
package struct DigestHeader: Sendable {
  package static let format = "retake-digests-1"

  /// Of Retake.
  package var version: String
  /// The recording's id; "live" of a camera.
  package var recording: String
  package var preset: String
  package var parameterDigest: String
  /// "p/q".
  package var depthRate: String
  package var depthPhase: Int
  /// In the order of declaration. The files of background and network are not named: they count by their contents.
  package var parameters: [(name: String, value: String)]
  package var changes: [ParameterTimeline.Change]
  /// The lowest number of a frame set in the part that was played, as lines have it.
  package var firstFrame: Int
  /// Frame sets of one pass; nil where it was not known before.
  package var frameCount: Int?
  /// What the recording's first frame set is called; see `ReplayPlan.firstNumber`.
  package var firstNumber: Int
  /// Its frames count from 0 at the recording's first, and end at `Int.max` where the end was not known before.
  package var order: PlayOrder
  /// By contents; "none" without one.
  package var background: String
  /// Identity of the network, and of the masks it makes of this recording; "none" without one.
  package var network: String
  package var masks: String
  /// What made pixels outside of Retake; empty where nothing did. See `DecoderIdentity`.
  package var decoders: [String]

  package init(_ identity: ReplayIdentity) {
    version = RetakeVersion.current
    recording = identity.recordingID
    preset = identity.preset
    parameterDigest = identity.parameterDigest
    depthRate = identity.schedule.rate.description
    depthPhase = identity.schedule.phase
    parameters = identity.parameters.entries
    changes = identity.changes
    firstFrame = identity.order.frames.lowerBound + identity.firstNumber
    frameCount = identity.frameCount
    firstNumber = identity.firstNumber
    order = identity.order
    background = identity.background
    network = identity.masks?.network ?? DigestStage.none
    masks = identity.masks?.key ?? DigestStage.none
    decoders = identity.decoders
  }

  /// - Parameter frames: of the part that was played, counted from 0 at the recording's first.
  package init(
    version: String, recording: String, preset: String, parameterDigest: String, depthRate: String, depthPhase: Int,
    parameters: [(name: String, value: String)], changes: [ParameterTimeline.Change], frameCount: Int?,
    firstNumber: Int, order: PlayOrder, background: String, network: String, masks: String,
    decoders: [String] = []
  ) {
    self.version = version
    self.recording = recording
    self.preset = preset
    self.parameterDigest = parameterDigest
    self.depthRate = depthRate
    self.depthPhase = depthPhase
    self.parameters = parameters
    self.changes = changes
    firstFrame = order.frames.lowerBound + firstNumber
    self.frameCount = frameCount
    self.firstNumber = firstNumber
    self.order = order
    self.background = background
    self.network = network
    self.masks = masks
    self.decoders = decoders
  }

  /// What is usual is not written: a number of the first frame set that is 0, a part that is played forwards once.
  package var json: JSONObject {
    var header = JSONObject()
    header.add("format", Self.format)
    header.add("version", version)
    header.add("recording", recording)
    header.add("preset", preset)
    header.add("parameter_digest", parameterDigest)
    header.add("depth_rate", depthRate)
    header.add("depth_phase", depthPhase)
    header.add("first_frame", firstFrame)
    if let frameCount { header.add("frame_count", frameCount) }
    if firstNumber != 0 { header.add("first_number", firstNumber) }
    if !order.isPlain {
      var object = JSONObject()
      object.add("span", order.frames.count)
      object.add("every", order.every)
      object.add("reversed", order.isReversed)
      object.add("passes", order.passCount ?? 0)
      header.add("order", object)
    }
    var values = JSONObject()
    for (name, value) in parameters { values.add(name, value) }
    header.add("parameters", values)
    if !changes.isEmpty { header.add("changes", changes.map(Self.json)) }
    header.add("background", background)
    header.add("network", network)
    header.add("masks", masks)
    if !decoders.isEmpty { header.add("decoders", decoders) }
    return header
  }

  private static func json(_ change: ParameterTimeline.Change) -> JSONObject {
    var object = JSONObject()
    object.add("frame", change.frame)
    object.add("name", change.name)
    object.add("value", change.value)
    return object
  }
}

extension PlayOrder {
  /// Every frame set of the part, forwards, once.
  package var isPlain: Bool { every == 1 && !isReversed && passCount == 1 }
}
