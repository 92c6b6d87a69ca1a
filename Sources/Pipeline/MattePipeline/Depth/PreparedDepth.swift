import Kernels

/// A depth map, ready to make masks of.
package final class PreparedDepth {
  package let geometry: PlaneGeometry
  /// 0 is a hole.
  package let millimeters: PixelPlane<UInt16>
  /// 0 ... 65535 for a disparity of 0 to 1 per metre, clamped and rounded to nearest. NaN is 65535
  /// (C.12); `millimeters` tells which values are holes. Nil unless the source has float disparity,
  /// and depth is neither filtered nor registered.
  package let disparity: PixelPlane<UInt16>?
  /// A `DepthHole` for each pixel, from before holes were filled; nil if not requested.
  package let holes: PixelPlane<UInt8>?

  package init(_ geometry: PlaneGeometry, hasDisparity: Bool = false, hasHoles: Bool = false) {
    self.geometry = geometry
    millimeters = PixelPlane(width: geometry.width, height: geometry.height)
    disparity = hasDisparity ? PixelPlane(width: geometry.width, height: geometry.height) : nil
    holes = hasHoles ? PixelPlane(width: geometry.width, height: geometry.height) : nil
  }
}

/// Optional outputs of depth preparation.
package struct DepthExtras: OptionSet, Hashable, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let disparity = DepthExtras(rawValue: 1)
  package static let holes = DepthExtras(rawValue: 2)
}
