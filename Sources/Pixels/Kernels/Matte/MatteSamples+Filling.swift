import CKernels

/// Code that writes samples must update the block flags: later stages do not read uniform blocks.
extension MatteSamples {

  /// Updates the block flags, and repeats the last column in the padding.
  package func markBlocks(rows: Range<Int>, processor: Processor = .best) {
    rtk_mark_blocks(processor.choice, samples, blocks, Int32(width), Int32(rows.lowerBound), Int32(rows.count))
  }

  /// Marks all blocks as mixed, which is always valid.
  package func markMixed() {
    blocks.update(repeating: UInt8(RTKBlockMixed), count: stride / Self.blockWidth * height)
  }

  /// Sets samples of a kind to one; the rest stays.
  /// - Parameter kinds: starts at the first of `rows`, without padding.
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
