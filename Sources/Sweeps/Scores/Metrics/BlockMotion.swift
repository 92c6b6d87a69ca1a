import CKernels

/// Motion vectors of blocks of 16 x 16 pixels since the previous picture, for flicker.
///
/// The search minimises the sum of absolute differences over whole pixels: first at quarter size,
/// then at full size around that result and around no motion. Among equals the shortest vector
/// wins, then the first by rows. A block moves only if that saves more than one step per pixel, to
/// ignore noise.
package struct BlockMotion: Sendable {
  package struct Vector: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package static let zero = Vector(x: 0, y: 0)

    package init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
  }

  package static let blockSize = Int(RTKMotionBlock)

  /// By block, row by row; blocks at the right and lower edge may be smaller.
  let motions: [RTKMotion]
  let width: Int
  let height: Int

  package init(_ picture: PictureFeatures, after before: PictureFeatures) {
    precondition(picture.width == before.width && picture.height == before.height)
    width = picture.width
    height = picture.height
    let size = Self.blockSize
    let count = (width + size - 1) / size * ((height + size - 1) / size)
    motions = [RTKMotion](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      withUnsafePointer(to: picture.pictureAndReduced) { now in
        withUnsafePointer(to: before.pictureAndReduced) { then in
          rtk_block_motion(picture.processor, now, then, buffer.baseAddress)
        }
      }
      initializedCount = count
    }
  }

  package var vectors: [Vector] { motions.map { Vector(x: Int($0.x), y: Int($0.y)) } }

  package func vector(x: Int, y: Int) -> Vector {
    let blocksInRow = (width + Self.blockSize - 1) / Self.blockSize
    let motion = motions[y / Self.blockSize * blocksInRow + x / Self.blockSize]
    return Vector(x: Int(motion.x), y: Int(motion.y))
  }
}
