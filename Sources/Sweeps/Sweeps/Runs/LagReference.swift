import FrameModel
import MattePipeline
import Parameters
import Replay
import Support

/// What a setting's lag is measured beside: the same setting with depth at once and with every frame, nothing that goes wrong,
/// and nothing smoothed over time.
package enum LagReference {
  /// - Returns: nil for a setting that is its own reference: it does not lag.
  package static func parameters(of setting: ParameterSet) throws(RetakeError) -> ParameterSet? {
    var reference = setting
    // How a recording is fed goes back to how it was recorded.
    let defaults = ParameterSet(ReplayParameters.all)
    for (name, value) in defaults.entries { try reference.set(name, to: value) }
    reference.reset(PipelineParameters.temporal)
    reference.reset(PipelineParameters.persistence)
    reference.reset(PipelineParameters.temporalMatte)
    return reference == setting ? nil : reference
  }
}
