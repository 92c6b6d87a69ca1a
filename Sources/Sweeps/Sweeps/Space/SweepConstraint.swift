import Parameters
import Support

/// A condition on settings: a parameter compared with a value or with another parameter.
package struct SweepConstraint: Hashable, Sendable, CustomStringConvertible {
  enum Relation: String, CaseIterable {
    // Longer ones first, so that "<=" is not read as "<".
    case atMost = "<="
    case atLeast = ">="
    case equal = "=="
    case different = "!="
    case below = "<"
    case above = ">"
  }

  private enum Side: Hashable, Sendable {
    case parameter(String)
    case value(ParameterValue)
  }

  package let description: String
  private let left: String
  private let relation: Relation
  private let right: Side

  /// - Parameter text: such as "matte.open<matte.close" or "depth.rate!=1/1".
  /// - Throws: `.usage` for an unknown parameter, an invalid value, or "<" without an order.
  package init(_ text: String, _ declarations: [ParameterDeclaration]) throws(RetakeError) {
    description = text
    let stripped = text.filter { $0 != " " }
    guard let relation = Relation.allCases.first(where: { stripped.contains($0.rawValue) }),
      let place = stripped.range(of: relation.rawValue)
    else {
      throw RetakeError(
        .usage, "'\(text.shortened)' is not a comparison.",
        hint: "write as in 'matte.open<matte.close' or 'depth.rate!=1/2'; there are "
          + Relation.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self.relation = relation
    let declaration = try declarations.named(String(stripped[..<place.lowerBound]))
    left = declaration.name
    let word = String(stripped[place.upperBound...])
    var isOrdered = declaration.hasOrder
    if let other = declarations.first(where: { $0.name == word }) {
      right = .parameter(word)
      isOrdered = isOrdered && other.hasOrder
    } else {
      // A number begins with no letter, so this is a mistyped name.
      if declaration.hasOrder, word.first?.isLetter == true { _ = try declarations.named(word) }
      right = .value(try declaration.value(parsing: word))
    }
    guard isOrdered || [.equal, .different].contains(relation) else {
      throw RetakeError(
        .usage, "\(left) cannot be compared with '\(relation.rawValue)': its values have no order.",
        hint: "compare it with == or !=")
    }
  }

  package func holds(_ setting: ParameterSet) -> Bool {
    guard let a = setting.value(named: left) else { return false }
    let b: ParameterValue? =
      switch right {
      case .parameter(let name): setting.value(named: name)
      case .value(let value): value
      }
    guard let b else { return false }
    switch relation {
    case .equal: return Self.areEqual(a, b)
    case .different: return !Self.areEqual(a, b)
    case .below: return Self.isBelow(a, b)
    case .atLeast: return !Self.isBelow(a, b)
    case .above: return Self.isBelow(b, a)
    case .atMost: return !Self.isBelow(b, a)
    }
  }

  private static func areEqual(_ a: ParameterValue, _ b: ParameterValue) -> Bool {
    guard let x = a.number, let y = b.number else { return a == b }
    return x.top * y.bottom == y.top * x.bottom
  }

  private static func isBelow(_ a: ParameterValue, _ b: ParameterValue) -> Bool {
    guard let x = a.number, let y = b.number else { return false }
    return x.top * y.bottom < y.top * x.bottom
  }
}

extension ParameterDeclaration {
  fileprivate var hasOrder: Bool {
    switch domain {
    case .integer, .real, .fraction: true
    default: false
    }
  }
}

extension ParameterValue {
  /// A fraction of doubles, exact for every parameter's value; nil if it is not a number.
  fileprivate var number: (top: Double, bottom: Double)? {
    switch self {
    case .integer(let value): (Double(value), 1)
    case .real(let value): (value, 1)
    case .fraction(let value): (Double(value.numerator), Double(value.denominator))
    default: nil
    }
  }
}
