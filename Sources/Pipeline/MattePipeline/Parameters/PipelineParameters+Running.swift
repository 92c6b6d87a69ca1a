import Parameters

extension PipelineParameters {
  /// Parameters that name files. Digests and bundles identify these by content.
  package static let files = [mask.plate, mask.model, composite.background]

  /// Parameters that cannot change while frames pass, since memory or files depend on them.
  package static let fixedWhileRunning: Set<String> = Set([
    depth.registration.declaration.name, depth.decimation.declaration.name, depth.width.declaration.name,
    depth.lookAhead.declaration.name, mask.quality.declaration.name,
  ]).union(files.map(\.declaration.name))
}
