import FrameModel
import Kernels

/// The planes that composites are made in: allocated at once, lent with an output, back when nobody holds them any more.
struct CompositePool {
  private var planes: [PixelPlane<UInt8>]
  /// For composites that nobody gets: a frame that is dropped because all are held is made all the same, so that what the
  /// stages remember does not depend on how long a caller holds its outputs.
  let spare: PixelPlane<UInt8>

  /// - Parameter heldOutputs: how many the caller may hold while the next one is made.
  init(_ video: FrameLayout, heldOutputs: Int) {
    func plane() -> PixelPlane<UInt8> { PixelPlane(width: video.width, height: video.height, channels: 3) }
    planes = (0...heldOutputs).map { _ in plane() }
    spare = plane()
  }

  /// A plane that nobody holds but the pool; nil where there is none. The first one that is free: it is the likeliest to be
  /// in the processor's cache.
  mutating func free() -> PixelPlane<UInt8>? {
    // As for a value that is copied on writing, the count of references says whether somebody may look at it.
    for i in planes.indices where isKnownUniquelyReferenced(&planes[i]) { return planes[i] }
    return nil
  }
}
