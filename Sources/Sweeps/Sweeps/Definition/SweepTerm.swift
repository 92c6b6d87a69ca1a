import Parameters
import Support

/// The values to try of one parameter, together with their text.
package struct SweepTerm: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case scan
    case list
    case range

    fileprivate var example: String {
      switch self {
      case .scan: "1..12:1, or 1..16:*2 to multiply in each step"
      case .list: "1,2,3"
      case .range: "0.1..0.9"
      }
    }
  }

  package let kind: Kind
  /// Such as "1..12:1" or "1/1,1/2".
  package let text: String
  package let dimension: SweepDimension

  package var name: String { dimension.declaration.name }

  package var words: [String] { ["--\(kind.rawValue)", "\(name)=\(text)"] }

  /// Parses the text of an option, such as "matte.blur=1..12:1".
  /// - Throws: `.usage` for values that the parameter does not take.
  package init(_ kind: Kind, _ assignment: String, _ declarations: [ParameterDeclaration]) throws(RetakeError) {
    let halves = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard halves.count == 2 else {
      let known = declarations.first { $0.name == assignment } ?? declarations.first { $0.name == "matte.blur" }
      let example = (known ?? declarations.first)?.name ?? "NAME"
      throw RetakeError(
        .usage, "'\(assignment.shortened)' does not give a parameter and its values.",
        hint: "write \(example)=\(kind.example)")
    }
    let isList = kind == .list
    let values =
      isList ? halves[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init) : [halves[1]]
    try self.init(kind, values, of: declarations.named(halves[0]))
  }

  /// - Parameter values: those of a list; exactly one text for a scan or a range.
  /// - Throws: `.usage` for values that the parameter does not take.
  package init(
    _ kind: Kind, _ values: [String], of declaration: ParameterDeclaration
  ) throws(RetakeError) {
    self.kind = kind
    if kind == .list {
      do throws(RetakeError) {
        dimension = try .list(values, of: declaration)
      } catch {
        guard values.count == 1, values[0].contains("..") else { throw error }
        let (name, range) = (declaration.name, values[0].shortened)
        throw RetakeError(
          .usage, error.message,
          hint: values[0].contains(":")
            ? "for steps through a range, write --scan \(name)=\(range)"
            : "for a range, write --scan \(name)=\(range):STEP, or --range \(name)=\(range) to draw from it")
      }
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
