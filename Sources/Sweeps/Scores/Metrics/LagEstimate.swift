import CKernels

/// Estimates by how many frames a matte lags behind that of a reference.
///
/// Both are compared at quarter size, as means of 4 x 4 pixels: the lag is the same there, at a
/// sixteenth of the memory and time. Mattes less than four pixels wide or high have no lag.
package struct LagEstimate: Sendable {
  /// In frames.
  package let limit: Int
  /// By lag, Σ|α − reference α that many frames earlier|, over the same frames for every lag.
  private var sums: [Int]
  /// Ring buffer of the last `limit` + 1 reference mattes, and the next position to write.
  private var references: [ReducedPlane] = []
  private var next = 0
  /// A matte without anything lags behind nothing.
  private var isBlank = true
  package private(set) var frameCount = 0

  package init(limit: Int = 15) {
    precondition(limit >= 0)
    self.limit = limit
    sums = [Int](repeating: 0, count: limit + 1)
  }

  /// Frames must be in order, without gaps.
  package mutating func add(_ matte: ReducedPlane, reference: ReducedPlane, _ processor: RTKProcessor = rtk_processor())
  {
    precondition(matte.width == reference.width && matte.height == reference.height)
    isBlank = isBlank && !UnsafeBufferPointer(start: matte.samples, count: matte.count).contains { $0 != 0 }
    if references.count > limit { references[next] = reference } else { references.append(reference) }
    let latest = next
    next = next == limit ? 0 : next + 1
    // Waits until all lags can be compared over the same frames.
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

  /// The lag with the least difference, the shortest among equals. Nil before more than `limit`
  /// frames were added, and if the reference never changes or no matte shows anything.
  package var frames: Int? {
    guard frameCount > 0, !isBlank, let best = sums.min(), sums.contains(where: { $0 != best }) else { return nil }
    return sums.firstIndex(of: best)
  }
}
