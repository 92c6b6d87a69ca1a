import Scores

/// Identifies one setting over one recording, by their numbers.
package struct RunKey: Hashable, Sendable, Comparable {
  package var setting: Int
  package var recording: Int
  package init(setting: Int, recording: Int) { (self.setting, self.recording) = (setting, recording) }
  package static func < (a: RunKey, b: RunKey) -> Bool { (a.setting, a.recording) < (b.setting, b.recording) }
}

/// The results of one setting over one recording.
package struct SettingRun: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    case scored(ScoredRecording)
    /// The error's sentence with its hint. The sweep continues.
    case failed(String)
  }

  package var key: RunKey
  package var outcome: Outcome
  /// Measured, so it varies from run to run.
  package var cost: StageCost?

  package init(key: RunKey, outcome: Outcome, cost: StageCost?) {
    (self.key, self.outcome, self.cost) = (key, outcome, cost)
  }
}

/// Mean CPU time in nanoseconds per frame. A shared stage counts in full for each setting.
package struct StageCost: Hashable, Sendable {
  package var color: Double
  package var depth: Double
  package var mask: Double
  package var matte: Double
  package init(color: Double, depth: Double, mask: Double, matte: Double) {
    (self.color, self.depth, self.mask, self.matte) = (color, depth, mask, matte)
  }
  package var total: Double { color + depth + mask + matte }
}

/// A run without its frames, for lists, choices and reports.
package struct RunSummary: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    case scored(ScoreRow)
    case failed(String)
  }
  package var key: RunKey
  package var outcome: Outcome
  /// Played frames, and those of them without a matte.
  package var frameCount: Int
  package var missingCount: Int
  package var cost: StageCost?

  package init(key: RunKey, outcome: Outcome, frameCount: Int, missingCount: Int, cost: StageCost?) {
    (self.key, self.outcome, self.frameCount, self.missingCount, self.cost) = (
      key, outcome, frameCount, missingCount, cost
    )
  }
}
