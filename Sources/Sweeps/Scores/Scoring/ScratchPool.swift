import Synchronization

/// Memory that scoring a frame needs and no scorer has to keep: as many pieces as threads score at once, not as settings.
final class ScratchPool: Sendable {
  /// Unchecked: a piece belongs to whoever took it, until it is given back.
  final class Piece: @unchecked Sendable {
    /// What this frame's matte is looked at in. A scorer that needs the matte later leaves another in its place.
    var matte: MatteFeatures
    let memory: ScoreMemory

    init(width: Int, height: Int) {
      matte = MatteFeatures(width: width, height: height)
      memory = ScoreMemory(width: width, height: height)
    }
  }

  /// Pixels.
  let width: Int
  let height: Int
  private let pieces = Mutex<[Piece]>([])

  init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  func take() -> Piece { pieces.withLock { $0.popLast() } ?? Piece(width: width, height: height) }
  func giveBack(_ piece: Piece) { pieces.withLock { $0.append(piece) } }
}
