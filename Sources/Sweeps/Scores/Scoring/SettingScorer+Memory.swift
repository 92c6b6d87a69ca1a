extension SettingScorer {
  /// Estimates the memory that a scorer holds between frames: the previous matte, the mattes for
  /// lag, and each frame's scores. Scratch memory is part of the scenes.
  /// - Parameters:
  ///   - width, height: pixels.
  ///   - scores: the wanted scores. Include `.lag` only if `takeForLag` will be called.
  ///   - frameCount: number of frames that will be scored.
  /// - Returns: bytes, rather too many than too few.
  package static func byteCount(width: Int, height: Int, scores: Set<ScoreKind>, frameCount: Int = 0) -> Int {
    var byteCount = 4096
    if scores.inputs.contains(.before) {
      // A packed matte, of which nothing may be flat, and two planes with one bit per four pixels; each row has up to
      // five extra words.
      byteCount += 5 * (width + 31) / 4 * height + 2 * (width / 32 + 40) * height
    }
    if scores.contains(.lag) { byteCount += (LagEstimate().limit + 2) * (width / 4 * (height / 4) + 128) }
    // A growing array may have twice the capacity it needs.
    return byteCount + 2 * frameCount * (MemoryLayout<ScoredFrame>.stride + MemoryLayout<Double>.stride)
  }
}
