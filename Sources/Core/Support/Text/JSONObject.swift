/// A JSON object that keeps its keys in insertion order, so that its text is deterministic.
package struct JSONObject: Sendable {
  private var members: [String] = []

  package init() {}

  /// - Parameter members: those that are nil are left out.
  package init(_ members: KeyValuePairs<String, (any JSONValue)?>) { add(members) }

  package init(pairs: [(name: String, value: any JSONValue)]) {
    for (name, value) in pairs { add(name, value) }
  }

  /// The object that a command prints, with the version of its format first. The version is raised when a member is
  /// removed or changes its meaning; new members keep it.
  package var versioned: JSONObject {
    var object = JSONObject(["format_version": 1])
    object.members += members
    return object
  }

  package var text: String { "{" + members.joined(separator: ",") + "}" }

  /// - Parameter members: those that are nil are left out.
  package mutating func add(_ members: KeyValuePairs<String, (any JSONValue)?>) {
    for case (let key, let value?) in members { add(key, value) }
  }

  package mutating func add(_ key: String, _ value: any JSONValue) {
    members.append(Self.quote(key) + ":" + value.jsonText)
  }

  /// Escapes the characters that RFC 8259 requires, and those that control a terminal or the text
  /// direction, since names in a recording are untrusted.
  static func quote(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      return "\"\(text)\""
    }
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

/// A value that a JSON object can hold.
package protocol JSONValue {
  var jsonText: String { get }
}

extension JSONObject: JSONValue {
  package var jsonText: String { text }
}

extension String: JSONValue {
  package var jsonText: String { JSONObject.quote(self) }
}

extension Int: JSONValue {
  package var jsonText: String { "\(self)" }
}

extension Bool: JSONValue {
  package var jsonText: String { self ? "true" : "false" }
}

extension Double: JSONValue {
  package var jsonText: String { isFinite ? "\(self)" : "null" }
}

extension Array: JSONValue where Element: JSONValue {
  package var jsonText: String { "[" + map(\.jsonText).joined(separator: ",") + "]" }
}
