import Parameters

extension PipelineParameters {
  /// Parameters that cannot change while frames pass, since memory or files depend on them.
  package static let fixedWhileRunning: Set<String> = [
    registration.declaration.name, decimation.declaration.name, depthWidth.declaration.name,
    lookAhead.declaration.name, maskModel.declaration.name, maskQuality.declaration.name,
    background.declaration.name,
  ]
}
