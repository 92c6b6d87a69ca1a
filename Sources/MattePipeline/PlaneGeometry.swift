import Kernels

/// How a plane of depth or of a mask lies over the video.
package struct PlaneGeometry: Hashable, Sendable {
  package let width: Int
  package let height: Int
  package let videoWidth: Int
  package let videoHeight: Int
  /// Video pixels for a pixel of the plane, as fractions, across and down.
  private let across: Ratio
  private let down: Ratio

  private struct Ratio: Hashable, Sendable {
    var numerator: Int
    var denominator: Int
    var value: Double { Double(numerator) / Double(denominator) }
  }

  /// By the widths both ways (A.5): the middles coincide, and a plane of another aspect is cut, or its edge repeated, above
  /// and below.
  package init(depthWidth: Int, depthHeight: Int, videoWidth: Int, videoHeight: Int) {
    (width, height) = (depthWidth, depthHeight)
    (self.videoWidth, self.videoHeight) = (videoWidth, videoHeight)
    across = Ratio(numerator: videoWidth, denominator: depthWidth)
    down = across
  }

  /// Stretched over the video, as the masks of networks are.
  package init(stretchedWidth: Int, stretchedHeight: Int, videoWidth: Int, videoHeight: Int) {
    (width, height) = (stretchedWidth, stretchedHeight)
    (self.videoWidth, self.videoHeight) = (videoWidth, videoHeight)
    across = Ratio(numerator: videoWidth, denominator: stretchedWidth)
    down = Ratio(numerator: videoHeight, denominator: stretchedHeight)
  }

  /// Where a point of the video lies in the plane; (0, 0) is the corner of the first pixel of each.
  package func point(videoX x: Double, videoY y: Double) -> (x: Double, y: Double) {
    (
      (x - Double(videoWidth) / 2) / across.value + Double(width) / 2,
      (y - Double(videoHeight) / 2) / down.value + Double(height) / 2
    )
  }

  /// How the plane's columns and rows lie along the video's.
  var lines: (horizontal: ScaleLine, vertical: ScaleLine) {
    func line(_ length: Int, _ videoLength: Int, _ ratio: Ratio) -> ScaleLine {
      ScaleLine(
        from: length, to: videoLength, scaleNumerator: ratio.numerator, scaleDenominator: ratio.denominator)
    }
    return (line(width, videoWidth, across), line(height, videoHeight, down))
  }
}
