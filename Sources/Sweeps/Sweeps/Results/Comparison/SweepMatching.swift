import FrameModel
import Kernels

/// Pairs the settings and recordings of two sweeps, independent of their numbers.
struct SweepMatching {
  /// Numbers in the second sweep, indexed by numbers in the first; nil without a match.
  let settings: [Int?]
  /// Of two sweeps of one setting each, which are matched in any case: "matte.blur 1 / 2" for each parameter that differs.
  let otherValues: [String]
  let recordings: [Int?]
  /// Numbers of unmatched settings in the second sweep.
  let extraSettings: [Int]
  let extraRecordings: [Int]
  /// Parameters that only one sweep knows, for example a later version. Matching ignores them.
  let extraParameters: (first: [String], second: [String])

  init(_ first: SweepIdentity, _ second: SweepIdentity) {
    let names = [first, second].map { Set($0.settings.first?.parameters.map(\.name) ?? []) }
    let common = names[0].intersection(names[1])
    if first.settings.count == 1, second.settings.count == 1 {
      (settings, extraSettings) = ([0], [])
      otherValues = Self.differences(first.settings[0], second.settings[0])
    } else {
      (settings, extraSettings) = Self.match(
        first.settings.map { Self.key($0, common) }, second.settings.map { Self.key($0, common) })
      otherValues = []
    }
    (recordings, extraRecordings) = Self.match(first.recordings.map(\.id), second.recordings.map(\.id))
    extraParameters = (names[0].subtracting(common).sorted(), names[1].subtracting(common).sorted())
  }

  private static func differences(_ first: SweepIdentity.Setting, _ second: SweepIdentity.Setting) -> [String] {
    first.parameters.compactMap { own in
      guard let other = second.parameters.first(where: { $0.name == own.name }), other.value != own.value else {
        return nil
      }
      return own.name + " " + [own, other].map { $0.value.isEmpty ? "none" : $0.value }.joined(separator: " / ")
    }
  }

  /// A digest, since the parameters of all settings would take too much memory.
  private static func key(_ setting: SweepIdentity.Setting, _ names: Set<String>) -> FrameDigest {
    let text = setting.parameters.filter { names.contains($0.name) }.sorted { $0.name < $1.name }
      .map { "\($0.name)=\($0.value)\n" }.joined()
    return Array(text.utf8).withUnsafeBytes { Checksum.xxh3Digest($0) }
  }

  /// Equal keys are paired in order.
  private static func match<Key: Hashable>(_ first: [Key], _ second: [Key]) -> (matches: [Int?], extra: [Int]) {
    var places: [Key: [Int]] = [:]
    // In reverse, so that `popLast` takes the first index.
    for place in second.indices.reversed() { places[second[place], default: []].append(place) }
    let matches = first.map { places[$0]?.popLast() }
    let taken = Set(matches.compactMap { $0 })
    return (matches, second.indices.filter { !taken.contains($0) })
  }
}
