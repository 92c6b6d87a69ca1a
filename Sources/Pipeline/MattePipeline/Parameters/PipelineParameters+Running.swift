import Parameters

extension PipelineParameters {
  /// Parameters that cannot change while frames pass, since memory or files depend on them.
  package static let fixedWhileRunning: Set<String> = [
    depth.registration.declaration.name, depth.decimation.declaration.name, depth.width.declaration.name,
    depth.lookAhead.declaration.name, mask.model.declaration.name, mask.quality.declaration.name,
    composite.background.declaration.name,
  ]
}
