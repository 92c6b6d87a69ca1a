import Support

/// A parameter's declaration, which the command line, YAML files, sweeps and listings all use.
package struct ParameterDeclaration: Hashable, Sendable {
  package enum Domain: Hashable, Sendable {
    case integer(ClosedRange<Int>)
    case real(ClosedRange<Double>)
    case flag
    case fraction
    case choice([String])
    /// The path of a file; empty for none.
    case path
    case color
  }

  /// Dotted: "matte.blur".
  package let name: String
  /// "m", "px", or empty.
  package let unit: String
  package let domain: Domain
  package let defaultValue: ParameterValue
  /// One line.
  package let help: String

  /// The domain for people: "0 to 64", "p/q with 0 < p/q ≤ 1".
  package var rangeText: String {
    switch domain {
    case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .real(let range):
      "\(ParameterValue.real(range.lowerBound)) to \(ParameterValue.real(range.upperBound))"
    case .flag: "true, false"
    case .fraction: "p/q with 0 < p/q ≤ 1"
    case .choice(let choices): choices.joined(separator: ", ")
    case .path: "a file"
    case .color: "#rrggbb"
    }
  }

  /// - Throws: `.usage` naming the nearest valid value.
  package func value(parsing text: String) throws(RetakeError) -> ParameterValue {
    switch domain {
    case .integer(let range):
      guard let number = Int(text) else { throw invalid(text, "is not a whole number") }
      guard range.contains(number) else { throw outOfRange(text, nearest: "\(range.clamp(number))") }
      return .integer(number)
    case .real(let range):
      guard let number = Double(text), number.isFinite else { throw invalid(text, "is not a number") }
      guard range.contains(number) else {
        throw outOfRange(text, nearest: ParameterValue.real(range.clamp(number)).description)
      }
      return .real(number)
    case .flag:
      switch text {
      case "true", "yes", "on", "1": return .flag(true)
      case "false", "no", "off", "0": return .flag(false)
      default: throw invalid(text, "is neither true nor false")
      }
    case .fraction:
      guard let fraction = Fraction(text) else {
        throw RetakeError(
          .usage, "'\(text)' is not a valid value for \(name): it takes a fraction above 0 and at most 1.",
          hint: "for example \(name)=1/2")
      }
      return .fraction(fraction)
    case .choice(let choices):
      guard choices.contains(text) else {
        let nearest = Spelling.nearest(to: text, in: choices) ?? choices[0]
        throw RetakeError(
          .usage, "'\(text)' is not a valid value for \(name): it takes \(rangeText).",
          hint: "did you mean \(name)=\(nearest)?")
      }
      return .text(text)
    case .path: return .text(text)
    case .color:
      guard let color = RGBColor(text) else {
        throw RetakeError(
          .usage, "'\(text)' is not a colour, which \(name) needs.",
          hint: "write red, green and blue in hexadecimal, as #rrggbb; default \(defaultValue)")
      }
      return .color(color)
    }
  }

  private func invalid(_ text: String, _ why: String) -> RetakeError {
    RetakeError(
      .usage, "'\(text)' \(why), which \(name) needs.", hint: "it takes \(rangeText); default \(defaultValue)")
  }

  private func outOfRange(_ text: String, nearest: String) -> RetakeError {
    RetakeError(
      .usage, "\(name)=\(text) is out of range: it takes \(rangeText)\(unit.isEmpty ? "" : " \(unit)").",
      hint: "the nearest valid value is \(nearest)")
  }
}

extension ClosedRange {
  fileprivate func clamp(_ value: Bound) -> Bound { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
