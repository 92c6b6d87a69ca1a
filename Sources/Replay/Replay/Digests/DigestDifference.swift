/// One thing in which a replay differs from the digests that were expected of it.
package enum DigestDifference: Hashable, Sendable {
  /// The first stage on the frame's way whose digests differ. `b` is the replay's, "none" where a stage made nothing.
  case frame(Int, stage: DigestStage, a: String, b: String)
  /// A frame that was expected did not come.
  case missingFrame(Int)
  /// A frame came that was not expected.
  case extraFrame(Int)
  /// A member of the headers.
  case header(field: String, a: String, b: String)

  /// Of a frame that both have; nil where it is the same in every stage.
  package init?(_ a: DigestLine, _ b: DigestLine) {
    guard let stage = DigestStage.allCases.first(where: { a[$0] != b[$0] }) else { return nil }
    self = .frame(a.frame, stage: stage, a: a[stage], b: b[stage])
  }

  package var sentence: String {
    switch self {
    case .frame(let frame, let stage, let a, let b):
      "Frame \(frame) differs, first in \(stage.rawValue): expected \(a), got \(b)."
    case .missingFrame(let frame): "Frame \(frame) was expected and did not come."
    case .extraFrame(let frame): "Frame \(frame) came and was not expected."
    case .header(let field, let a, let b): "The headers differ in \(field): expected \(a), got \(b)."
    }
  }
}
