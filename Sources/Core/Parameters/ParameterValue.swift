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

/// A Swift type for parameter values.
package protocol ParameterConvertible: Sendable {
  init?(_ value: ParameterValue)
}

extension Int: ParameterConvertible {
  package init?(_ value: ParameterValue) {
    guard case .integer(let number) = value else { return nil }
    self = number
  }
}

extension Double: ParameterConvertible {
  package init?(_ value: ParameterValue) {
    guard case .real(let number) = value else { return nil }
    self = number
  }
}

extension Bool: ParameterConvertible {
  package init?(_ value: ParameterValue) {
    guard case .flag(let flag) = value else { return nil }
    self = flag
  }
}

extension Fraction: ParameterConvertible {
  package init?(_ value: ParameterValue) {
    guard case .fraction(let fraction) = value else { return nil }
    self = fraction
  }
}

extension String: ParameterConvertible {
  package init?(_ value: ParameterValue) {
    guard case .text(let text) = value else { return nil }
    self = text
  }
}

/// An enum whose raw values are the words of a parameter's choices, in the order of listings.
package protocol ParameterChoice: ParameterConvertible, RawRepresentable, CaseIterable where RawValue == String {}

extension ParameterChoice {
  package init?(_ value: ParameterValue) {
    guard case .text(let text) = value else { return nil }
    self.init(rawValue: text)
  }
}

/// Nil for `.none`, and for a choice of "none".
extension Optional: ParameterConvertible where Wrapped: ParameterConvertible {
  package init?(_ value: ParameterValue) { self = Wrapped(value) }
}

extension PictureSize: ParameterConvertible {
  package init?(_ value: ParameterValue) {
    guard case .size(let size) = value else { return nil }
    self = size
  }
}

extension FrameRate: ParameterConvertible {
  package init?(_ value: ParameterValue) {
    guard case .rate(let rate) = value else { return nil }
    self = rate
  }
}

extension Range<Int>: ParameterConvertible {
  package init?(_ value: ParameterValue) {
    guard case .frames(let frames) = value else { return nil }
    self = frames
  }
}

extension RGBColor: ParameterConvertible {
  package init?(_ value: ParameterValue) {
    guard case .color(let color) = value else { return nil }
    self = color
  }
}
