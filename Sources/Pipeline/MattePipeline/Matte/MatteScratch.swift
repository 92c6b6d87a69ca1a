import Kernels
import Synchronization

/// Memory that a matte needs only while it is made, lent to one stage at a time. So a sweep's tree has as much of it as
/// it makes mattes at once, of each make of refinement, and not as it has settings.
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

  /// What a refinement has learned: the edge of a mask in a picture.
  struct Edge: Equatable {
    let mask: ObjectIdentifier
    /// Of the tree that shows the picture. No two pictures of it have the same.
    let turn: Int
  }

  final class Refinement {
    let filter: ColorRefinement
    var edge: Edge?
    /// CPU time that learning it took.
    var nanoseconds = 0

    init(_ filter: ColorRefinement) { self.filter = filter }
  }

  private let lock = Mutex(())
  private var samples = Free<MatteSamples>()
  private var refinements = Free<Refinement>()
  let clock: StageClock
  /// Whether several stages use it. One stage's keeps a single piece of each kind, that of its last parameters.
  let isShared: Bool

  package init(isShared: Bool = false, measuresTimes: Bool = false) {
    (self.isShared, clock) = (isShared, StageClock(isOn: measuresTimes))
  }

  /// - Returns: samples whose blocks tell what they hold.
  func takeSamples(width: Int, height: Int) -> MatteSamples {
    let free = lock.withLock { _ in samples.take { $0.width == width && $0.height == height } }
    return free ?? MatteSamples(width: width, height: height)
  }

  func giveBack(_ piece: MatteSamples) { lock.withLock { _ in samples.giveBack(piece, isShared: isShared) } }

  /// - Parameter edge: what it is for; nil if no other stage asks for the same.
  /// - Returns: one that has learned this edge, if there is one.
  func takeRefinement(
    _ make: ColorRefinement.Make, edge: Edge?, threadCount: Int, processor: Processor
  ) -> Refinement {
    let free = lock.withLock { _ in
      refinements.take { $0.filter.make == make && $0.edge == edge } ?? refinements.take { $0.filter.make == make }
    }
    return free ?? Refinement(ColorRefinement(make, threadCount: threadCount, processor: processor))
  }

  /// For a single stage that refines no longer.
  func forgetRefinements() {
    if !isShared { lock.withLock { _ in refinements = Free() } }
  }

  func giveBack(_ piece: Refinement) { lock.withLock { _ in refinements.giveBack(piece, isShared: isShared) } }
}
