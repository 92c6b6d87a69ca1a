import CKernels

/// The boundary measure of DAVIS (Perazzi et al. 2016): how well the contours of two mattes match.
///
/// A mask is where the matte is at least half opaque. A pixel is on its contour if it differs from
/// the pixel to its right, below, or right below; beyond the picture, edges repeat. Two contour
/// pixels match if their centres are at most the tolerance apart: each contour is dilated by a disk
/// of that radius. DAVIS takes 0.008 of the diagonal, which is 7 pixels at 640 x 480 and tells good
/// mattes hardly apart; here the tolerance is a setting.
package struct BoundaryMatch: Hashable, Sendable {
  /// The share of the matte's contour near the truth's, and the share of the truth's near the
  /// matte's.
  package let precision: Double
  package let recall: Double

  /// 2PR / (P + R); 0 if both are 0.
  package var f: Double { precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall) }

  package static let toleranceLimit = Int(RTKSpreadLimit)

  /// The default: 2 pixels per 640 of the picture's width, rounded, at least 1.
  package static func tolerance(width: Int) -> Int { max(1, (2 * width + 320) / 640) }

  package init(_ matte: MatteFeatures, _ truth: TruthFeatures) { self.init(matte, truth.matte) }

  /// - Parameter other: its contour and the pixels near it are computed once for all settings.
  init(_ matte: MatteFeatures, _ other: MatteFeatures) {
    precondition(matte.isSameSize(as: other) && matte.tolerance == other.tolerance)
    let contour = matte.contour
    let trueContour = other.contour
    switch (contour.count == 0, trueContour.count == 0) {
    case (true, true): (precision, recall) = (1, 1)
    case (true, false): (precision, recall) = (1, 0)
    case (false, true): (precision, recall) = (0, 1)
    case (false, false):
      let precise = contour.pixels.countShared(with: other.nearContour, matte.processor)
      precision = Double(precise) / Double(contour.count)
      recall = Double(matte.countNearContour(trueContour)) / Double(trueContour.count)
    }
  }
}
