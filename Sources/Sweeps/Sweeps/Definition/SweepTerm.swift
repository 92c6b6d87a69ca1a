import FrameModel
import Parameters
import Support

/// The values to try of one parameter, together with their text.
package struct SweepTerm: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case scan
    case list
    case range
  }

  package let kind: Kind
  /// Such as "1..12:1" or "1/1,1/2".
  package let text: String
  package let dimension: SweepDimension

  package var name: String { dimension.declaration.name }

  package var words: [String] { ["--\(kind.rawValue)", "\(name)=\(text)"] }

  /// - Throws: `.usage` for values that the parameter does not take.
  package init(_ kind: Kind, _ assignment: String, _ declarations: [ParameterDeclaration]) throws(RetakeError) {
    self.kind = kind
    dimension =
      switch kind {
      case .scan: try .scan(assignment, declarations)
      case .list: try .list(assignment, declarations)
      case .range: try .range(assignment, declarations)
      }
    text = assignment.split(separator: "=", maxSplits: 1).dropFirst().first.map { $0.filter { $0 != " " } } ?? ""
  }

  /// - Parameter values: those of a list; exactly one text for a scan or a range.
  /// - Throws: `.usage` for values that the parameter does not take.
  package init(
    _ kind: Kind, _ values: [String], of declaration: ParameterDeclaration
  ) throws(RetakeError) {
    self.kind = kind
    if kind == .list {
      dimension = try .list(values, of: declaration)
      text = values.map { $0.filter { $0 != " " } }.joined(separator: ",")
      return
    }
    guard values.count == 1 else {
      throw RetakeError(
        .usage, "\(kind.rawValue) of \(declaration.name) takes one value, not a list.",
        hint: "put a list of values under \(Kind.list.rawValue)")
    }
    dimension =
      kind == .scan ? try .scan(values[0], of: declaration) : try .range(values[0], of: declaration)
    text = values[0].filter { $0 != " " }
  }
}
