import FrameModel
import RecordingStore
import Replay
import Scores
import Support

extension Recording {
  /// Identifies what a sweep plays: the recording, how it is aligned, its faces, and its calibration given later.
  func sweepID() throws(RetakeError) -> String {
    let shift = try depthShift()
    return identity.id + (shift == .none ? "" : " moved \(shift.x) \(shift.y)")
      + (calibrationKey.map { " calibration \($0)" } ?? "") + (try facesKey().map { " faces \($0)" } ?? "")
  }
}

extension SweepSource {
  /// Frame sets read from the index at once.
  private static let pageLength = 4096

  /// - Parameter showsOthers: whether a tried setting can show frames between the played ones.
  /// - Throws: `.unsupported` for a recording without colour or without frames in the played part.
  func identity(_ number: Int, scores: [ScoreKind], showsOthers: Bool) throws(RetakeError) -> SweepIdentity.Recording {
    let order = try playedOrder()
    let color = try colorStream()
    var absences: [SweepIdentity.Absence] = []
    func leaveOut(_ need: ScoreKind.Need, _ reason: String?) {
      guard let reason else { return }
      for score in scores where score.need == need {
        absences.append(SweepIdentity.Absence(score: score, reason: reason))
      }
    }
    // Frames that settings may show: every n-th, or all of them.
    var shown = order
    if showsOthers { shown.every = 1 }
    let truthReason = try lackOfTruth(color, shown)
    leaveOut(.truth, truthReason)
    if scores.contains(where: { $0.need == .faces }) { leaveOut(.faces, try lackOfFaces(shown)) }
    let depthReason =
      recording.firstStream(.depth) == nil ? "\(path) has no depth stream, of which references are made" : nil
    leaveOut(.depth, depthReason)
    let hasTruth = truthReason == nil && scores.contains(where: \.usesTruth)
    let usesTolerance = scores.contains {
      $0.usesBoundaryTolerance && ($0.usesTruth ? hasTruth : depthReason == nil)
    }
    return SweepIdentity.Recording(
      number: number, id: try recording.sweepID(), path: path, frames: order.frames, every: order.every,
      width: color.layout.width, height: color.layout.height,
      truth: truthReason != nil ? "none" : truth.map { "folder \($0.digest)" } ?? "alpha",
      truthFrameCount: truthReason == nil ? try truthFrameCount(order) : 0,
      boundaryTolerance: usesTolerance
        ? boundaryTolerance ?? BoundaryMatch.tolerance(width: color.layout.width) : nil, absences: absences)
  }

  func colorStream() throws(RetakeError) -> StreamDescription {
    guard let color = recording.firstStream(.color) else {
      throw RetakeError(
        .unsupported, "\(path) has no colour stream, which mattes need.",
        hint: "'retake info' lists its streams")
    }
    return recording.streams[color]
  }

  /// Returns why there is no truth; nil if there is.
  private func lackOfTruth(_ color: StreamDescription, _ shown: PlayOrder) throws(RetakeError) -> String? {
    if truth != nil { return nil }
    guard let alpha = recording.firstStream(.alpha) else {
      return "\(path) has no exact alpha, and no folder of mattes was given"
    }
    let layout = recording.streams[alpha].layout
    guard layout.format == .grey8, layout.width == color.layout.width, layout.height == color.layout.height else {
      return "the exact alpha of \(path) is \(layout.format.rawValue) of \(layout.width)x\(layout.height), "
        + "not 8-bit grey of its colour's size, and no folder of mattes was given"
    }
    let hasAlpha = try contains(shown) { $0.partner(stream: alpha) != nil }
    return hasAlpha
      ? nil : "the exact alpha of \(path) has no frame in what is played, and no folder of mattes was given"
  }

  private func lackOfFaces(_ shown: PlayOrder) throws(RetakeError) -> String? {
    try contains(shown) { !$0.faces.isEmpty } ? nil : "no faces were recorded in \(path)"
  }

  /// Whether any shown frame may have truth.
  func hasTruth() throws(RetakeError) -> Bool {
    var shown = try playedOrder()
    shown.every = 1
    return try lackOfTruth(try colorStream(), shown) == nil
  }

  private func truthFrameCount(_ played: PlayOrder) throws(RetakeError) -> Int {
    if let truth { return truth.frameCount }
    guard let alpha = recording.firstStream(.alpha) else { return 0 }
    var count = 0
    _ = try contains(played) { entry in
      if entry.partner(stream: alpha) != nil { count += 1 }
      return false
    }
    return count
  }

  private func contains(
    _ shown: PlayOrder, where isSo: (FrameSetEntry) -> Bool
  ) throws(RetakeError) -> Bool {
    let frames = shown.frames
    var first = frames.lowerBound
    while first < frames.upperBound {
      let next = min(first + Self.pageLength, frames.upperBound)
      for entry in try recording.frameSets(first..<next)
      where (entry.number - frames.lowerBound) % shown.every == 0 && isSo(entry) {
        return true
      }
      first = next
    }
    return false
  }
}
