import Parameters
import Scores
import Support

/// Divides a sweep's runs into parts: by recording first, since every part reads all frames of its recordings, and then in
/// the order in which settings share most stages.
///
/// All parts together have every run once. The division depends on the definition and the recordings alone, never on time
/// or on what is done already, so every machine computes the same one.
package struct SweepParts {
  package let count: Int
  /// By recording, then by part, setting numbers.
  private let settings: [[[Int]]]

  /// - Parameter settings: those of `identity`.
  package init(_ settings: [ParameterSet], _ identity: SweepIdentity, count: Int) throws(RetakeError) {
    precondition(count >= 1 && settings.count == identity.settings.count)
    self.count = count
    var orders: [Bool: (mattes: [DistinctMatte], failures: [(setting: Int, sentence: String)])] = [:]
    var recordings: [(mattes: [DistinctMatte], failing: [Int], frameCount: UInt128)] = []
    for recording in identity.recordings {
      let measuresLag = identity.scores.contains(.lag) && !recording.absences.contains { $0.score == .lag }
      if orders[measuresLag] == nil {
        orders[measuresLag] = try BatchPlan.mattes(settings.indices, of: settings, measuresLag: measuresLag)
      }
      let order = orders[measuresLag] ?? ([], [])
      let frameCount = (recording.frames.count + recording.every - 1) / recording.every
      recordings.append((order.mattes, order.failures.map(\.setting), UInt128(frameCount)))
    }
    // Work is counted in mattes × frames. Wider than 64 bits: a damaged recording may name any number of frames.
    let whole = recordings.reduce(UInt128(0)) { $0 + UInt128($1.mattes.count) * $1.frameCount }
    var done: UInt128 = 0
    func part() -> Int { whole == 0 ? 0 : Int(min(done * UInt128(count) / whole, UInt128(count - 1))) }
    self.settings = recordings.map { mattes, failing, frameCount in
      var parts = [[Int]](repeating: [], count: count)
      parts[part()] += failing
      for matte in mattes {
        // Settings with the same matte stay together.
        parts[part()] += matte.settings
        done += frameCount
      }
      return parts.map { $0.sorted() }
    }
  }

  /// Returns the part's setting numbers for each recording, in rising order.
  /// - Parameter number: from 1.
  package func settings(ofPart number: Int) -> [[Int]] { settings.map { $0[number - 1] } }

  /// Returns the part's runs, by recording, then setting.
  package func runs(ofPart number: Int) -> [RunKey] {
    settings(ofPart: number).enumerated().flatMap { recording, settings in
      settings.map { RunKey(setting: $0, recording: recording) }
    }
  }
}
