import Kernels
import MatteMetrics
import Synchronization

/// Memory that scoring a frame needs and no scorer has to keep: as many pieces as threads score at once, not as settings.
final class ScratchPool: Sendable {
  /// Unchecked: a piece belongs to whoever took it, until it is given back.
  final class Piece: @unchecked Sendable {
    let components: Components
    /// All zero: the matte of a setting that gave none.
    let empty: PixelPlane<UInt8>

    init(width: Int, height: Int) {
      components = Components(width: width, height: height)
      empty = PixelPlane(width: width, height: height)
    }
  }

  let width: Int
  let height: Int
  private let pieces = Mutex<[Piece]>([])

  init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  func take() -> Piece { pieces.withLock { $0.popLast() } ?? Piece(width: width, height: height) }
  func giveBack(_ piece: Piece) { pieces.withLock { $0.append(piece) } }
}
