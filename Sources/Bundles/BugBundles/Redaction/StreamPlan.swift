import FrameModel
import RecordingStore
import Support

enum StreamPlan: Hashable {
  case keep
  /// A JPEG's pixels alone.
  case bare
  case black
  case cover

  /// - Returns: plans, and sentences about streams that are black for lack of known faces.
  /// - Throws: `.unsupported` if faces are to be covered but were never searched for.
  static func plans(
    _ recording: Recording, _ rules: RedactionRules
  ) throws(RetakeError) -> (plans: [StreamPlan], notes: [String]) {
    guard rules.changesPixels else {
      return (
        recording.streams.map { rules.contains(.dropSerials) && $0.layout.format == .jpeg ? .bare : .keep }, []
      )
    }
    let known = Set(try recording.summary().faces.filter { $0.lookedCount > 0 }.map(\.stream))
    if rules.needsFaces, let first = recording.streams.faceStream, !known.contains(first) {
      throw RetakeError(
        .unsupported,
        "Faces in \(recording.folder.path) cannot be covered: no detector has been run on it.",
        hint: "run 'retake faces \(recording.folder.path)' first, or drop the colour")
    }
    var notes: [String] = []
    let plans = recording.streams.enumerated().map { number, stream -> StreamPlan in
      switch stream.kind {
      case .depth, .alpha, .motion: return .keep
      case .infrared: return .black
      case .color:
        guard rules.needsFaces else { return .black }
        if known.contains(number), PictureRedactor.handles(stream.layout.format) { return .cover }
        notes.append("Nobody looked for faces in stream '\(stream.name)': its frames are black.")
        return .black
      }
    }
    return (plans, notes)
  }
}
