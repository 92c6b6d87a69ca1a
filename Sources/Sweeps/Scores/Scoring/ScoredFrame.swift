package struct ScoredFrame: Hashable, Sendable {
  package var number: Int
  /// Whether the setting produced a matte. A missing matte is scored as an empty one, so that
  /// omitting mattes gains nothing.
  package var hasMatte: Bool
  package var scores: ScoreRow

  package init(number: Int, hasMatte: Bool, scores: ScoreRow) {
    self.number = number
    self.hasMatte = hasMatte
    self.scores = scores
  }
}

package struct ScoredRecording: Hashable, Sendable {
  package var frames: [ScoredFrame]
  /// Scores of the recording. For scores of frames: the mean over the frames with a value, summed
  /// in play order; nil if no frame has one.
  package var summary: ScoreRow

  package init(frames: [ScoredFrame], summary: ScoreRow) {
    self.frames = frames
    self.summary = summary
  }
}
