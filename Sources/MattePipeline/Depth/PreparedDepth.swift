import Kernels

/// A depth map that masks are made of.
package final class PreparedDepth {
  package let geometry: PlaneGeometry
  /// 0 = hole.
  package let millimeters: PixelPlane<UInt16>

  init(_ geometry: PlaneGeometry) {
    self.geometry = geometry
    millimeters = PixelPlane(width: geometry.width, height: geometry.height)
  }
}
