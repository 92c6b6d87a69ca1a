import Kernels
import MattePipeline
import Parameters
import Replay

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
