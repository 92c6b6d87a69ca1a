import MattePipeline
import Parameters
import Replay
import Support

/// The reference for measuring a setting's lag: the same setting with immediate depth on every
/// frame, no faults, and no temporal smoothing.
package enum LagReference {
  private static let defaults = ParameterSet(ReplayParameters.all)

  /// - Returns: nil for a setting that does not lag, since it is its own reference.
  package static func parameters(of setting: ParameterSet) throws(RetakeError) -> ParameterSet? {
    var reference = setting
    for (name, value) in defaults.entries { try reference.set(name, to: value) }
    reference.reset(PipelineParameters.depth.temporal)
    reference.reset(PipelineParameters.depth.persistence)
    reference.reset(PipelineParameters.matte.temporal)
    return reference == setting ? nil : reference
  }
}
