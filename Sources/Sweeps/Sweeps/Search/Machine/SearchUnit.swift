/// A short run of consecutive frames of one recording, on which settings are scored in a search.
package struct SearchUnit: Hashable, Sendable {
  package var recording: Int
  /// Frame positions of what is played that are scored, from 0.
  package var frames: Range<Int>
  /// The most positions played: those scored, frames before them that warm up, and frames after them
  /// that look-ahead needs.
  package var played: Range<Int>

  package init(recording: Int, frames: Range<Int>, played: Range<Int>) {
    (self.recording, self.frames, self.played) = (recording, frames, played)
  }

  /// With all that any setting needs.
  package var cost: Int { played.count }

  /// Positions played for a setting.
  package func played(_ lead: SearchLead) -> Range<Int> {
    let before = min(lead.warmUp, frames.lowerBound - played.lowerBound)
    return frames.lowerBound - before..<frames.upperBound + min(lead.runOut, played.upperBound - frames.upperBound)
  }
}

/// What a setting needs played round the frames that it is scored on.
package struct SearchLead: Hashable, Sendable {
  /// `Int.max` for all frames from the beginning.
  package var warmUp: Int
  package var runOut: Int

  package init(warmUp: Int, runOut: Int) { (self.warmUp, self.runOut) = (warmUp, runOut) }
  /// All that a unit may need.
  package static let most = SearchLead(warmUp: .max, runOut: .max)
}

/// The scores of one setting on one unit.
package enum SearchScore: Hashable, Sendable {
  /// By score of the goal: the sum over the frames that have a value, in frame order, and their count.
  case scored([Sum])
  /// The setting cannot be played there; it takes no further part.
  case failed

  var hasValue: Bool {
    guard case .scored(let sums) = self else { return false }
    return sums.contains { $0.count > 0 }
  }

  package struct Sum: Hashable, Sendable {
    package var total: Double
    package var count: Int

    package init(total: Double = 0, count: Int = 0) { (self.total, self.count) = (total, count) }

    var mean: Double? { count == 0 ? nil : total / Double(count) }
  }
}

/// What a search asks for next: settings, each on consecutive units.
package struct SearchRung: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    /// Counted from 0 in the order in which settings are first touched.
    package var setting: Int
    package var point: SearchLattice.Point
    /// Indices of units. Those from the number of units on are the same frames, but all of the
    /// recordings is played without a pause, as in a sweep: then they are all units.
    package var units: Range<Int>
  }

  package var parts: [Part]
}
