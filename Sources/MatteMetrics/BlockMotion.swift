/// From where the picture before each block of 16 x 16 pixels came: what flicker takes movement out with.
///
/// Whole pixels, found in a quarter of the size and then beside that, and beside no movement, in full, by the least sum of
/// absolute differences. Of equals the shortest way counts, and then the first by rows; a block stays where it is unless
/// moving is better by more than one step for each pixel, which noise would be.
package struct BlockMotion {
  package struct Vector: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package static let zero = Vector(x: 0, y: 0)
    var squaredLength: Int { x * x + y * y }
  }

  package static let blockSize = 16
  private static let reduction = 4
  private static let coarseRadius = 4
  private static let fineRadius = 3

  /// By blocks, row by row; those at the right and lower edge may be smaller.
  package let vectors: [Vector]
  package let blocksInRow: Int

  /// - Parameters: the picture in grey, and the one before it.
  package init(_ picture: BytePlane, after before: BytePlane) {
    precondition(picture.isSameSize(as: before))
    let (width, height) = (picture.width, picture.height)
    blocksInRow = (width + Self.blockSize - 1) / Self.blockSize
    let small = Self.reduced(picture)
    let smallBefore = Self.reduced(before)
    var vectors: [Vector] = []
    for top in stride(from: 0, to: height, by: Self.blockSize) {
      for left in stride(from: 0, to: width, by: Self.blockSize) {
        let block = Block(left..<min(left + Self.blockSize, width), top..<min(top + Self.blockSize, height))
        vectors.append(Self.vector(of: block, picture, before, small, smallBefore))
      }
    }
    self.vectors = vectors
  }

  package func vector(x: Int, y: Int) -> Vector { vectors[y / Self.blockSize * blocksInRow + x / Self.blockSize] }

  private struct Block {
    var columns: Range<Int>
    var rows: Range<Int>
    init(_ columns: Range<Int>, _ rows: Range<Int>) { (self.columns, self.rows) = (columns, rows) }
  }

  private static func vector(
    of block: Block, _ picture: BytePlane, _ before: BytePlane, _ small: ReducedPlane, _ smallBefore: ReducedPlane
  ) -> Vector {
    var start = Vector.zero
    let smallBlock = Block(
      block.columns.lowerBound / reduction..<block.columns.upperBound / reduction,
      block.rows.lowerBound / reduction..<block.rows.upperBound / reduction)
    if !smallBlock.columns.isEmpty && !smallBlock.rows.isEmpty {
      small.withPlane { small in
        smallBefore.withPlane { start = best(smallBlock, small, $0, around: .zero, coarseRadius).vector }
      }
    }
    let around = Vector(x: start.x * reduction, y: start.y * reduction)
    let far = best(block, picture, before, around: around, fineRadius)
    // What is fine-grained is lost in the smaller size, and a small step of it is found all the same.
    let near = best(block, picture, before, around: .zero, fineRadius)
    let found = near.difference <= far.difference ? near : far
    let resting = difference(block, picture, before, .zero, limit: .max)
    return resting <= found.difference + block.columns.count * block.rows.count ? .zero : found.vector
  }

  private static func best(
    _ block: Block, _ picture: BytePlane, _ before: BytePlane, around center: Vector, _ radius: Int
  ) -> (vector: Vector, difference: Int) {
    var best = (vector: center, difference: Int.max)
    for y in center.y - radius...center.y + radius {
      for x in center.x - radius...center.x + radius {
        let vector = Vector(x: x, y: y)
        let difference = difference(block, picture, before, vector, limit: best.difference)
        if (difference, vector.squaredLength) < (best.difference, best.vector.squaredLength) {
          best = (vector, difference)
        }
      }
    }
    return best
  }

  /// The sum of absolute differences; where it is beyond the limit, anything beyond it.
  private static func difference(
    _ block: Block, _ picture: BytePlane, _ before: BytePlane, _ vector: Vector, limit: Int
  ) -> Int {
    let isInside =
      block.columns.lowerBound + vector.x >= 0 && block.columns.upperBound + vector.x <= picture.width
      && block.rows.lowerBound + vector.y >= 0 && block.rows.upperBound + vector.y <= picture.height
    var sum = 0
    for y in block.rows {
      let row = picture.samples + y * picture.width
      if isInside {
        let rowBefore = before.samples + (y + vector.y) * picture.width + vector.x
        for x in block.columns { sum += abs(Int(row[x]) - Int(rowBefore[x])) }
      } else {
        for x in block.columns { sum += abs(Int(row[x]) - Int(before.sample(nearX: x + vector.x, y: y + vector.y))) }
      }
      if sum > limit { return sum }
    }
    return sum
  }

  /// A quarter of the size each way, of means; what is left over at the right and below is not in it.
  private static func reduced(_ plane: BytePlane) -> ReducedPlane {
    let (width, height) = (plane.width / reduction, plane.height / reduction)
    var samples = [UInt8](repeating: 0, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        var sum = 0
        for row in 0..<reduction {
          for column in 0..<reduction {
            sum += Int(plane.samples[(y * reduction + row) * plane.width + x * reduction + column])
          }
        }
        samples[y * width + x] = UInt8((sum + reduction * reduction / 2) / (reduction * reduction))
      }
    }
    return ReducedPlane(samples: samples, width: width, height: height)
  }
}

private struct ReducedPlane {
  let samples: [UInt8]
  let width: Int
  let height: Int

  func withPlane(_ body: (BytePlane) -> Void) {
    samples.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      body(BytePlane(start, width: width, height: height))
    }
  }
}
