import FrameModel
import Scores

/// Which setting over which recording, by their numbers.
package struct RunKey: Hashable, Sendable, Comparable {
  package var setting: Int
  package var recording: Int
  package init(setting: Int, recording: Int) { (self.setting, self.recording) = (setting, recording) }
  package static func < (a: RunKey, b: RunKey) -> Bool { (a.setting, a.recording) < (b.setting, b.recording) }
}

/// What became of one setting over one recording.
package struct SettingRun: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    case scored(ScoredRecording)
    /// One sentence with its hint. The sweep goes on.
    case failed(String)
  }

  package var key: RunKey
  package var outcome: Outcome
  /// Measured, so different every time: kept apart from what is computed.
  package var cost: StageCost?

  package init(key: RunKey, outcome: Outcome, cost: StageCost?) {
    (self.key, self.outcome, self.cost) = (key, outcome, cost)
  }
}

/// CPU time of a setting's stages, of those it shares with others too: what it costs by itself. Nanoseconds a frame, means.
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

/// A run without its frames: what lists, choices and reports look at.
package struct RunSummary: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    case scored(ScoreRow)
    case failed(String)
  }
  package var key: RunKey
  package var outcome: Outcome
  /// Frames that were played, and those of them without a matte.
  package var frameCount: Int
  package var missingCount: Int
  package var cost: StageCost?

  package init(key: RunKey, outcome: Outcome, frameCount: Int, missingCount: Int, cost: StageCost?) {
    (self.key, self.outcome, self.frameCount, self.missingCount, self.cost) = (
      key, outcome, frameCount, missingCount, cost
    )
  }
}
