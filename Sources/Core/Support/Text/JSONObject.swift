/// A JSON object that keeps its keys in insertion order, so that its text is deterministic.
package struct JSONObject: Sendable {
  private var members: [String] = []

  package init() {}

  package init(_ members: KeyValuePairs<String, String>) {
    for (key, value) in members { add(key, value) }
  }

  package var text: String { "{" + members.joined(separator: ",") + "}" }

  package static func text(of values: [JSONObject]) -> String { "[" + values.map(\.text).joined(separator: ",") + "]" }

  private mutating func add(_ key: String, json: String) { members.append(Self.quote(key) + ":" + json) }

  package mutating func add(_ key: String, _ value: String) { add(key, json: Self.quote(value)) }
  package mutating func add(_ key: String, _ value: Int) { add(key, json: "\(value)") }
  package mutating func add(_ key: String, _ value: Bool) { add(key, json: value ? "true" : "false") }
  package mutating func add(_ key: String, _ value: Double) {
    add(key, json: value.isFinite ? "\(value)" : "null")
  }
  package mutating func add(_ key: String, _ value: JSONObject) { add(key, json: value.text) }
  package mutating func add(_ key: String, _ values: [JSONObject]) {
    add(key, json: Self.text(of: values))
  }
  package mutating func add(_ key: String, _ values: [String]) {
    add(key, json: "[" + values.map(Self.quote).joined(separator: ",") + "]")
  }

  /// Escapes what RFC 8259 requires, and what only a terminal or bidirectional text obeys: a name
  /// in a recording may come from a stranger.
  static func quote(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where scalar.isHarmfulToShow:
        result += "\\u" + scalar.value.zeroPadded(4, radix: 16)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
