import FrameModel
import Kernels
import Synchronization

/// Blurred masks of earlier trees, by the mask's pixels. Where many trees play the same frames, many of their settings differ
/// in what comes after the blur, which takes most of a matte's time. What is not kept is made again, so this affects only
/// speed.
package final class BlurMemory: Sendable {
  private struct Key: Hashable {
    let mask: FrameDigest
    let width: Int
    /// Of the parameters, see `ParameterSet.blurText`.
    let blur: String
  }

  private struct State {
    var kept: [Key: PackedBlur] = [:]
    var block: PackedBlur.Block?
    /// Of all blocks.
    var byteCount = 0
    var foundCount = 0
    var madeCount = 0

    /// Keeping costs a third of a blur; where few settings differ in what comes after it, none is kept any longer.
    var isUseful: Bool { madeCount < BlurMemory.trialCount || foundCount * 4 > madeCount }

    mutating func removeAll() { (kept, block, byteCount) = ([:], nil, 0) }

    /// - Returns: nil if it is more than the limit.
    mutating func reserve(_ count: Int, limit: Int) -> PackedBlur.Place? {
      if let place = block?.reserve(count) { return place }
      let size = PackedBlur.Block.byteCount(of: count)
      guard size <= limit else { return nil }
      if byteCount + size > limit { removeAll() }
      let new = PackedBlur.Block(byteCount: size)
      (block, byteCount) = (new, byteCount + size)
      return new.reserve(count)
    }
  }

  private static let trialCount = 300
  package let byteLimit: Int
  private let state = Mutex(State())

  package init(byteLimit: Int) { self.byteLimit = byteLimit }

  package var foundCount: Int { state.withLock { $0.foundCount } }
  package var keptCount: Int { state.withLock { $0.kept.count } }

  package func removeAll() { state.withLock { $0.removeAll() } }

  /// Writes the blurred mask to `output`: the one that is kept, or what `make` writes there.
  func recall(_ mask: PixelPlane<UInt8>, _ blur: String, to output: BlurredMask, make: () -> Void) {
    guard state.withLock({ $0.isUseful }) else { return make() }
    let key = Key(mask: Checksum.xxh3Digest(mask.bytes), width: mask.width, blur: blur)
    let known = state.withLock { state in
      let known = state.kept[key]
      if known == nil { state.madeCount += 1 } else { state.foundCount += 1 }
      return known
    }
    if let known { return known.unpack(to: output) }
    make()
    let place = state.withLock { $0.reserve(PackedBlur.byteCount(output), limit: byteLimit) }
    guard let place else { return }
    let packed = PackedBlur(output, place)
    state.withLock { state in
      guard state.isUseful else { return state.removeAll() }
      state.kept[key] = packed
    }
  }
}
