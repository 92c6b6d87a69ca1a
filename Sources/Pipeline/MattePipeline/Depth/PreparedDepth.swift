import Kernels

/// A depth map that masks are made of.
package final class PreparedDepth {
  package let geometry: PlaneGeometry
  /// 0 = hole.
  package let millimeters: PixelPlane<UInt16>
  /// 0 ... 65535 for a disparity of 0 to 1 per metre, clamped and rounded to nearest, where the source has finer disparity
  /// than millimetres give and nothing was filtered; else nil. By C.12: what is no number is 65535, what is not above
  /// zero 0. `millimeters` tells which of them are holes.
  package let disparity: PixelPlane<UInt16>?
  /// A `DepthHole` for each pixel, made before holes were filled; nil where nobody asked.
  package let holes: PixelPlane<UInt8>?

  init(_ geometry: PlaneGeometry, hasDisparity: Bool = false, hasHoles: Bool = false) {
    self.geometry = geometry
    millimeters = PixelPlane(width: geometry.width, height: geometry.height)
    disparity = hasDisparity ? PixelPlane(width: geometry.width, height: geometry.height) : nil
    holes = hasHoles ? PixelPlane(width: geometry.width, height: geometry.height) : nil
  }
}

/// What prepared depth has beside millimetres, for those who ask.
package struct DepthExtras: OptionSet, Hashable, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// `PreparedDepth.disparity`, where the source gives it.
  package static let disparity = DepthExtras(rawValue: 1)
  /// `PreparedDepth.holes`.
  package static let holes = DepthExtras(rawValue: 2)
}
