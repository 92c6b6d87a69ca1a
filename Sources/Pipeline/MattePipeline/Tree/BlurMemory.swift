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
    var byteCount = 0
    var foundCount = 0
    var madeCount = 0

    /// Keeping costs a third of a blur; where few settings differ in what comes after it, none is kept any longer.
    var isUseful: Bool { madeCount < BlurMemory.trialCount || foundCount * 4 > madeCount }
  }

  private static let trialCount = 300

  package let byteLimit: Int
  private let state = Mutex(State())

  package init(byteLimit: Int) { self.byteLimit = byteLimit }

  package var foundCount: Int { state.withLock { $0.foundCount } }
  package var keptCount: Int { state.withLock { $0.kept.count } }

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
    let packed = PackedBlur(output)
    state.withLock { state in
      if state.byteCount + packed.byteCount > byteLimit { (state.kept, state.byteCount) = ([:], 0) }
      guard state.isUseful else { return (state.kept, state.byteCount) = ([:], 0) }
      guard packed.byteCount <= byteLimit, state.kept.updateValue(packed, forKey: key) == nil else { return }
      state.byteCount += packed.byteCount
    }
  }
}

/// A blurred mask without the samples of its uniform blocks, which are most.
private struct PackedBlur {
  private let blocks: [UInt8]
  private let samples: [UInt32]
  /// With what a dictionary takes.
  var byteCount: Int { blocks.count + 4 * samples.count + 200 }

  init(_ mask: BlurredMask) {
    let blocks = Array(UnsafeBufferPointer(start: mask.blocks, count: mask.blockCount))
    let mixed = blocks.indices.filter { BlurredMask.isMixed(blocks[$0]) }
    samples = Array(unsafeUninitializedCapacity: mixed.count * BlurredMask.blockWidth) { target, count in
      for (place, block) in mixed.enumerated() {
        (target.baseAddress! + place * BlurredMask.blockWidth).initialize(
          from: mask.samples + block * BlurredMask.blockWidth, count: BlurredMask.blockWidth)
      }
      count = target.count
    }
    self.blocks = blocks
  }

  /// - Parameter mask: of the same size.
  func unpack(to mask: BlurredMask) {
    precondition(blocks.count == mask.blockCount)
    mask.blocks.update(from: blocks, count: blocks.count)
    samples.withUnsafeBufferPointer { source in
      guard var next = source.baseAddress else { return }
      for (block, kind) in blocks.enumerated() where BlurredMask.isMixed(kind) {
        (mask.samples + block * BlurredMask.blockWidth).update(from: next, count: BlurredMask.blockWidth)
        next += BlurredMask.blockWidth
      }
    }
  }
}
