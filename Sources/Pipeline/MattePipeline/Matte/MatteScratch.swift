import Kernels
import Synchronization

/// Memory that a matte needs only while it is made, lent to one stage at a time. So a sweep's tree has as much of it as
/// threads, not as settings, and most of it stays in the cache.
// Unchecked: the lists are used under the lock, and what is lent by the stage that took it.
package final class MatteScratch: @unchecked Sendable {
  private struct Free<Piece> {
    private var pieces: [Piece] = []

    /// - Returns: the last one that fits, which is most likely still in the cache; nil if there is none.
    mutating func take(where fits: (Piece) -> Bool) -> Piece? {
      pieces.lastIndex(where: fits).map { pieces.remove(at: $0) }
    }

    mutating func giveBack(_ piece: Piece, isShared: Bool) {
      if !isShared { pieces.removeAll(keepingCapacity: true) }
      pieces.append(piece)
    }
  }

  private let lock = Mutex(())
  private var samples = Free<MatteSamples>()
  private var refinements = Free<ColorRefinement>()
  /// Whether several stages use it. One stage's keeps a single piece of each kind, that of its last parameters.
  let isShared: Bool

  package init(isShared: Bool) { self.isShared = isShared }

  /// - Returns: samples whose blocks tell what they hold.
  func takeSamples(width: Int, height: Int) -> MatteSamples {
    let free = lock.withLock { _ in samples.take { $0.width == width && $0.height == height } }
    return free ?? MatteSamples(width: width, height: height)
  }

  func giveBack(_ piece: MatteSamples) { lock.withLock { _ in samples.giveBack(piece, isShared: isShared) } }

  func takeRefinement(_ make: ColorRefinement.Make, threadCount: Int, processor: Processor) -> ColorRefinement {
    let free = lock.withLock { _ in refinements.take { $0.make == make } }
    return free ?? ColorRefinement(make, threadCount: threadCount, processor: processor)
  }

  func giveBack(_ piece: ColorRefinement) { lock.withLock { _ in refinements.giveBack(piece, isShared: isShared) } }
}
