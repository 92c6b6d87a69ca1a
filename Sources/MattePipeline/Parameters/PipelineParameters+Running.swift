import Parameters

extension PipelineParameters {
  /// Parameters that cannot change while frames pass: buffers, or what is read beside the frames, are prepared for them.
  package static let fixedWhileRunning: Set<String> = [
    "depth.rate", "depth.phase", registration.declaration.name, decimation.declaration.name,
    lookAhead.declaration.name, maskModel.declaration.name, maskQuality.declaration.name,
    background.declaration.name,
  ]
}
