extension SettingScorer {
  /// What a scorer holds between frames, for a sweep that has to fit into memory: the matte before with what was found in it,
  /// the mattes that lag is told by (where `takeForLag` is called; leave that score out for others), and each frame's scores.
  /// What it works in meanwhile belongs to the scenes, once for each thread.
  /// - Parameters:
  ///   - width, height: pixels.
  ///   - scores: what is wanted.
  ///   - frameCount: that will be taken.
  /// - Returns: bytes, rather too many than too few.
  package static func byteCount(width: Int, height: Int, scores: Set<ScoreKind>, frameCount: Int = 0) -> Int {
    var byteCount = 4096
    if scores.inputs.contains(.before) {
      // A copy, four planes of bits and four of a bit for four pixels, each with up to five words more in a row.
      byteCount += width * height + 4 * (width / 8 + 40) * height + 4 * (width / 32 + 40) * height
    }
    if scores.contains(.lag) { byteCount += (LagEstimate().limit + 2) * (width / 4 * (height / 4) + 128) }
    // An array that grows has up to twice the room it needs.
    return byteCount + 2 * frameCount * (MemoryLayout<ScoredFrame>.stride + MemoryLayout<Double>.stride)
  }
}
