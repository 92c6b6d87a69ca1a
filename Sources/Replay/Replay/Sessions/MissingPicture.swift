import MattePipeline
import Parameters
import Support

/// Why a frame gives no picture, and what to do about it.
package struct MissingPicture: Hashable, Sendable {
  /// Without a full stop.
  package let reason: String
  package let hint: String

  private init(_ reason: String, hint: String) { (self.reason, self.hint) = (reason, hint) }

  /// A frame that the pipeline skipped.
  /// - Parameters:
  ///   - hasDepth: whether depth had come by then.
  ///   - learnedFrameCount: depth frames that the empty scene was learned from; nil if that is not known.
  package init(skipped parameters: ParameterSet, hasDepth: Bool, learnedFrameCount: Int?) {
    let needs = PipelineNeeds(parameters)
    if needs.needsDepth && !hasDepth {
      self.init("no depth has been delivered yet", hint: "go on to where depth begins")
    } else if needs.maskKinds.contains(.plate), parameters[PipelineParameters.mask.plate].isEmpty {
      let count = learnedFrameCount.map { $0 == 0 ? ", and none has come yet" : "; it has \($0) so far" } ?? ""
      self.init(
        Self.learning(parameters) + count,
        hint: "go on, begin the range where the scene is empty, or set "
          + "\(PipelineParameters.mask.plateFrames.declaration.name) lower; the preset desk needs no empty scene")
    } else if parameters[PipelineParameters.composite.kind] == .faceColor {
      self.init(Self.withoutFace + "none was detected up to here", hint: "go on to where a face was detected")
    } else {
      self.init("there is no mask yet", hint: "go on, or choose another mask.kind")
    }
  }

  /// A frame whose colour a replay leaves out.
  package static let undelivered = MissingPicture(
    "this frame is not delivered: throttle or fault parameters leave it out",
    hint: "go on to the next one, or reset these parameters")

  package static func learning(_ parameters: ParameterSet) -> String {
    let count = parameters[PipelineParameters.mask.plateFrames]
    return "mask.kind=plate first learns the empty scene from \(count) depth frame\(count == 1 ? "" : "s") without "
      + "a face"
  }

  package static let withoutFace =
    "composite.kind=\(CompositeKind.faceColor.rawValue) takes its colour from a face, and "
}
