import FrameModel
import MatteScoring
import RecordingStore
import SweepResults

extension SweepSource {
  /// Frame sets of which it is asked at once whether they have faces.
  private static let pageLength = 4096

  /// - Throws: `.unsupported` for a recording without colour or without frames there.
  func identity(_ number: Int, scores: [ScoreKind]) throws(RetakeError) -> SweepIdentity.Recording {
    let order = try playedOrder()
    let color = try colorStream()
    var absences: [SweepIdentity.Absence] = []
    func leaveOut(_ need: ScoreKind.Need, _ reason: String?) {
      guard let reason else { return }
      for score in scores where score.need == need {
        absences.append(SweepIdentity.Absence(score: score, reason: reason))
      }
    }
    let truthReason = lackOfTruth(color)
    leaveOut(.truth, truthReason)
    if scores.contains(where: { $0.need == .faces }) { leaveOut(.faces, try lackOfFaces(order.frames)) }
    return SweepIdentity.Recording(
      number: number, id: recording.identity.id, path: path, frames: order.frames, every: order.every,
      width: color.layout.width, height: color.layout.height,
      truth: truthReason != nil ? "none" : truth.map { "folder \($0.digest)" } ?? "alpha", absences: absences)
  }

  /// - Throws: `.unsupported` where there is none.
  func colorStream() throws(RetakeError) -> StreamDescription {
    guard let color = recording.firstStream(.color) else {
      throw RetakeError(
        .unsupported, "\(path) has no colour stream, which mattes are made for.",
        hint: "'retake info' lists its streams")
    }
    return recording.streams[color]
  }

  /// Why there is no truth; nil where there is.
  private func lackOfTruth(_ color: StreamDescription) -> String? {
    if truth != nil { return nil }
    guard let alpha = recording.firstStream(.alpha) else {
      return "\(path) has no exact alpha, and no folder of mattes was given"
    }
    let layout = recording.streams[alpha].layout
    guard layout.format == .grey8, layout.width == color.layout.width, layout.height == color.layout.height else {
      return "the exact alpha of \(path) is \(layout.format.rawValue) of \(layout.width)x\(layout.height), "
        + "not 8-bit grey of its colour's size, and no folder of mattes was given"
    }
    return nil
  }

  private func lackOfFaces(_ frames: Range<Int>) throws(RetakeError) -> String? {
    var first = frames.lowerBound
    while first < frames.upperBound {
      let next = min(first + Self.pageLength, frames.upperBound)
      if try recording.frameSets(first..<next).contains(where: { !$0.faces.isEmpty }) { return nil }
      first = next
    }
    return "no faces were recorded in \(path)"
  }
}
