import CKernels

/// From where the picture before each block of 16 x 16 pixels came: what flicker takes movement out with.
///
/// Whole pixels, found in a quarter of the size and then beside that, and beside no movement, in full, by the least sum of
/// absolute differences. Of equals the shortest way counts, and then the first by rows; a block stays where it is unless
/// moving is better by more than one step for each pixel, which noise would be.
package struct BlockMotion: Sendable {
  package struct Vector: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package static let zero = Vector(x: 0, y: 0)

    package init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
  }

  package static let blockSize = Int(RTKMotionBlock)

  /// By blocks, row by row; those at the right and lower edge may be smaller.
  let motions: [RTKMotion]
  let width: Int
  let height: Int

  /// - Parameters: the picture, and the one before it.
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
