import FrameModel
import Support

/// A user's way to name a point in a recording: time since its first frame, frame set, or mark.
package enum Moment: Hashable, Sendable {
  case time(nanoseconds: Int64)
  case frameSet(Int)
  case mark(label: String)
}

extension Recording {
  /// The time of the first frame, from which times given by users count. It is not 0 for a
  /// recording that waited for a mark, or a later part of a session.
  package func start() throws(RetakeError) -> PresentationTime {
    var first: PresentationTime?
    for stream in streams.indices {
      if let time = try firstPresentation(stream: stream) { first = min(first ?? time, time) }
    }
    return first ?? PresentationTime(nanoseconds: 0)
  }

  package func presentation(of moment: Moment) throws(RetakeError) -> PresentationTime {
    switch moment {
    case .time(let nanoseconds): return PresentationTime(nanoseconds: try start().nanoseconds + nanoseconds)
    case .frameSet(let number):
      let (first, count) = (try firstNumber(), try frameSetCount())
      guard (first..<first + count).contains(number),
        let set = try frameSets(number - first..<number - first + 1).first
      else {
        throw RetakeError(
          .notFound, "\(folder.path) has no frame set \(number).",
          hint: "it has \(count) frame sets, starting at \(first)")
      }
      return set.master.timestamps.presentation
    case .mark(let label):
      let marks = try marks()
      let labels = marks.map(\.label).filter { !$0.isEmpty }
      guard let mark = marks.first(where: { $0.label == label }) else {
        throw RetakeError(
          .notFound, "\(folder.path) has no mark '\(label)'.",
          hint: labels.isEmpty
            ? "it has no marks with labels; 'retake mark' sets one"
            : "its marks are \(labels.prefix(10).map { "'\($0)'" }.joined(separator: ", "))")
      }
      return mark.presentation
    }
  }

  /// The first frame set from a moment on, counted from the recording's first as 0.
  package func frameSet(at moment: Moment) throws(RetakeError) -> Int {
    guard case .frameSet(let number) = moment else { return try firstFrameSet(from: presentation(of: moment)) }
    let first = try firstNumber()
    guard number >= first else {
      throw RetakeError(
        .notFound, "\(folder.path) has no frame set \(number).",
        hint: "this recording is a part of a longer one; its frame sets start at \(first)")
    }
    return number - first
  }
}
