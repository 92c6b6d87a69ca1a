/// By how many frames a matte comes late, beside that of the same recording with depth at the full rate.
package struct LagEstimate: Sendable {
  /// The longest lag that is looked for, frames.
  package let limit: Int
  /// For each lag, Σ|α − α of the reference so many frames before| over the same frames.
  private var sums: [Int]
  /// The last `limit` + 1 mattes of the reference, the latest first.
  private var references: [[UInt8]] = []
  package private(set) var frameCount = 0

  package init(limit: Int = 15) {
    precondition(limit >= 0)
    self.limit = limit
    sums = [Int](repeating: 0, count: limit + 1)
  }

  /// Frames in order, without gaps.
  package mutating func add(_ matte: BytePlane, reference: BytePlane) {
    precondition(matte.isSameSize(as: reference))
    references.insert(Array(UnsafeBufferPointer(start: reference.samples, count: reference.count)), at: 0)
    if references.count > limit + 1 { references.removeLast() }
    // Every lag has to be judged by the same frames.
    guard references.count == limit + 1 else { return }
    frameCount += 1
    for lag in 0...limit {
      var sum = 0
      references[lag].withUnsafeBufferPointer { reference in
        for i in 0..<matte.count { sum += abs(Int(matte.samples[i]) - Int(reference[i])) }
      }
      sums[lag] += sum
    }
  }

  /// The lag at which they agree best, the shortest of equals; nil before there were more frames than `limit`, and where the
  /// reference never changes.
  package var frames: Int? {
    guard frameCount > 0, let best = sums.min(), sums.contains(where: { $0 != best }) else { return nil }
    return sums.firstIndex(of: best)
  }
}
