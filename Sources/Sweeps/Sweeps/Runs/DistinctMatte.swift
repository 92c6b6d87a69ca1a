import FrameModel
import MattePipeline
import Parameters
import Replay

/// A matte that one or more settings have in common: what comes after it is nothing to scores.
struct DistinctMatte {
  /// Everything that leads to a matte.
  struct Origin: Hashable {
    /// A setting's, with what is done with its matte back at the defaults.
    let parameters: ParameterSet

    init(_ setting: ParameterSet) {
      var parameters = setting
      for declaration in Self.composite {
        // A default is a value that its parameter takes.
        try? parameters.set(declaration.name, to: declaration.defaultValue.description)
      }
      self.parameters = parameters
    }

    private static let composite = PipelineParameters.all.filter { $0.name.hasPrefix("composite.") }

    /// Those that are fed alike, and prepare frames alike, advance together.
    func group(_ order: PlayOrder, firstNumber: Int = 0) -> Group {
      let fixed = [
        PipelineParameters.registration, PipelineParameters.maskModel, PipelineParameters.maskQuality,
      ].map { parameters[$0] }
      return Group(
        plan: ReplayPlan(parameters, order: order, firstNumber: firstNumber),
        readsDepth: PipelineNeeds(parameters).needsDepth,
        lookAhead: parameters[PipelineParameters.lookAhead], fixed: fixed)
    }
  }

  struct Group: Hashable {
    let plan: ReplayPlan
    let readsDepth: Bool
    let lookAhead: Int
    let fixed: [String]
  }

  let origin: Origin
  /// Whose it is; none where only another one's lag is measured beside it.
  var settings: [Int]
  /// What its lag is measured beside; nil where it does not lag, or nobody asks.
  var reference: Origin?
}
