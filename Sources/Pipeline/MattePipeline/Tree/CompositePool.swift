import FrameModel
import Kernels

/// The planes that composites are made in: allocated at once, lent with an output, and free again when nobody holds them.
struct CompositePool {
  private var planes: [PixelPlane<UInt8>]
  private let extra: PixelPlane<UInt8>?

  /// - Parameter heldOutputs: how many the caller may hold while the next one is made; nil where no composites are made.
  init(_ video: FrameLayout, heldOutputs: Int?) {
    func plane() -> PixelPlane<UInt8> { PixelPlane(width: video.width, height: video.height, channels: 3) }
    planes = heldOutputs.map { count in (0...count).map { _ in plane() } } ?? []
    extra = heldOutputs.map { _ in plane() }
  }

  /// For composites that are dropped because the caller holds all others. They are made all the same, so that what the
  /// stages remember does not depend on how long a caller holds its outputs.
  var spare: PixelPlane<UInt8> {
    guard let extra else { preconditionFailure("the pool was made for no composites") }
    return extra
  }

  /// The first plane that only the pool holds, since it is the likeliest to be in the processor's cache; nil where there is
  /// none.
  mutating func free() -> PixelPlane<UInt8>? {
    for i in planes.indices where isKnownUniquelyReferenced(&planes[i]) { return planes[i] }
    return nil
  }
}
