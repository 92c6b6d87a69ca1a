/// A difference between a replay and its expected digests.
package enum DigestDifference: Hashable, Sendable {
  /// The first stage that differs: `a` is expected, `b` the replay's. "none" for no output.
  case frame(Int, stage: DigestStage, a: String, b: String)
  case missingFrame(Int)
  case extraFrame(Int)
  case header(field: String, a: String, b: String)

  package init?(_ a: DigestLine, _ b: DigestLine) {
    guard let stage = DigestStage.allCases.first(where: { a[$0] != b[$0] }) else { return nil }
    self = .frame(a.frame, stage: stage, a: a[stage], b: b[stage])
  }

  package var sentence: String {
    switch self {
    case .frame(let frame, let stage, let a, let b):
      "Frame \(frame) differs, first in \(stage.rawValue): expected \(a), got \(b)."
    case .missingFrame(let frame): "Frame \(frame) was expected, but is missing."
    case .extraFrame(let frame): "Frame \(frame) is present, but was not expected."
    case .header(let field, let a, let b): "The headers differ in \(field): expected \(a), got \(b)."
    }
  }
}
