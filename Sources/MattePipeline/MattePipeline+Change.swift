import FrameModel
import Parameters

extension MattePipeline {
  /// A place holder until the pipeline can.
  package func change(to parameters: ParameterSet, at index: Int) throws(RetakeError) {
    throw RetakeError(.unsupported, "Parameters cannot change while frames pass.")
  }
}
