import Support

/// A part of a recording, as a user names it.
package struct MomentSpan: Hashable, Sendable {
  package var from: Moment?
  /// The last frame set, or the time or mark that it lies before.
  package var to: Moment?

  package init(from: Moment? = nil, to: Moment? = nil) { (self.from, self.to) = (from, to) }

  package var isEverything: Bool { from == nil && to == nil }

  /// Frame sets counted from the recording's first as 0; the end may exceed its last. For a part of
  /// a longer recording, by default those to be played.
  /// - Throws: `.usage` for an end before the begin, `.notFound` for an empty part; what `Recording.frameSet(at:)` throws.
  package func frameSets(of recording: Recording) throws(RetakeError) -> Range<Int> {
    let part = try recording.part()
    if isEverything, let part {
      return part.played.lowerBound - part.firstNumber..<part.played.upperBound - part.firstNumber
    }
    let first = try from.map { from throws(RetakeError) in try recording.frameSet(at: from) } ?? 0
    if case .time = from, first == (try recording.frameSetCount()) {
      let tenths = Int((try recording.summary().durationSeconds * 10).rounded())
      throw RetakeError(
        .notFound, "\(recording.folder.path) ends before --from.",
        hint: "it is \(tenths / 10).\(tenths % 10) s long, counted from its first frame")
    }
    guard let to else { return first..<Int.max }
    var end = try recording.frameSet(at: to)
    if case .frameSet = to, end < Int.max { end += 1 }
    guard first < end else {
      let firstNumber = part?.firstNumber ?? 0
      throw RetakeError(
        end < first ? .usage : .notFound,
        "No frames lie between --from and --to: the part would begin at frame set \(first + firstNumber) and "
          + "end before \(end + firstNumber).",
        hint: "it has \(try recording.frameSetCount()) frame sets; 'retake info' shows its length and its marks")
    }
    return first..<end
  }

  /// As `--from` and `--to` take it.
  package var words: [String] {
    [("--from", from), ("--to", to)].flatMap { option, moment in moment.map { [option, $0.text] } ?? [] }
  }
}

extension Moment {
  /// As an option takes it: "mark:LABEL", a frame set's number, or seconds with "s".
  package var text: String {
    switch self {
    case .mark(let label): "mark:\(label)"
    case .frameSet(let number): "\(number)"
    case .time(let nanoseconds): "\(Double(nanoseconds) / 1e9)s"
    }
  }
}
