import Synchronization

/// A pool of scratch memory for scoring frames. It grows with the number of threads, not of
/// settings.
final class ScratchPool: Sendable {
  /// Unchecked: only the thread that took a piece uses it, until it is given back.
  final class Piece: @unchecked Sendable {
    /// Holds the matte of the current frame.
    let matte: MatteFeatures
    /// Holds the matte without the pixels that the truth leaves out.
    private(set) lazy var judged = MatteFeatures(width: matte.width, height: matte.height, tolerance: matte.tolerance)
    let memory: ScoreMemory

    init(width: Int, height: Int, tolerance: Int) {
      matte = MatteFeatures(width: width, height: height, tolerance: tolerance)
      memory = ScoreMemory(width: width, height: height)
    }
  }

  let width: Int
  let height: Int
  /// Of boundaries, pixels.
  let tolerance: Int
  private let pieces = Mutex<[Piece]>([])

  init(width: Int, height: Int, tolerance: Int) {
    (self.width, self.height, self.tolerance) = (width, height, tolerance)
  }

  func take() -> Piece {
    pieces.withLock { $0.popLast() } ?? Piece(width: width, height: height, tolerance: tolerance)
  }
  func giveBack(_ piece: Piece) { pieces.withLock { $0.append(piece) } }
}
