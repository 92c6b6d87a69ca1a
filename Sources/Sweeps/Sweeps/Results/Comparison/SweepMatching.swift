import FrameModel
import Kernels

/// Which settings and recordings of two sweeps are the same ones, whatever their numbers.
struct SweepMatching {
  /// Numbers in the second sweep, by those in the first; nil for what only the first has.
  let settings: [Int?]
  let recordings: [Int?]
  /// Numbers in the second sweep of what only it has.
  let extraSettings: [Int]
  let extraRecordings: [Int]
  /// Names of parameters that only one of them has. A later version may have more of them: they do not count.
  let extraParameters: (first: [String], second: [String])

  init(_ first: SweepIdentity, _ second: SweepIdentity) {
    let names = [first, second].map { Set($0.settings.first?.parameters.map(\.name) ?? []) }
    let common = names[0].intersection(names[1])
    (settings, extraSettings) = Self.match(
      first.settings.map { Self.key($0, common) }, second.settings.map { Self.key($0, common) })
    (recordings, extraRecordings) = Self.match(first.recordings.map(\.id), second.recordings.map(\.id))
    extraParameters = (names[0].subtracting(common).sorted(), names[1].subtracting(common).sorted())
  }

  /// A digest, for all parameters of all settings are too much text to keep.
  private static func key(_ setting: SweepIdentity.Setting, _ names: Set<String>) -> FrameDigest {
    let text = setting.parameters.filter { names.contains($0.name) }.sorted { $0.name < $1.name }
      .map { "\($0.name)=\($0.value)\n" }.joined()
    return Array(text.utf8).withUnsafeBytes { Checksum.xxh3Digest($0) }
  }

  /// Of equal ones the first goes with the first, the second with the second.
  private static func match<Key: Hashable>(_ first: [Key], _ second: [Key]) -> (matches: [Int?], extra: [Int]) {
    var places: [Key: [Int]] = [:]
    // Backwards, so that the last of each list is the next to be taken.
    for place in second.indices.reversed() { places[second[place], default: []].append(place) }
    let matches = first.map { places[$0]?.popLast() }
    let taken = Set(matches.compactMap { $0 })
    return (matches, second.indices.filter { !taken.contains($0) })
  }
}
