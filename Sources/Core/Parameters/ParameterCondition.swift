import Support

/// What other parameters must be for a parameter to have an effect.
package struct ParameterCondition: Sendable {
  /// One way in which the condition holds.
  package struct Way: Sendable {
    package enum Test: Sendable {
      case isOne(of: [String])
      case isNone(of: [String])
      case isAbove(Double)
      case isBelow(Double)
    }
    package let name: String
    package let test: Test
  }

  /// For people: "mask.kind=face".
  package let text: String
  package let ways: [Way]

  package init(_ text: String, anyOf names: String..., test: Way.Test) {
    self.init(text, anyOf: names.map { ($0, test) })
  }

  package init(_ text: String, anyOf ways: [(String, Way.Test)]) {
    self.text = text
    self.ways = ways.map { Way(name: $0.0, test: $0.1) }
  }

  package func holds(in values: ParameterSet) -> Bool {
    ways.contains { way in
      guard let value = values.value(named: way.name)?.description else { return false }
      let number = Double(value)
      return switch way.test {
      case .isOne(let others): others.contains(value)
      case .isNone(let others): !others.contains(value)
      case .isAbove(let limit): number.map { $0 > limit } ?? false
      case .isBelow(let limit): number.map { $0 < limit } ?? false
      }
    }
  }

  package var json: JSONObject {
    JSONObject([
      "text": text,
      "ways": ways.map { way in
        var object = JSONObject(["name": way.name])
        switch way.test {
        case .isOne(let values): object.add("is", values)
        case .isNone(let values): object.add("not", values)
        case .isAbove(let limit): object.add("above", limit)
        case .isBelow(let limit): object.add("below", limit)
        }
        return object
      },
    ])
  }
}
