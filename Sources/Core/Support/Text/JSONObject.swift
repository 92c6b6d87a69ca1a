/// A JSON object with its keys in the order they were added, written the same way every time.
package struct JSONObject: Sendable {
  private var members: [String] = []

  package init() {}

  /// Text members, in the order given.
  package init(_ members: KeyValuePairs<String, String>) {
    for (key, value) in members { add(key, value) }
  }

  package var text: String { "{" + members.joined(separator: ",") + "}" }

  /// A list of objects.
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

  /// RFC 8259: quotation mark, backslash and control characters are escaped. So are those that only a terminal or a
  /// bidirectional text obeys: a name in a recording may come from a stranger.
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
