import Parameters
import Support

extension ReplayRequest {
  /// Restores a request from a header. Parameters that it lacks keep their defaults. So do those
  /// that name files, since the header may be untrusted; the caller sets them.
  /// - Parameter stages: those of another program that are at hand.
  /// - Throws: `.unsupported` for an unknown parameter or value, or for a stage that is not at hand;
  ///   `.corrupt` for a change of a file.
  package init(_ header: DigestHeader, stages: [OutsideStage] = []) throws(RetakeError) {
    if let change = header.changes.first(where: { Self.namesOfFiles.contains($0.name) }) {
      throw RetakeError(
        .corrupt, "The digests' header refers to a local file, in a change of \(change.name).",
        hint: "write the digests again with 'retake replay REC --output digests:FILE'")
    }
    try header.checkStages(stages)
    let unused = header.unusedStages
    var parameters = ParameterSet(try ReplaySession.declarations(with: stages))
    for (name, value) in header.parameters where !Self.namesOfFiles.contains(name) {
      if unused.contains(where: { name.hasPrefix($0) }) { continue }
      try Self.understanding(header) { () throws(RetakeError) in try parameters.set(name, to: value) }
    }
    self.init(
      preset: header.preset, parameters: parameters,
      changes: try Self.understanding(header) { () throws(RetakeError) in
        try ParameterTimeline(from: parameters, header.changes.map { ($0.frame, "\($0.name)=\($0.value)") })
      }, order: header.order, firstNumber: header.firstNumber)
  }

  package static let namesOfFiles = Set(ReplaySession.declarations.filter { $0.domain == .path }.map(\.name))

  /// Rethrows usage errors as `.unsupported`, since the header is not the user's input.
  private static func understanding<Result>(
    _ header: DigestHeader, _ body: () throws(RetakeError) -> Result
  ) throws(RetakeError) -> Result {
    do throws(RetakeError) { return try body() } catch {
      throw RetakeError(
        .unsupported, "Digests of version \(header.version) cannot be reproduced: \(error.message)",
        hint: "use the version of Retake that wrote them; this is version \(RetakeVersion.current)")
    }
  }
}
