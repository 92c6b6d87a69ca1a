import Synchronization

/// A pool of scratch memory for scoring frames. It grows with the number of threads, not of
/// settings.
final class ScratchPool: Sendable {
  /// Unchecked: only the thread that took a piece uses it, until it is given back.
  final class Piece: @unchecked Sendable {
    /// Holds the matte of the current frame. A scorer that needs the matte later swaps in another
    /// one.
    var matte: MatteFeatures
    let memory: ScoreMemory

    init(width: Int, height: Int) {
      matte = MatteFeatures(width: width, height: height)
      memory = ScoreMemory(width: width, height: height)
    }
  }

  let width: Int
  let height: Int
  private let pieces = Mutex<[Piece]>([])

  init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  func take() -> Piece { pieces.withLock { $0.popLast() } ?? Piece(width: width, height: height) }
  func giveBack(_ piece: Piece) { pieces.withLock { $0.append(piece) } }
}
