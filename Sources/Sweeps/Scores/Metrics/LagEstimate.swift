import CKernels

/// By how many frames a matte comes late, beside that of the same recording with depth at the full rate.
///
/// Both are compared at a quarter of their size, in means of 4 x 4 pixels: an edge that comes late is as late there, and many
/// references take a sixteenth of the memory and time. Mattes narrower or lower than four pixels have no lag.
package struct LagEstimate: Sendable {
  /// The longest lag that is looked for, frames.
  package let limit: Int
  /// For each lag, Σ|α − α of the reference so many frames before| over the same frames.
  private var sums: [Int]
  /// The last `limit` + 1 mattes of the reference; where the next one goes.
  private var references: [ReducedPlane] = []
  private var next = 0
  package private(set) var frameCount = 0

  package init(limit: Int = 15) {
    precondition(limit >= 0)
    self.limit = limit
    sums = [Int](repeating: 0, count: limit + 1)
  }

  /// Frames in order, without gaps.
  package mutating func add(_ matte: BytePlane, reference: BytePlane) {
    precondition(matte.isSameSize(as: reference))
    add(ReducedPlane(matte), reference: ReducedPlane(reference))
  }

  /// The same, of planes that may serve several estimates.
  package mutating func add(_ matte: ReducedPlane, reference: ReducedPlane, _ processor: RTKProcessor = rtk_processor())
  {
    precondition(matte.width == reference.width && matte.height == reference.height)
    if references.count > limit { references[next] = reference } else { references.append(reference) }
    let latest = next
    next = next == limit ? 0 : next + 1
    // Every lag has to be judged by the same frames.
    guard references.count == limit + 1 else { return }
    frameCount += 1
    for lag in 0...limit {
      let before = references[(latest + limit + 1 - lag) % (limit + 1)]
      precondition(before.count == matte.count)
      var sum: Int64 = 0
      rtk_absolute_differences(processor, matte.samples, before.samples, matte.count, &sum)
      sums[lag] += Int(sum)
    }
  }

  /// The lag at which they agree best, the shortest of equals; nil before there were more frames than `limit`, and where the
  /// reference never changes.
  package var frames: Int? {
    guard frameCount > 0, let best = sums.min(), sums.contains(where: { $0 != best }) else { return nil }
    return sums.firstIndex(of: best)
  }
}
