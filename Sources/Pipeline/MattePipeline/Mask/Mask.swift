import Kernels

/// Which pixels are the person, as one frame's depth or picture tells it.
package final class Mask {
  package let geometry: PlaneGeometry
  /// 0 to 255; only 0 and 255 from kinds that cut hard.
  package let plane: PixelPlane<UInt8>
  /// The same with the finer steps of matte samples, where it is soft by its formula and not rounded to 8 bits first.
  package let soft: MatteSamples?

  /// What a matte stage is made for.
  struct Shape: Hashable {
    let geometry: PlaneGeometry
    let isSoft: Bool
  }
  var shape: Shape { Shape(geometry: geometry, isSoft: soft != nil) }

  init(_ geometry: PlaneGeometry, isSoft: Bool) {
    self.geometry = geometry
    plane = PixelPlane(width: geometry.width, height: geometry.height)
    soft = isSoft ? MatteSamples(width: geometry.width, height: geometry.height) : nil
  }
}
