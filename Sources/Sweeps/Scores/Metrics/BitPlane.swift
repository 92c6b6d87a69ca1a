import CKernels

/// Yes or no for each column of each row, a bit each: what neighbours, contours and counts are found in by 64 at a time.
///
/// The layout is that of CKernelsScores.h. It is written by kernels and by nothing else.
final class BitPlane {
  let words: UnsafeMutablePointer<UInt64>
  let wordCount: Int
  private let memory: UnsafeMutablePointer<UInt64>

  /// Zeros before the first row and after the last, which are looked at together with what is beside them.
  private static let margin = 4

  init(width: Int, height: Int) {
    wordCount = Self.wordCount(width: width, height: height)
    memory = .allocate(capacity: wordCount + 2 * Self.margin)
    memory.initialize(repeating: 0, count: wordCount + 2 * Self.margin)
    words = memory + Self.margin
  }

  deinit { memory.deallocate() }

  static func byteCount(width: Int, height: Int) -> Int { 8 * (wordCount(width: width, height: height) + 2 * margin) }

  private static func wordCount(width: Int, height: Int) -> Int { rtk_bit_stride(Int32(width)) * height }

  func countShared(with other: BitPlane, _ processor: RTKProcessor) -> Int {
    precondition(wordCount == other.wordCount)
    var count: Int64 = 0
    rtk_count_both(processor, words, other.words, wordCount, &count)
    return Int(count)
  }
}
