/// Decides how many mattes a batch has, so that it ends before too much of its work could be lost.
///
/// A batch is judged after its first frames. If it would take too long, it is given up for a smaller one. But every batch
/// reads all frames of its recording, so it is not made so small that reading takes more than a third of its time.
/// Which settings share a batch changes no bit of a result.
package struct BatchPace {
  /// What a batch may take, in seconds.
  private let limit: Double
  private let frameCount: Int
  /// The most mattes of a batch; nil while no batch took too long.
  package private(set) var matteLimit: Int?
  private var earlier: (matteCount: Int, secondsPerFrame: Double)?
  private var isSettled = false

  /// Frames before a batch is judged, and the share of `limit` that they take at least.
  private static let judgedFrameCount = 4
  private static let judgedShare = 1.0 / 30
  /// Of the limit; the rest is for frames that take longer than the first.
  private static let aim = 0.8

  package init(limit: Double, frameCount: Int) { (self.limit, self.frameCount) = (limit, frameCount) }

  /// Whether enough frames were played to judge the batch.
  package func canJudge(frameCount: Int, seconds: Double) -> Bool {
    !isSettled && frameCount >= Self.judgedFrameCount && seconds >= limit * Self.judgedShare
  }

  /// Judges a batch by its first frames.
  /// - Returns: whether it goes on; otherwise it is to be given up for one of `matteLimit` mattes.
  package mutating func accepts(matteCount: Int, secondsPerFrame: Double) -> Bool {
    let expected = secondsPerFrame * Double(frameCount)
    guard let earlier else {
      guard expected > limit, matteCount > 1 else { return true }
      self.earlier = (matteCount, secondsPerFrame)
      matteLimit = max(1, Int(Double(matteCount) * Self.aim * limit / expected))
      return false
    }
    // Two batches of different sizes tell reading and mattes apart.
    isSettled = true
    guard matteCount < earlier.matteCount else { return true }
    let ofMatte = (earlier.secondsPerFrame - secondsPerFrame) / Double(earlier.matteCount - matteCount)
    let ofReading = secondsPerFrame - ofMatte * Double(matteCount)
    guard ofMatte > 0 else { return true }
    let least = min(Double(earlier.matteCount), (2 * ofReading / ofMatte).rounded(.up))
    let fitting = (Self.aim * limit / Double(frameCount) - ofReading) / ofMatte
    let better = Int(max(1, least, fitting.rounded(.down)))
    guard abs(better - matteCount) > matteCount / 4 else { return true }
    matteLimit = better
    return false
  }
}
