import MattePipeline
import Parameters
import Support

/// Why a frame gives no picture, and what to do about it.
package struct MissingPicture: Hashable, Sendable {
  /// Without a full stop.
  package let reason: String
  package let hint: String
  package let isDamage: Bool

  private init(_ reason: String, hint: String, isDamage: Bool = false) {
    (self.reason, self.hint, self.isDamage) = (reason, hint, isDamage)
  }

  /// A frame that the pipeline skipped.
  /// - Parameters:
  ///   - hasDepth: whether depth had come by then.
  ///   - learnedFrameCount: depth frames that the empty scene was learned from; nil if that is not known.
  ///   - isLive: whether it is a running camera's.
  package init(skipped parameters: ParameterSet, hasDepth: Bool, learnedFrameCount: Int?, isLive: Bool = false) {
    isDamage = false
    let needs = PipelineNeeds(parameters)
    let plateFrames = PipelineParameters.mask.plateFrames.declaration.name
    if needs.needsDepth && !hasDepth {
      reason = "no depth has been delivered yet"
      hint = isLive ? "check the camera" : "go on to where depth begins"
    } else if needs.maskKinds.contains(.plate), parameters[PipelineParameters.mask.plate].isEmpty {
      let count = learnedFrameCount.map { $0 == 0 ? ", and none has come yet" : "; it has \($0) so far" } ?? ""
      reason = Self.learning(parameters) + count
      let step =
        isLive
        ? "keep the camera's view empty"
        : "go on, begin the range where the scene is empty, or set \(plateFrames) lower"
      hint =
        "\(step); if it never is, learn it from another recording with 'retake plate', or choose the preset desk, "
        + "which needs no empty scene"
    } else if parameters[PipelineParameters.composite.kind] == .faceColor {
      reason = Self.withoutFace + "none was detected up to here"
      hint = isLive ? "look into the camera" : "go on to where a face was detected"
    } else {
      reason = "there is no mask yet"
      hint = isLive ? "choose another mask.kind" : "go on, or choose another mask.kind"
    }
  }

  /// - Parameter error: of a recording that lacks depth, which the setting needs, or of a setting that lacks a network.
  package init(lacking error: RetakeError) {
    guard error.code == .unsupported else {
      self.init("no segmentation network is given", hint: error.hint.replacing("--set ", with: ""))
      return
    }
    self.init(
      String(error.message.dropLast()),
      hint: "choose the preset virtual-background and a network as mask.model, or avcam-filter with composite.mix 0")
  }

  /// - Parameter error: why a frame that was recorded cannot be read.
  package init(unread error: RetakeError) {
    self.init(String(error.message.dropLast()), hint: error.hint, isDamage: true)
  }

  /// A frame whose colour a replay leaves out.
  package static let undelivered = MissingPicture(
    "it is not delivered, since throttle or fault parameters leave it out",
    hint: "go on to the next one, or reset these parameters")

  package static func learning(_ parameters: ParameterSet) -> String {
    learning(frameCount: parameters[PipelineParameters.mask.plateFrames])
  }

  package static func learning(frameCount: Int) -> String {
    "mask.kind=plate first learns the empty scene from \(frameCount) depth frame\(frameCount == 1 ? "" : "s") without "
      + "a face"
  }

  package static let withoutFace =
    "composite.kind=\(CompositeKind.faceColor.rawValue) takes its colour from a face, and "
}
