/// How much a matte changes from frame to frame beside what moves: mean |α − α before, moved| near the person's edge.
///
/// An empty matte is perfectly stable: read it beside coverage and lag.
package struct Flicker: Hashable, Sendable {
  /// Σ|α − α before|, in steps of 1/255.
  package let steps: Int
  /// Pixels within 6 of the edge, in this frame or the one before.
  package let bandCount: Int

  private static let bandRadius = 6

  package init(_ matte: BytePlane, after before: BytePlane, _ motion: BlockMotion) {
    precondition(matte.isSameSize(as: before))
    let band = Contour(matte).neighborhood(radius: Self.bandRadius)
      .union(Contour(before).neighborhood(radius: Self.bandRadius))
    var sum = 0
    for y in 0..<matte.height {
      for x in 0..<matte.width where band.contains(y * matte.width + x) {
        let vector = motion.vector(x: x, y: y)
        sum += abs(
          Int(matte.samples[y * matte.width + x]) - Int(before.sample(nearX: x + vector.x, y: y + vector.y)))
      }
    }
    steps = sum
    bandCount = band.memberCount
  }

  /// 0 to 1; nil where there is no edge.
  package var mean: Double? { bandCount == 0 ? nil : Double(steps) / (255 * Double(bandCount)) }
}
