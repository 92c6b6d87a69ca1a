/// Why a depth pixel has no distance, as far as it can be inferred. Raw values are those of
/// `PreparedDepth.holes`.
package enum DepthHole: UInt8, CaseIterable, Sendable {
  case measured = 0
  case unknown
  /// A surface came closer than the sensor can measure.
  case tooNear
  /// The surface is beyond the sensor's range.
  case tooFar
  /// Something nearer hides the pixel from the projector or the second camera.
  case shadow
  case neverMeasured
}
