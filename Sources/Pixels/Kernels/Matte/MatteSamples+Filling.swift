import CKernels

/// For those who write samples: what the blocks hold must be told, or the stages that follow fill what they should read.
extension MatteSamples {
  /// Takes a mask's bytes times 64.
  /// - Parameters:
  ///   - mask: `width` · `height`, without padding.
  ///   - rows: which are read and written.
  package func fill(from mask: UnsafePointer<UInt8>, rows: Range<Int>, processor: Processor = .best) {
    rtk_matte_from_mask(
      processor.choice, mask, samples, blocks, Int32(width), Int32(rows.lowerBound), Int32(rows.count))
  }

  /// After samples were written by hand: repeats the last column in the padding, and finds out what the blocks hold.
  package func markBlocks(rows: Range<Int>, processor: Processor = .best) {
    rtk_mark_blocks(processor.choice, samples, blocks, Int32(width), Int32(rows.lowerBound), Int32(rows.count))
  }

  /// Says of every block that it has to be looked at, which is always true.
  package func markMixed() {
    blocks.update(repeating: UInt8(RTKBlockMixed), count: stride / Self.blockWidth * height)
  }

  /// Makes one of the samples that are of a kind; the rest stays.
  /// - Parameter kinds: of the first of `rows` on, without padding.
  package func add(
    kind: UInt8, of kinds: UnsafePointer<UInt8>, rows: Range<Int>, processor: Processor = .best
  ) {
    for (line, y) in rows.enumerated() {
      let (samples, kinds) = (row(y), kinds + line * width)
      for x in 0..<width where kinds[x] == kind { samples[x] = Self.one }
    }
    markBlocks(rows: rows, processor: processor)
  }
}
