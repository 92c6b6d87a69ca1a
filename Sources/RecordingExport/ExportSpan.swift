import FrameModel
import RecordingStore

/// The part of a recording that is exported: frame sets by their numbers, as replay counts them.
package struct ExportSpan: Hashable, Sendable {
  package var first: Int
  /// The end of the recording where nil.
  package var last: Int?

  package static let whole = ExportSpan(first: 0, last: nil)

  package init(first: Int, last: Int?) {
    self.first = first
    self.last = last
  }
}

/// A span, found in a recording: frames of the master by number, those of every other stream by time.
struct ExportWindow {
  let masterStream: Int
  /// Of the master's frames.
  let numbers: ClosedRange<Int>
  /// Half a period of the master more on either side, which is as far as a partner can be.
  let times: ClosedRange<PresentationTime>
  /// When the first frame set was taken.
  let start: PresentationTime
  private static let pageLength = 1024

  /// - Returns: nil for all of a recording, frames without a frame set included.
  /// - Throws: `.unsupported` when the recording has no such frame sets.
  init?(_ span: ExportSpan, in recording: Recording) throws(RetakeError) {
    guard span != .whole else { return nil }
    let count = try recording.frameSetCount()
    let last = min(span.last ?? count - 1, count - 1)
    guard span.first <= last, let begin = try recording.frameSets(span.first..<span.first + 1).first,
      let end = try recording.frameSets(last..<last + 1).first
    else {
      throw RetakeError(
        .unsupported, "\(recording.folder.path) has no frame set \(span.first) to export from: it has \(count).",
        hint: "frame sets count from 0; lower --from")
    }
    masterStream = recording.masterStream
    start = begin.master.timestamps.presentation
    let lastTime = end.master.timestamps.presentation
    guard begin.master.number <= end.master.number, start <= lastTime else {
      throw RetakeError(
        .corrupt, "The frame sets of \(recording.folder.path) are not in the order of their times.",
        hint: "'retake recover' makes the index again")
    }
    numbers = begin.master.number...end.master.number
    let margin = Int128(recording.streams[masterStream].rate.periodNanoseconds / 2)
    times =
      PresentationTime(
        nanoseconds: Int64(clamping: Int128(start.nanoseconds) - margin))...PresentationTime(
        nanoseconds: Int64(clamping: Int128(lastTime.nanoseconds) + margin))
  }

  /// The numbers of a stream's frames that lie in the window.
  func frameNumbers(stream: Int, of recording: Recording) throws(RetakeError) -> Range<Int> {
    if stream == masterStream { return numbers.lowerBound..<numbers.upperBound + 1 }
    var found: Range<Int>?
    var next = 0
    while true {
      let rows = try recording.frameRows(stream: stream, from: next, limit: Self.pageLength)
      for row in rows {
        if row.timestamps.presentation > times.upperBound { return found ?? 0..<0 }
        if row.timestamps.presentation < times.lowerBound { continue }
        found = (found?.lowerBound ?? row.number)..<row.number + 1
      }
      guard let last = rows.last, rows.count == Self.pageLength else { return found ?? 0..<0 }
      next = last.number + 1
    }
  }
}
