import FrameModel
import Parameters
import Rendering

extension ReplayRequest {
  /// What a header speaks of. Parameters that it lacks, being older than they are, are at their defaults; the files of background
  /// and network have to be set, as the header knows them by their contents alone.
  /// - Throws: `.unsupported` for a parameter or a value that this version does not have.
  package init(_ header: DigestHeader) throws(RetakeError) {
    var parameters = ParameterSet(ReplaySession.declarations)
    for (name, value) in header.parameters {
      try Self.understanding(header) { () throws(RetakeError) in try parameters.set(name, to: value) }
    }
    self.init(
      preset: header.preset, parameters: parameters,
      changes: try Self.understanding(header) { () throws(RetakeError) in
        try ParameterTimeline(from: parameters, header.changes.map { ($0.frame, "\($0.name)=\($0.value)") })
      }, order: header.order, firstNumber: header.firstNumber)
  }

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
