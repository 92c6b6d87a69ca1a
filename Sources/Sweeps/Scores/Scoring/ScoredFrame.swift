/// What one setting's matte of one frame is worth.
package struct ScoredFrame: Hashable, Sendable {
  /// The frame set's number.
  package var number: Int
  /// False where the setting gave no matte: it is then scored as an empty one, so that nothing is gained by not answering.
  package var hasMatte: Bool
  package var scores: ScoreRow

  package init(number: Int, hasMatte: Bool, scores: ScoreRow) {
    self.number = number
    self.hasMatte = hasMatte
    self.scores = scores
  }
}

/// What one setting is worth over one recording.
package struct ScoredRecording: Hashable, Sendable {
  /// In the order in which they were played.
  package var frames: [ScoredFrame]
  /// Of kinds that are of frames the mean over those that have a value, added up in this order; nil where none has.
  package var summary: ScoreRow

  package init(frames: [ScoredFrame], summary: ScoreRow) {
    self.frames = frames
    self.summary = summary
  }
}
