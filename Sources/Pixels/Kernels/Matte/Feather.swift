/// Which side of a mask's outline its blur shows on. Raw values are those of the parameter.
package enum Feather: String, CaseIterable, Sendable {
  /// The blurred mask as it is: half on the outline.
  case both
  /// max(2m − 1, 0): nothing beyond the outline.
  case inside = "in"
  /// min(2m, 1): nothing of what lies within the outline is given away.
  case outside = "out"

  var gain: UInt32 { self == .both ? 1 : 2 }
  var bias: UInt32 { self == .inside ? GaussianWeights.one : 0 }

  /// - Parameter m: 0 ... 2²⁴, as is the result.
  func value(_ m: UInt32) -> UInt32 { min(max(m * gain, bias) - bias, GaussianWeights.one) }
}
