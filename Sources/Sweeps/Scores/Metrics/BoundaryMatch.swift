/// The boundary measure of DAVIS (Perazzi et al. 2016): how well the contours of two mattes match.
package struct BoundaryMatch: Hashable, Sendable {
  /// The share of the matte's contour near the truth's, and the share of the truth's near the
  /// matte's.
  package let precision: Double
  package let recall: Double

  /// 2PR / (P + R); 0 if both are 0.
  package var f: Double { precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall) }

  /// The smallest whole number of pixels that is at least 0.008 of the picture's diagonal.
  /// - Parameters: pixels.
  package static func tolerance(width: Int, height: Int) -> Int {
    // t ≥ 0.008·d in whole numbers: 10⁶·t² ≥ 64·d².
    var tolerance = 0
    while 1_000_000 * tolerance * tolerance < 64 * (width * width + height * height) { tolerance += 1 }
    return tolerance
  }

  package init(_ matte: MatteFeatures, _ truth: TruthFeatures) {
    let other = truth.matte
    precondition(matte.isSameSize(as: other))
    let contour = matte.contour
    let trueContour = other.contour
    switch (contour.count == 0, trueContour.count == 0) {
    case (true, true): (precision, recall) = (1, 1)
    case (true, false): (precision, recall) = (1, 0)
    case (false, true): (precision, recall) = (0, 1)
    case (false, false):
      // `nearContour` of the truth is computed once for all settings.
      let precise = contour.pixels.countShared(with: other.nearContour, matte.processor)
      precision = Double(precise) / Double(contour.count)
      recall = Double(matte.countNearContour(trueContour)) / Double(trueContour.count)
    }
  }
}
