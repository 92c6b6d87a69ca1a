import CKernels

/// What scores want to know of a true matte: found once for a frame, and read by every setting that is scored beside it.
// Unchecked, because what it is made of is written by the initializer and by nothing after it.
package final class TruthFeatures: @unchecked Sendable {
  let matte: MatteFeatures
  let slopes: SlopeMap

  /// - Parameters:
  ///   - truth: copied; at least one pixel.
  ///   - memory: of the truth's size.
  package init(_ truth: BytePlane, _ memory: ScoreMemory) {
    matte = MatteFeatures(width: truth.width, height: truth.height, memory.processor)
    matte.take(truth)
    // Whatever is found when it is first asked for is asked for now: threads may read, but not write.
    _ = matte.contour
    _ = matte.nearContour
    slopes = SlopeMap(matte, memory)
  }

  /// Pixels.
  package var width: Int { matte.width }
  package var height: Int { matte.height }
  /// The truth itself, as long as this lives.
  package var plane: BytePlane { matte.plane }
}
