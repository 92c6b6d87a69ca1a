internal import FrameModel
public import RetakeReader
internal import Scores
internal import Support
internal import Sweeps

/// What a sweep found.
public struct SweepResults: Sendable {
  public struct Setting: Hashable, Sendable {
    /// Counts settings from 0, in the order in which they were made.
    public let number: Int
    /// The varied parameters, by name.
    public let values: [String: String]
    /// Means over the recordings, by score; a score that no recording can have is missing.
    public let scores: [String: Double]
    /// CPU time of all stages in milliseconds per frame; nil if a run failed. Measured, so it varies.
    public let milliseconds: Double?
    /// The sentence of the first run that failed; nil if none did.
    public let failure: String?
  }

  public let settings: [Setting]
  private let identity: SweepIdentity
  private let summaries: [RunSummary]

  /// The best setting.
  /// - Parameter choice: limits, then a score: "flicker<1,iou".
  /// - Throws: `usage` for an unknown score, or one that the sweep does not have; `notFound` if no
  ///   setting is within the limits.
  public func best(_ choice: String) throws(RetakeReader.RetakeError) -> Setting {
    try RetakeReader.RetakeError.publicly { () throws(InsideError) in
      settings[try SweepChoice(choice).best(of: summaries, identity).setting]
    }
  }

  init(_ identity: SweepIdentity, _ summaries: [RunSummary]) {
    (self.identity, self.summaries) = (identity, summaries)
    let means = SettingMeans(summaries, identity)
    settings = identity.settings.map { setting in
      var scores: [String: Double] = [:]
      for kind in identity.scores { scores[kind.name] = means.value(.score(kind), of: setting.number) }
      let tried = setting.parameters.filter { identity.tried.contains($0.name) }
      let failures = summaries.filter { $0.key.setting == setting.number }.sorted { $0.key < $1.key }
        .compactMap { if case .failed(let sentence) = $0.outcome { sentence } else { nil } }
      return Setting(
        number: setting.number, values: Dictionary(tried.map { ($0.name, $0.value) }) { first, _ in first },
        scores: scores, milliseconds: means.value(.cost, of: setting.number), failure: failures.first)
    }
  }
}
