import CKernels

/// A plane with one bit per pixel, so that kernels process 64 pixels at a time.
///
/// The layout is that of CKernelsScores.h. Its padding stays 0 where kernels read it.
final class BitPlane {
  let words: UnsafeMutablePointer<UInt64>
  let wordCount: Int
  private let memory: UnsafeMutablePointer<UInt64>

  /// Zero words before the first row and after the last, since kernels read neighbours there.
  private static let margin = 4

  init(width: Int, height: Int) {
    wordCount = rtk_bit_stride(Int32(width)) * height
    memory = .allocate(capacity: wordCount + 2 * Self.margin)
    memory.initialize(repeating: 0, count: wordCount + 2 * Self.margin)
    words = memory + Self.margin
  }

  deinit { memory.deallocate() }

  /// Calls `body` with the column and row of each pixel that is set, row by row.
  func forEach(width: Int, height: Int, _ body: (_ x: Int, _ y: Int) -> Void) {
    let stride = rtk_bit_stride(Int32(width))
    for y in 0..<height {
      for word in 0..<(width + 63) / 64 {
        var left = words[y * stride + word]
        while left != 0 {
          body(64 * word + left.trailingZeroBitCount, y)
          left &= left - 1
        }
      }
    }
  }

  func countShared(with other: BitPlane, _ processor: RTKProcessor) -> Int {
    precondition(wordCount == other.wordCount)
    var count: Int64 = 0
    rtk_count_both(processor, words, other.words, wordCount, &count)
    return Int(count)
  }
}
