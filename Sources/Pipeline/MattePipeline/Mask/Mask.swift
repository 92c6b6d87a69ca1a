import Kernels

package final class Mask {
  package let geometry: PlaneGeometry
  /// 0 to 255; hard masks have 0 and 255 only.
  package let plane: PixelPlane<UInt8>
  /// The same in the finer steps of matte samples; nil for masks of 8 bits.
  package let soft: MatteSamples?
  /// The colours of the empty scene, at the mask's size; nil until they are known.
  package internal(set) var emptyColors: ReducedColors?

  /// The colours, at the mask's size, of the picture that the mask was made from; nil if they were not needed.
  package internal(set) var colors: ReducedColors?

  /// 255 where something has moved, else 0; nil if nothing is known to move.
  package internal(set) var moved: PixelPlane<UInt8>?

  struct Shape: Hashable {
    let geometry: PlaneGeometry
    let isSoft: Bool
  }
  var shape: Shape { Shape(geometry: geometry, isSoft: soft != nil) }

  package init(_ geometry: PlaneGeometry, isSoft: Bool) {
    self.geometry = geometry
    plane = PixelPlane(width: geometry.width, height: geometry.height)
    soft = isSoft ? MatteSamples(width: geometry.width, height: geometry.height) : nil
  }
}
