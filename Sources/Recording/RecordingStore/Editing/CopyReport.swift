import Support

/// What a copy of recordings holds.
package struct CopyReport: Hashable, Sendable {
  package var frameCounts: [Int]
  package var markCount: Int
  package var byteCount: Int
  /// Sentences about frames that could not be read and are left out.
  package var damage: [String]
  /// Of joined recordings: nanoseconds from the end of each to the next one's begin.
  package var gaps: [Int64] = []

  /// Closes the files of a copy.
  /// - Throws: when they could not be written completely, or hold no frame.
  init(closing files: RecordingFiles, damage: [String]) throws(RetakeError) {
    files.close()
    if let failure = files.failure { throw failure }
    frameCounts = files.status.frameCounts
    guard frameCounts.contains(where: { $0 > 0 }) else {
      throw RetakeError(
        .corrupt, "None of the frames could be read, so nothing is copied\(damage.first.map { ": \($0)" } ?? ".")",
        hint: "'retake verify' says what is damaged")
    }
    markCount = files.status.markCount
    byteCount = files.byteCount
    self.damage = damage
  }
}
