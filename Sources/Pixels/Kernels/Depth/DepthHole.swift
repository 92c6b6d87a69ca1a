/// Why a pixel of depth has no distance, as far as history and geometry tell. Raw values are those of
/// `PreparedDepth.holes`.
package enum DepthHole: UInt8, CaseIterable, Sendable {
  case measured = 0
  /// Nothing tells.
  case unknown
  /// It came so near that the sensor lost it.
  case tooNear
  /// It is farther than the sensor sees.
  case tooFar
  /// Something nearer hides it from the projector or from the second camera.
  case shadow
  /// There was no distance here since the start.
  case neverMeasured
}
