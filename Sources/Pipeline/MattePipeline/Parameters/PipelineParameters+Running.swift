import Parameters

extension PipelineParameters {
  /// Parameters of the pipeline that cannot change while frames pass: buffers, or what is read beside the frames, are prepared
  /// for them.
  package static let fixedWhileRunning: Set<String> = [
    registration.declaration.name, decimation.declaration.name, depthWidth.declaration.name,
    lookAhead.declaration.name, maskModel.declaration.name, maskQuality.declaration.name,
    background.declaration.name,
  ]
}
