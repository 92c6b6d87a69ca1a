import Parameters

/// What can be set about depth, masks, mattes and compositing, in the order in which it acts on a frame.
package enum PipelineParameters {
  package static let all = depthParameters + maskParameters + matteParameters + compositeParameters
}
