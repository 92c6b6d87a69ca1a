import FrameModel

package enum ParameterValue: Hashable, Sendable, CustomStringConvertible {
  case integer(Int)
  case real(Double)
  case flag(Bool)
  case fraction(Fraction)
  case color(RGBColor)
  /// A choice, a path or other text.
  case text(String)
  case size(PictureSize)
  case rate(FrameRate)
  case frames(Range<Int>)
  /// Not given.
  case none

  /// As written on the command line. Equal values give equal text.
  package var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .real(let value): value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    case .flag(let value): value ? "true" : "false"
    case .fraction(let value): value.description
    case .color(let value): value.description
    case .text(let value): value
    case .size(let value): value.description
    case .rate(let value): value.description
    case .frames(let value): "\(value.lowerBound)-\(value.upperBound - 1)"
    case .none: "none"
    }
  }
}

extension ParameterValue {
  /// The value itself; nil for `.none`.
  fileprivate var payload: Any? {
    switch self {
    case .integer(let value): value
    case .real(let value): value
    case .flag(let value): value
    case .fraction(let value): value
    case .color(let value): value
    case .text(let value): value
    case .size(let value): value
    case .rate(let value): value
    case .frames(let value): value
    case .none: nil
    }
  }
}

/// A Swift type for parameter values.
package protocol ParameterConvertible: Sendable {
  init?(_ value: ParameterValue)
}

extension ParameterConvertible {
  package init?(_ value: ParameterValue) {
    guard let own = value.payload as? Self else { return nil }
    self = own
  }
}

extension Int: ParameterConvertible {}
extension Double: ParameterConvertible {}
extension Bool: ParameterConvertible {}
extension Fraction: ParameterConvertible {}
extension RGBColor: ParameterConvertible {}
extension String: ParameterConvertible {}
extension PictureSize: ParameterConvertible {}
extension FrameRate: ParameterConvertible {}
extension Range<Int>: ParameterConvertible {}

/// Nil for `.none`, and for a choice of "none".
extension Optional: ParameterConvertible where Wrapped: ParameterConvertible {
  package init?(_ value: ParameterValue) { self = Wrapped(value) }
}

/// An enum whose raw values are the words of a parameter's choices, in the order of listings.
package protocol ParameterChoice: ParameterConvertible, RawRepresentable, CaseIterable where RawValue == String {}

extension ParameterChoice {
  package init?(_ value: ParameterValue) {
    guard case .text(let text) = value else { return nil }
    self.init(rawValue: text)
  }
}
