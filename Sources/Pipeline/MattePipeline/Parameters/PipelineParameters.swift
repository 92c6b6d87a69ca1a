import Parameters

/// In the order in which they act on a frame.
package enum PipelineParameters {
  package static let all = depthParameters + maskParameters + matteParameters + compositeParameters
}
