enum SweepDifference: String {
  case pipelineRevision = "pipeline revision"
  case version
  case preset
  case settings
  case recordings
  case scores
  case truth
  case boundaryTolerance = "boundary tolerance"

  /// Such as "its settings differ".
  var words: String {
    switch self {
    case .pipelineRevision, .version, .preset, .truth, .boundaryTolerance: "its \(rawValue) differs"
    case .settings, .recordings, .scores: "its \(rawValue) differ"
    }
  }
}

extension SweepIdentity {
  /// The first difference; nil if both sweeps have the same results.
  func difference(from other: SweepIdentity) -> SweepDifference? {
    if pipelineRevision != other.pipelineRevision { return .pipelineRevision }
    if version != other.version { return .version }
    if preset != other.preset { return .preset }
    if settings != other.settings || tried != other.tried || defaultSetting != other.defaultSetting {
      return .settings
    }
    guard recordings.count == other.recordings.count else { return .recordings }
    let pairs = zip(recordings, other.recordings)
    if pairs.contains(where: { !$0.playsAs($1) }) { return .recordings }
    if scores != other.scores { return .scores }
    if pairs.contains(where: { $0.truth != $1.truth || $0.truthFrameCount != $1.truthFrameCount }) { return .truth }
    if pairs.contains(where: { $0.boundaryTolerance != $1.boundaryTolerance }) { return .boundaryTolerance }
    if pairs.contains(where: { $0.absences.map(\.score) != $1.absences.map(\.score) }) { return .scores }
    return nil
  }
}

extension SweepIdentity.Recording {
  /// Whether the same frames are played, whatever the recording's path and its truth.
  func playsAs(_ other: SweepIdentity.Recording) -> Bool {
    number == other.number && id == other.id && frames == other.frames && every == other.every
      && width == other.width && height == other.height
  }
}
