import MattePipeline
import Parameters
import RecordingStore
import Replay

/// Why no frame of a replay gave a picture, and what to do about it.
struct MissingPictures {
  let reason: String
  let hint: String

  private init(_ reason: String, hint: String) { (self.reason, self.hint) = (reason, hint) }

  init(_ counts: ReplayCounts, _ segmenter: KeptSegmenter?, _ session: ReplaySession) {
    let parameters = session.request.parameters
    let needs = PipelineNeeds(parameters)
    if needs.needsDepth && counts.depthDelivered == 0 {
      self = Self.depth(counts)
    } else if let segmenter, segmenter.counts.failed > 0, segmenter.counts.failed >= counts.video {
      self.init("\(segmenter.model) failed on all of them", hint: "choose another network with mask.model")
    } else if needs.maskKinds.contains(.plate) {
      self = Self.plate(parameters, counts, learnedFrameCount: session.learnedFrameCount)
    } else if parameters[PipelineParameters.composite.kind] == .faceColor {
      self = Self.faces(session.recording)
    } else {
      self.init("they have no mask", hint: "play more of the recording, or choose another mask.kind")
    }
  }

  /// The reason when the frames come from cameras; nil if the frame counts explain it already.
  static func live(_ parameters: ParameterSet) -> MissingPictures? {
    if PipelineNeeds(parameters).maskKinds.contains(.plate) {
      return MissingPictures(
        MissingPicture.learning(parameters), hint: "keep the camera's view empty until pictures appear")
    }
    guard parameters[PipelineParameters.composite.kind] == .faceColor else { return nil }
    return MissingPictures(
      MissingPicture.withoutFace + "none was detected", hint: "look into the camera; --faces selects the detector")
  }

  private static func depth(_ counts: ReplayCounts) -> MissingPictures {
    MissingPictures(
      "none of them has depth",
      hint: counts.depthDropped > 0
        ? "set fault.depth-drop lower" : "play more of the recording, or set depth.rate higher")
  }

  /// - Parameter learnedFrameCount: depth frames without a face.
  private static func plate(
    _ parameters: ParameterSet, _ counts: ReplayCounts, learnedFrameCount: Int
  ) -> MissingPictures {
    guard learnedFrameCount > 0 else {
      return MissingPictures(
        MissingPicture.learning(parameters) + ", and all \(counts.depthDelivered) have one",
        hint: "--preset desk needs no empty scene; or record the empty scene, learn it with 'retake plate "
          + "EMPTY.retake -o FILE', and use it with --set \(mask.plate.declaration.name)=FILE")
    }
    return MissingPictures(
      MissingPicture.learning(parameters) + ", and \(learnedFrameCount) of \(counts.depthDelivered) have none",
      hint: "set \(mask.plateFrames.declaration.name) to \(learnedFrameCount) or lower, or play a "
        + "part that shows the empty scene first")
  }

  private static let mask = PipelineParameters.mask

  private static func faces(_ recording: Recording) -> MissingPictures {
    let path = recording.folder.path
    let summary = try? recording.summary()
    if summary?.faceFrameCount ?? 0 > 0 {
      return MissingPictures(
        MissingPicture.withoutFace + "none was detected in the played part",
        hint: "play another part of \(path), or all of it")
    }
    guard let detector = summary?.faces.first(where: { $0.lookedCount > 0 })?.detector else {
      return MissingPictures(
        MissingPicture.withoutFace + "no detector has been run on \(path)", hint: "'retake faces \(path)' detects faces"
      )
    }
    return MissingPictures(
      MissingPicture.withoutFace + "none was detected in \(path) by \(detector)",
      hint: "'retake faces \(path) \(Recording.otherDetector(than: detector)) --replace' runs another detector")
  }
}
