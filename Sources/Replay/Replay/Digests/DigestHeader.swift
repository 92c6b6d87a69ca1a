import Kernels
import MattePipeline
import Parameters
import RecordingStore
import Support

/// The first line of a file of digests: everything that the replay depends on. It can be repeated
/// with this, the recording, and the files of background, plate and network.
package struct DigestHeader: Sendable {
  package static let format = "retake-digests-1"

  package var version: String
  /// Of the pipeline; nil for files of programs that had none.
  package var pipelineRevision: Int?
  /// The recording's id, or "live" for a camera.
  package var recording: String
  package var preset: String
  /// XXH3-128 of what determines the output, besides the recording, its alignment, and `decoders`.
  package var parameterDigest: String
  package var depthRate: String
  package var depthPhase: Int
  /// In order of declaration, without paths: files are identified by content.
  package var parameters: [(name: String, value: String)]
  package var changes: [ParameterTimeline.Change]
  /// Frame sets in one pass; nil when unknown in advance.
  package var frameCount: Int?
  /// Number of the recording's first frame set; see `ReplayPlan.firstNumber`.
  package var firstNumber: Int
  /// Counts frames from 0 at the recording's first. Ends at `Int.max` when unknown in advance.
  package var order: PlayOrder
  package var background: String
  /// Identity of the file of an empty scene; nil without one.
  package var plate: String?
  /// Identities of the network and of its masks of this recording, or "none".
  package var network: String
  package var masks: String
  /// External decoders: see `DecoderIdentity`.
  package var decoders: [String]
  /// By how much the recording's stored alignment moves depth, such as "2 3", and which calibration was
  /// given for it later, such as "calibration 0123456789abcdef"; nil without both.
  package var alignment: String?

  package init(
    version: String, pipelineRevision: Int? = nil, recording: String, preset: String, parameterDigest: String,
    depthRate: String, depthPhase: Int, parameters: [(name: String, value: String)],
    changes: [ParameterTimeline.Change], frameCount: Int?, firstNumber: Int, order: PlayOrder, background: String,
    plate: String? = nil, network: String, masks: String, decoders: [String] = [], alignment: String? = nil
  ) {
    (self.version, self.pipelineRevision, self.recording) = (version, pipelineRevision, recording)
    (self.preset, self.parameterDigest, self.depthRate) = (preset, parameterDigest, depthRate)
    (self.depthPhase, self.parameters, self.changes) = (depthPhase, parameters, changes)
    (self.frameCount, self.firstNumber, self.order) = (frameCount, firstNumber, order)
    (self.background, self.network, self.masks, self.decoders) = (background, network, masks, decoders)
    (self.plate, self.alignment) = (plate, alignment)
  }

  /// Lowest frame set number of the played part, as digest lines number it.
  package var firstFrame: Int { order.frames.lowerBound + firstNumber }

  /// Omits defaults: a first number of 0, and a plain order.
  package var json: JSONObject {
    JSONObject([
      "format": Self.format,
      "version": version,
      "pipeline_revision": pipelineRevision,
      "recording": recording,
      "preset": preset,
      "parameter_digest": parameterDigest,
      "depth_rate": depthRate,
      "depth_phase": depthPhase,
      "first_frame": firstFrame,
      "frame_count": frameCount,
      "first_number": firstNumber == 0 ? nil : firstNumber,
      "order": order.isPlain ? nil : order.json,
      "parameters": JSONObject(pairs: parameters.map { ($0.name, $0.value) }),
      "changes": changes.isEmpty
        ? nil : changes.map { JSONObject(["frame": $0.frame, "name": $0.name, "value": $0.value]) },
      "background": background,
      "plate": plate,
      "network": network,
      "masks": masks,
      "decoders": decoders.isEmpty ? nil : decoders,
      "alignment": alignment,
    ])
  }
}

extension DigestHeader {
  /// The header of this version's digests.
  /// - Parameters:
  ///   - parameters: at the first frame.
  ///   - order: counts frame sets from 0 at the recording's first.
  ///   - frameCount: nil for a camera, where it is unknown in advance.
  ///   - background, plate: the identities of their contents; nil for none.
  ///   - alignment: by how much the recording's stored alignment moves depth.
  ///   - calibration: the recording's `calibrationKey`.
  package init(
    recordingID: String, preset: String, parameters: ParameterSet, changes: ParameterTimeline = .none,
    schedule: DepthSchedule, order: PlayOrder = .everything, firstNumber: Int = 0, frameCount: Int?,
    background: String?, plate: String? = nil, masks: MaskIdentity? = nil, decoders: [String] = [],
    alignment: DepthShift = .none,
    calibration: String? = nil
  ) {
    // Files are identified by content, not by path.
    var parameters = parameters
    for file in PipelineParameters.files { parameters.reset(file) }
    let background = background ?? DigestStage.none
    self.init(
      version: RetakeVersion.current, pipelineRevision: PipelineRevision.current, recording: recordingID,
      preset: preset, parameterDigest: Self.digest(preset, parameters, changes.changes, background, plate, masks),
      depthRate: schedule.rate.description, depthPhase: schedule.phase, parameters: parameters.entries,
      changes: changes.changes, frameCount: frameCount, firstNumber: firstNumber, order: order,
      background: background, plate: plate, network: masks?.network ?? DigestStage.none,
      masks: masks?.key ?? DigestStage.none,
      decoders: decoders, alignment: Self.alignment(alignment, calibration))
  }

  private static func alignment(_ shift: DepthShift, _ calibration: String?) -> String? {
    let words = [shift == .none ? nil : "\(shift.x) \(shift.y)", calibration.map { "calibration \($0)" }]
    let told = words.compactMap { $0 }
    return told.isEmpty ? nil : told.joined(separator: " ")
  }

  /// XXH3-128 of preset, parameters, changes, and the contents of background, plate and network.
  private static func digest(
    _ preset: String, _ parameters: ParameterSet, _ changes: [ParameterTimeline.Change], _ background: String,
    _ plate: String?, _ masks: MaskIdentity?
  ) -> String {
    var text = "preset=\(preset)\n" + parameters.canonicalText + "background=\(background)\n"
    if let plate { text += "plate=\(plate)\n" }
    if let masks { text += "network=\(masks.network)\n" }
    for change in changes { text += "at=\(change.frame) \(change.name)=\(change.value)\n" }
    return Array(text.utf8).withRawBytes { Checksum.xxh3Hex128($0) }
  }
}

extension PlayOrder {
  /// Whether every frame set of the part is played, forwards, once.
  package var isPlain: Bool { every == 1 && !isReversed && passCount == 1 }

  fileprivate var json: JSONObject {
    JSONObject(["span": frames.count, "every": every, "reversed": isReversed, "passes": passCount ?? 0])
  }
}
