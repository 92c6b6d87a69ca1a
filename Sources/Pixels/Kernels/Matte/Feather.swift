/// The side of a mask's outline on which its blur shows. Raw values are those of the parameter.
package enum Feather: String, CaseIterable, Sendable {
  /// The blurred mask unchanged: half on the outline.
  case both
  /// max(2m − 1, 0): nothing outside the outline.
  case inside = "in"
  /// min(2m, 1): everything inside the outline stays opaque.
  case outside = "out"

  package var gain: UInt32 { self == .both ? 1 : 2 }
  package var bias: UInt32 { self == .inside ? GaussianWeights.one : 0 }
}
