import Scores
import Support

/// A measure with a bound, such as "flicker<1".
package struct SweepLimit: Hashable, Sendable, CustomStringConvertible {
  package enum Relation: String, Hashable, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  package var measure: SweepMeasure
  package var relation: Relation
  package var bound: Double

  /// Nil for text without a comparison.
  /// - Throws: `.usage` for an invalid comparison.
  init?(_ text: String) throws(RetakeError) {
    let text = text.trimmed
    guard let sign = text.firstIndex(where: { "<>=".contains($0) }) else { return nil }
    let signs = text[sign...].prefix { "<>=".contains($0) }
    guard let relation = Relation(rawValue: String(signs)) else {
      throw RetakeError(
        .usage, "'\(String(signs).shortened)' in '\(text.shortened)' is not a comparison.",
        hint: "write <, <=, > or >=, as in flicker<1")
    }
    let number = String(text[signs.endIndex...]).trimmed
    guard let bound = Self.number(number) else {
      throw RetakeError(
        .usage, "'\(number.shortened)' in '\(text.shortened)' is not a number.",
        hint: "write a decimal number, as in flicker<1")
    }
    measure = try SweepMeasure(String(text[..<sign]).trimmed)
    guard measure != .unsupervised else {
      throw RetakeError(
        .usage, "'\(text.shortened)' limits a rank, which depends on the other settings.",
        hint: "limit a score, and choose by the rank, as in 'flicker<1,unsupervised'")
    }
    (self.relation, self.bound) = (relation, bound)
  }

  /// A value for people: of 6 decimals, unless the rounded number would be on the other side of the bound.
  func rounded(_ value: Double) -> String {
    let text = Figure.json(value, 6)
    return Double(text).map(holds) == holds(value) ? text : "\(value)"
  }

  package func holds(_ value: Double) -> Bool {
    switch relation {
    case .less: value < bound
    case .lessOrEqual: value <= bound
    case .greater: value > bound
    case .greaterOrEqual: value >= bound
    }
  }

  var wantsLower: Bool { relation == .less || relation == .lessOrEqual }

  package var description: String { "\(measure.name)\(relation.rawValue)\(bound)" }

  static func scores(_ measures: [SweepMeasure]) -> [ScoreKind] {
    measures.flatMap(\.scores).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// A decimal number. Swift alone would accept "nan", "inf" and "0x1p3" too.
  private static func number(_ text: String) -> Double? {
    guard text.utf8.count <= 64, text.utf8.allSatisfy({ (48...57).contains($0) || "+-.eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }
}

extension String {
  var trimmed: String {
    var part = self[...]
    while part.first == " " { part.removeFirst() }
    while part.last == " " { part.removeLast() }
    return String(part)
  }
}
