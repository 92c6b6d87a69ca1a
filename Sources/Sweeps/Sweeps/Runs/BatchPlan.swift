import MattePipeline
import Parameters
import Support

/// Divides a recording's remaining settings into batches; each batch is one pass over the
/// recording.
struct BatchPlan {
  private(set) var failures: [(setting: Int, sentence: String)] = []
  private(set) var batches: [[DistinctMatte]] = []
  private(set) var byteCount = 0

  /// Maximum settings per batch.
  static let settingLimit = 64

  /// - Parameters:
  ///   - left: numbers of the remaining settings.
  ///   - measuresLag: whether to compute each setting's lag reference in the same batch.
  init(
    _ left: [Int], of settings: [ParameterSet], measuresLag: Bool, memory: SweepMemory, memoryLimit: Int
  ) throws(RetakeError) {
    let found = try Self.mattes(left, of: settings, measuresLag: measuresLag)
    failures = found.failures
    fill(found.mattes, memory, memoryLimit)
  }

  /// Returns distinct mattes in the order that shares most stages, and the settings that fail at once.
  static func mattes(
    _ numbers: some Sequence<Int>, of settings: [ParameterSet], measuresLag: Bool
  ) throws(RetakeError) -> (mattes: [DistinctMatte], failures: [(setting: Int, sentence: String)]) {
    var mattes: [DistinctMatte.Origin: DistinctMatte] = [:]
    var failures: [(setting: Int, sentence: String)] = []
    for number in numbers {
      let setting = settings[number]
      guard PipelineNeeds(setting).needsMask else {
        failures.append((number, withoutMatte(setting)))
        continue
      }
      let origin = DistinctMatte.Origin(setting)
      if mattes[origin] == nil {
        let reference = measuresLag ? try LagReference.parameters(of: origin.parameters) : nil
        mattes[origin] = DistinctMatte(
          origin: origin, settings: [], reference: reference.map(DistinctMatte.Origin.init))
      }
      mattes[origin]?.settings.append(number)
    }
    return (sorted(Array(mattes.values)), failures)
  }

  private static func withoutMatte(_ setting: ParameterSet) -> String {
    let kind = PipelineParameters.composite.kind
    return "\(kind.declaration.name)=\(setting[kind]) makes no matte that could be scored. "
      + "(try kinds of composite that keep a person apart)"
  }

  /// Sorts mattes so that those with the same lag reference, and then with the same stages, are
  /// adjacent.
  private static func sorted(_ mattes: [DistinctMatte]) -> [DistinctMatte] {
    func stages(_ set: ParameterSet) -> [String] { ["depth", "mask", "matte"].map { set.text(ofGroup: $0) } }
    func reference(_ matte: DistinctMatte) -> [String] {
      let parameters = (matte.reference ?? matte.origin).parameters
      return stages(parameters) + [parameters.canonicalText]
    }
    let hasReferences = mattes.contains { $0.reference != nil }
    return mattes.map { (key: (hasReferences ? reference($0) : []) + stages($0.origin.parameters), matte: $0) }
      .sorted { a, b in
        if a.key != b.key { return a.key.lexicographicallyPrecedes(b.key) }
        let texts = (a.matte.origin.parameters.canonicalText, b.matte.origin.parameters.canonicalText)
        return texts.0 == texts.1 ? a.matte.settings[0] < b.matte.settings[0] : texts.0 < texts.1
      }
      .map(\.matte)
  }

  private mutating func fill(_ mattes: [DistinctMatte], _ memory: SweepMemory, _ limit: Int) {
    var batch: [DistinctMatte] = []
    var account = memory
    var settingCount = 0
    for matte in mattes {
      var grown = account
      grown.add(matte)
      if !batch.isEmpty, grown.byteCount > limit || settingCount + matte.settings.count > Self.settingLimit {
        batches.append(batch)
        (batch, grown, settingCount) = ([], memory, 0)
        grown.add(matte)
      }
      account = grown
      self.byteCount = max(self.byteCount, account.byteCount)
      batch.append(matte)
      settingCount += matte.settings.count
    }
    if !batch.isEmpty { batches.append(batch) }
  }
}
