import Kernels
import Parameters

/// How a plane of depth or of a mask lies over the video.
package struct PlaneGeometry: Hashable, Sendable {
  package let width: Int
  package let height: Int
  package let videoWidth: Int
  package let videoHeight: Int
  /// Video pixels per pixel of the plane.
  private let across: Ratio
  private let down: Ratio
  /// The scene's size in pixels of the plane, which may extend beyond it after decimation.
  private let sceneWidth: Ratio
  private let sceneHeight: Ratio

  private struct Ratio: Hashable, Sendable {
    var numerator: Int
    var denominator: Int
    var value: Double { Double(numerator) / Double(denominator) }
  }

  /// Which lengths of depth map and video correspond. Raw values are those of `depth.scale-by`.
  package enum ScaleRule: String, ParameterChoice {
    /// Video width / depth width (A.5).
    case width
    /// Longer side of the video / longer side of the depth map (C.11).
    case longerSide = "longer-side"
  }

  /// One ratio for both directions. The centres coincide; a plane of another aspect is cut on two
  /// sides, or its edge is repeated there.
  /// - Parameter decimation: depth pixels per pixel of the plane, each way; need not divide evenly.
  package init(
    depthWidth: Int, depthHeight: Int, videoWidth: Int, videoHeight: Int, by rule: ScaleRule = .width,
    decimation: Int = 1
  ) {
    width = (depthWidth + decimation - 1) / decimation
    height = (depthHeight + decimation - 1) / decimation
    (self.videoWidth, self.videoHeight) = (videoWidth, videoHeight)
    across =
      switch rule {
      case .width: Ratio(numerator: videoWidth * decimation, denominator: depthWidth)
      case .longerSide:
        Ratio(numerator: max(videoWidth, videoHeight) * decimation, denominator: max(depthWidth, depthHeight))
      }
    down = across
    sceneWidth = Ratio(numerator: depthWidth, denominator: decimation)
    sceneHeight = Ratio(numerator: depthHeight, denominator: decimation)
  }

  /// Stretched over the video, as a network's masks are.
  package init(stretchedWidth: Int, stretchedHeight: Int, videoWidth: Int, videoHeight: Int) {
    (width, height) = (stretchedWidth, stretchedHeight)
    (self.videoWidth, self.videoHeight) = (videoWidth, videoHeight)
    across = Ratio(numerator: videoWidth, denominator: stretchedWidth)
    down = Ratio(numerator: videoHeight, denominator: stretchedHeight)
    sceneWidth = Ratio(numerator: stretchedWidth, denominator: 1)
    sceneHeight = Ratio(numerator: stretchedHeight, denominator: 1)
  }

  /// A point of the video in the plane; (0, 0) is the corner of the first pixel in both.
  package func point(videoX x: Double, videoY y: Double) -> (x: Double, y: Double) {
    (
      (x - Double(videoWidth) / 2) / across.value + sceneWidth.value / 2,
      (y - Double(videoHeight) / 2) / down.value + sceneHeight.value / 2
    )
  }

  /// For each column and row, the nearest one of another plane over the same video, clamped.
  package func places(in other: PlaneGeometry) -> (columns: [Int32], rows: [Int32]) {
    func place(_ point: Double, _ length: Int) -> Int32 { Int32(min(max(point.rounded(.down), 0), Double(length - 1))) }
    let columns = (0..<width).map { x in
      let videoX = (Double(x) + 0.5 - Double(width) / 2) * across.value + Double(videoWidth) / 2
      return place(other.point(videoX: videoX, videoY: 0).x, other.width)
    }
    let rows = (0..<height).map { y in
      let videoY = (Double(y) + 0.5 - Double(height) / 2) * down.value + Double(videoHeight) / 2
      return place(other.point(videoX: 0, videoY: videoY).y, other.height)
    }
    return (columns, rows)
  }

  package var lines: (horizontal: ScaleLine, vertical: ScaleLine) {
    func line(_ length: Int, _ scene: Ratio, _ videoLength: Int, _ ratio: Ratio) -> ScaleLine {
      ScaleLine(
        from: length, to: videoLength, scaleNumerator: ratio.numerator, scaleDenominator: ratio.denominator,
        sceneNumerator: scene.numerator, sceneDenominator: scene.denominator)
    }
    return (line(width, sceneWidth, videoWidth, across), line(height, sceneHeight, videoHeight, down))
  }
}
