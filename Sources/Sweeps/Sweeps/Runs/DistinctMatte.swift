import Kernels
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support

/// A matte shared by one or more settings. Scores depend on the matte only, not on later stages.
struct DistinctMatte {
  struct Origin: Hashable {
    /// The setting's parameters, with those of the composite reset to their defaults.
    let parameters: ParameterSet

    init(_ setting: ParameterSet) {
      var parameters = setting
      for declaration in Self.composite {
        // Cannot fail: a default is a valid value of its parameter.
        try? parameters.set(declaration.name, to: declaration.defaultValue.description)
      }
      self.parameters = parameters
    }

    private static let composite = PipelineParameters.composite.declarations

    /// - Throws: `.unsupported` if the matte needs depth, which the recording lacks.
    func checkDepth(of recording: Recording) throws(RetakeError) {
      guard PipelineNeeds(parameters).needsDepth, recording.firstStream(.depth) == nil else { return }
      throw RetakeError(
        .unsupported,
        "\(recording.folder.path) has no depth stream, which this setting needs for "
          + "\(PipelineNeeds.depthParameter(parameters) ?? "its mask").", hint: PipelineNeeds.withoutDepthHint)
    }

    /// Settings with the same group share input frames and their preparation.
    func group(_ order: PlayOrder, firstNumber: Int = 0) -> Group {
      Group(
        plan: ReplayPlan(parameters, order: order, firstNumber: firstNumber),
        readsDepth: PipelineNeeds(parameters).needsDepth,
        lookAhead: parameters[PipelineParameters.depth.lookAhead],
        registration: parameters[PipelineParameters.depth.registration],
        network: NetworkChoice(parameters), plate: parameters[PipelineParameters.mask.plate])
    }
  }

  struct Group: Hashable {
    let plan: ReplayPlan
    let readsDepth: Bool
    let lookAhead: Int
    let registration: DepthConverter.Viewpoint
    let network: NetworkChoice
    /// The file of an empty scene.
    let plate: String
  }

  let origin: Origin
  var settings: [Int]
  /// The lag reference; nil if the matte does not lag or lag is not measured.
  var reference: Origin?
}
