import Parameters

/// In the order in which they act on a frame.
package enum PipelineParameters {
  package static let depth = DepthParameters()
  package static let mask = MaskParameters()
  package static let matte = MatteParameters()
  package static let composite = CompositeParameters()
  package static let all = depth.declarations + mask.declarations + matte.declarations + composite.declarations
}
