import FrameModel
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
    let count = try recording.frameSetCount()
    if case .time = from, first == count {
      let last = try recording.frameSets(count - 1..<count).first?.master.timestamps.presentation.nanoseconds
      let hundredths = try ((last ?? 0) - recording.start().nanoseconds) / 10_000_000
      throw RetakeError(
        .notFound, "\(recording.folder.path) has no frame set after --from.",
        hint: last == nil
          ? "it has \(count)"
          : "its last one is at \(hundredths / 100).\(String(hundredths % 100 + 100).dropFirst()) s, counted from its first frame"
      )
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
        hint: "it has \(count) frame sets; 'retake info' shows its length and its marks")
    }
    return first..<end
  }

  /// All frames of the part, also those outside of frame sets. An open end reaches to the recording's.
  /// - Throws: as `frameSets`, where no frame of any stream lies in the part.
  package func selection(of recording: Recording) throws(RetakeError) -> FrameSelection {
    var failure: RetakeError?
    do throws(RetakeError) {
      let sets = try frameSets(of: recording)
      if isEverything { return try FrameSelection(recording, frameSets: sets) }
    } catch {
      guard error.code == .notFound else { throw error }
      failure = error
    }
    do throws(RetakeError) {
      let begin = try Self.bound(from, of: recording)
      if let from, case .frameSet = from, begin == nil, case let index = try recording.frameSet(at: from), index > 0 {
        throw recording.lacksFrameSet(index, try recording.frameSetCount())
      }
      return try FrameSelection(recording, from: begin, to: Self.bound(to, of: recording, isEnd: true))
    } catch {
      throw failure ?? error
    }
  }

  /// - Returns: nil for an end of the recording.
  private static func bound(
    _ moment: Moment?, of recording: Recording, isEnd: Bool = false
  ) throws(RetakeError) -> PresentationTime? {
    guard let moment else { return nil }
    guard case .frameSet = moment else { return try recording.presentation(of: moment) }
    let number = try recording.frameSet(at: moment)
    return try recording.begin(ofFrameSet: isEnd && number < Int.max ? number + 1 : number)
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
