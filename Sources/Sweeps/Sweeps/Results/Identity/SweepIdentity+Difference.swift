/// What differs between two sweeps: the value of the first and of the second, where they are short.
enum SweepDifference: Hashable {
  case pipelineRevision(String, String)
  case version(String, String)
  case preset(String, String)
  case settings
  case recordings
  case frames(String, String)
  case scores
  case truth
  case boundaryTolerance(String, String)

  /// Such as "its settings differ", or "its preset differs: desk there, face here".
  var words: String {
    func differs(_ what: String, _ there: String, _ here: String) -> String {
      "its \(what) differs: \(there) there, \(here) here"
    }
    return switch self {
    case .pipelineRevision(let there, let here): differs("pipeline revision", there, here)
    case .version(let there, let here): differs("version", there, here)
    case .preset(let there, let here): differs("preset", there, here)
    case .settings: "its settings differ"
    case .recordings: "its recordings differ"
    case .frames(let there, let here): "its frames differ: there \(there), here \(here)"
    case .scores: "its scores differ"
    case .truth: "its truth differs"
    case .boundaryTolerance(let there, let here): differs("boundary tolerance", there, here)
    }
  }
}

extension SweepIdentity {
  /// The first difference; nil if both sweeps have the same results.
  func difference(from other: SweepIdentity) -> SweepDifference? {
    if pipelineRevision != other.pipelineRevision {
      return .pipelineRevision(Self.text(pipelineRevision), Self.text(other.pipelineRevision))
    }
    if version != other.version { return .version(version, other.version) }
    if preset != other.preset { return .preset(preset, other.preset) }
    if settings != other.settings || tried != other.tried || defaultSetting != other.defaultSetting {
      return .settings
    }
    guard recordings.count == other.recordings.count else { return .recordings }
    let pairs = zip(recordings, other.recordings)
    if pairs.contains(where: { !$0.isSame(as: $1) }) { return .recordings }
    if let (one, two) = pairs.first(where: { $0.frames != $1.frames || $0.every != $1.every }) {
      return .frames(one.frameWords, two.frameWords)
    }
    if scores != other.scores { return .scores }
    if pairs.contains(where: { $0.truth != $1.truth || $0.truthFrameCount != $1.truthFrameCount }) { return .truth }
    if let (one, two) = pairs.first(where: { $0.boundaryTolerance != $1.boundaryTolerance }) {
      return .boundaryTolerance(Self.text(one.boundaryTolerance), Self.text(two.boundaryTolerance))
    }
    if pairs.contains(where: { $0.absences.map(\.score) != $1.absences.map(\.score) }) { return .scores }
    return nil
  }

  private static func text(_ value: Int?) -> String { value.map(String.init) ?? "none" }
}

extension SweepIdentity.Recording {
  /// Whether its pictures are the same, whatever its path, its truth and the frames that are played.
  fileprivate func isSame(as other: SweepIdentity.Recording) -> Bool {
    number == other.number && id == other.id && width == other.width && height == other.height
  }

  /// "0 to 89 with --every 50".
  fileprivate var frameWords: String {
    let span = frames.count == 1 ? "\(frames.lowerBound)" : "\(frames.lowerBound) to \(frames.upperBound - 1)"
    return every == 1 ? span : "\(span) with --every \(every)"
  }
}
