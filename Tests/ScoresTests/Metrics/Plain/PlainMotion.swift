import Scores

/// Block motion, by looking at every place that there is to look at.
struct PlainMotion {
  private(set) var vectors: [BlockMotion.Vector] = []

  init(_ picture: PlainPlane, after before: PlainPlane) {
    let small = (PlainScores.reduced(picture), PlainScores.reduced(before))
    for y in stride(from: 0, to: picture.height, by: 16) {
      for x in stride(from: 0, to: picture.width, by: 16) {
        let block = (columns: x..<min(x + 16, picture.width), rows: y..<min(y + 16, picture.height))
        vectors.append(Self.vector(of: block, picture, before, small))
      }
    }
  }

  private typealias Block = (columns: Range<Int>, rows: Range<Int>)
  private typealias Found = (vector: BlockMotion.Vector, difference: Int)

  private static func vector(
    of block: Block, _ picture: PlainPlane, _ before: PlainPlane, _ small: (PlainPlane, PlainPlane)
  ) -> BlockMotion.Vector {
    var start = BlockMotion.Vector.zero
    let smallBlock = (
      columns: block.columns.lowerBound / 4..<block.columns.upperBound / 4,
      rows: block.rows.lowerBound / 4..<block.rows.upperBound / 4
    )
    if !smallBlock.columns.isEmpty && !smallBlock.rows.isEmpty {
      start = best(smallBlock, small.0, small.1, around: .zero, 4).vector
    }
    let far = best(block, picture, before, around: .init(x: 4 * start.x, y: 4 * start.y), 3)
    let near = best(block, picture, before, around: .zero, 3)
    let found = near.difference <= far.difference ? near : far
    let resting = difference(block, picture, before, .zero)
    return resting <= found.difference + block.columns.count * block.rows.count ? .zero : found.vector
  }

  private static func best(
    _ block: Block, _ picture: PlainPlane, _ before: PlainPlane, around center: BlockMotion.Vector, _ radius: Int
  ) -> Found {
    func length(_ vector: BlockMotion.Vector) -> Int { vector.x * vector.x + vector.y * vector.y }
    var best: Found = (center, Int.max)
    for y in center.y - radius...center.y + radius {
      for x in center.x - radius...center.x + radius {
        let vector = BlockMotion.Vector(x: x, y: y)
        let difference = difference(block, picture, before, vector)
        if (difference, length(vector)) < (best.difference, length(best.vector)) { best = (vector, difference) }
      }
    }
    return best
  }

  private static func difference(
    _ block: Block, _ picture: PlainPlane, _ before: PlainPlane, _ vector: BlockMotion.Vector
  ) -> Int {
    var sum = 0
    for y in block.rows {
      for x in block.columns {
        sum += abs(picture.sample(nearX: x, y: y) - before.sample(nearX: x + vector.x, y: y + vector.y))
      }
    }
    return sum
  }
}
