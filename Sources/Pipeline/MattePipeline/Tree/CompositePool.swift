import FrameModel
import Kernels

/// A pool of planes for composites, allocated once. A plane is lent with an output and is free
/// again when no reference to it is left.
struct CompositePool {
  private var planes: [PixelPlane<UInt8>]
  private let extra: PixelPlane<UInt8>?

  /// - Parameter heldOutputs: see `MattePipeline`; nil if no composites are made.
  init(_ video: FrameLayout, heldOutputs: Int?) {
    func plane() -> PixelPlane<UInt8> { PixelPlane(width: video.width, height: video.height, channels: 3) }
    planes = heldOutputs.map { count in (0...count).map { _ in plane() } } ?? []
    extra = heldOutputs.map { _ in plane() }
  }

  /// The plane for composites that are dropped because the caller holds all others. They are made
  /// anyway, so that the stages' state does not depend on how long outputs are held.
  var spare: PixelPlane<UInt8> {
    guard let extra else { preconditionFailure("the pool was made for no composites") }
    return extra
  }

  /// The first plane that only the pool references, since it is most likely still in the cache; nil
  /// if none is free.
  mutating func free() -> PixelPlane<UInt8>? {
    for i in planes.indices where isKnownUniquelyReferenced(&planes[i]) { return planes[i] }
    return nil
  }
}
