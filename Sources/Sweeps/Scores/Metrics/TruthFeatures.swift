import CKernels

/// Features of a true matte, computed once per frame and shared by all settings.
// Unchecked: everything is written by the initializer only.
package final class TruthFeatures: @unchecked Sendable {
  let matte: MatteFeatures
  let slopes: SlopeMap

  /// - Parameters:
  ///   - truth: copied; at least one pixel.
  ///   - memory: of the truth's size.
  package init(_ truth: BytePlane, _ memory: ScoreMemory) {
    matte = MatteFeatures(width: truth.width, height: truth.height, memory.processor)
    matte.take(truth)
    // Computes the lazy features now: later, several threads read them.
    _ = matte.contour
    _ = matte.nearContour
    slopes = SlopeMap(matte, memory)
  }

  package var width: Int { matte.width }
  package var height: Int { matte.height }
  /// Valid as long as this object.
  package var plane: BytePlane { matte.plane }
}
