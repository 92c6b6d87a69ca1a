import FrameModel
import Parameters
import Support

extension ReplayRequest {
  /// What a header speaks of. Parameters that it lacks, being older than they are, are at their defaults; so are those that name
  /// files, whatever it says: it may come from a stranger, and knows background and network by their contents alone. Whoever
  /// has the files sets them.
  /// - Throws: `.unsupported` for a parameter or a value that this version does not have, `.corrupt` for a change of a file.
  package init(_ header: DigestHeader) throws(RetakeError) {
    if let change = header.changes.first(where: { Self.namesOfFiles.contains($0.name) }) {
      throw RetakeError(
        .corrupt, "The digests' header names a file of this machine, in \(change.name).",
        hint: "write the digests anew with 'retake replay REC --output digests:FILE'")
    }
    var parameters = ParameterSet(ReplaySession.declarations)
    for (name, value) in header.parameters where !Self.namesOfFiles.contains(name) {
      try Self.understanding(header) { () throws(RetakeError) in try parameters.set(name, to: value) }
    }
    self.init(
      preset: header.preset, parameters: parameters,
      changes: try Self.understanding(header) { () throws(RetakeError) in
        try ParameterTimeline(from: parameters, header.changes.map { ($0.frame, "\($0.name)=\($0.value)") })
      }, order: header.order, firstNumber: header.firstNumber)
  }

  /// Parameters whose values are files.
  package static let namesOfFiles = Set(ReplaySession.declarations.filter { $0.domain == .path }.map(\.name))

  /// What is wrong with a header is nobody's usage.
  private static func understanding<Result>(
    _ header: DigestHeader, _ body: () throws(RetakeError) -> Result
  ) throws(RetakeError) -> Result {
    do throws(RetakeError) { return try body() } catch {
      throw RetakeError(
        .unsupported, "Digests of version \(header.version) cannot be made again: \(error.message)",
        hint: "take the version of Retake that wrote them; this is \(RetakeVersion.current)")
    }
  }
}
