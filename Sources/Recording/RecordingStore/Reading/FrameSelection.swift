import FrameModel
import Support

/// The frames of each stream that belong to a part of a recording.
///
/// For the master stream, these are the frames in a time span. Frames of other streams follow their
/// paired master frame, or their own time if unpaired, so no frame set is split. Pairing follows
/// time, so each stream's frames are one range.
package struct FrameSelection: Sendable {
  package let frames: [Range<Int>]
  /// Presentation times of the earliest and latest selected frames.
  package let start: PresentationTime
  package let end: PresentationTime
  /// Nanoseconds in which marks belong to the part: after the previous frame set, before the next.
  package let markedSpan: Range<Int64>
  /// Nanoseconds in which events belong to the part.
  let eventSpan: ClosedRange<Int64>
  let chunkFiles: ClosedRange<Int>

  /// Selects the frames from `start` up to, but not including, `end`.
  package init(_ recording: Recording, from start: PresentationTime, to end: PresentationTime) throws(RetakeError) {
    try self.init(
      recording, from: start, to: end,
      frameSets: recording.firstFrameSet(from: start)..<recording.firstFrameSet(from: end))
  }

  /// Selects frame sets; numbers after the last set are ignored.
  package init(_ recording: Recording, frameSets: Range<Int>) throws(RetakeError) {
    let count = try recording.frameSetCount()
    let sets = frameSets.clamped(to: 0..<count)
    guard !sets.isEmpty, let first = try recording.frameSets(sets.lowerBound..<sets.lowerBound + 1).first,
      let last = try recording.frameSets(sets.upperBound - 1..<sets.upperBound).first
    else {
      throw RetakeError(
        .notFound,
        "\(recording.folder.path) has no frame set \(frameSets.lowerBound) at which a part could start: it has "
          + "\(count) frame sets.",
        hint: "frame sets count from 0; choose an earlier start or a later end")
    }
    try self.init(
      recording, from: first.master.timestamps.presentation,
      to: PresentationTime(nanoseconds: last.master.timestamps.presentation.nanoseconds + 1), frameSets: sets)
  }

  private init(
    _ recording: Recording, from start: PresentationTime, to end: PresentationTime, frameSets sets: Range<Int>
  ) throws(RetakeError) {
    frames = try recording.streams.indices.map { stream throws(RetakeError) in
      var range = try recording.frameNumbers(stream: stream, from: start, to: end)
      guard stream != recording.masterStream else { return range }
      let paired = try recording.partnerNumbers(stream: stream, frameSets: sets)
      if let first = paired.first, let last = paired.last {
        range = range.isEmpty ? first..<last + 1 : min(range.lowerBound, first)..<max(range.upperBound, last + 1)
      }
      // Frames paired with a master frame outside the part are excluded.
      if let before = paired.before { range = range.clamped(to: (before + 1)..<Int.max) }
      if let after = paired.after { range = range.clamped(to: 0..<after) }
      return range
    }
    var ends: [FrameRow] = []
    for (stream, range) in frames.enumerated() where !range.isEmpty {
      for number in [range.lowerBound, range.upperBound - 1] {
        if let row = try recording.frameRow(stream: stream, number: number) { ends.append(row) }
      }
    }
    guard let first = ends.map(\.chunkFile).min(), let last = ends.map(\.chunkFile).max() else {
      throw RetakeError(
        .notFound, "\(recording.folder.path) has no frame in the selected part.",
        hint: "'retake info' shows the recording's length")
    }
    chunkFiles = first...last
    let before = try sets.lowerBound == 0 ? nil : recording.frameSets(sets.lowerBound - 1..<sets.lowerBound).first
    let after = try recording.frameSets(sets.upperBound..<sets.upperBound + 1).first
    let begin = before.map { $0.master.timestamps.presentation.nanoseconds + 1 } ?? .min
    markedSpan = begin..<max(begin, after?.master.timestamps.presentation.nanoseconds ?? .max)
    self.start = ends.map(\.timestamps.presentation).min()!
    self.end = ends.map(\.timestamps.presentation).max()!
    eventSpan = self.start.nanoseconds...self.end.nanoseconds
  }

  /// A mark between the frame set before the part and the part's first frame is at that frame: nothing of a part is
  /// before its begin.
  func atItsBegin(_ mark: Mark) throws(RetakeError) -> Mark {
    guard markedSpan.lowerBound != .min, mark.presentation < start else { return mark }
    return try Mark(label: mark.label, presentation: start)
  }

  /// Selects everything, with frames that were lost before the first one or after the last one.
  package init(whole recording: Recording) throws(RetakeError) {
    let isRing = recording.recordedStreams.areOfRing
    let events = try recording.events().filter { $0.stage == .disk && $0.reason == .dropped }
    var times: [PresentationTime] = []
    frames = try recording.streams.indices.map { stream throws(RetakeError) in
      let range = try recording.frameNumbers(stream: stream)
      for number in [range.lowerBound, range.upperBound - 1] where !range.isEmpty {
        if let row = try recording.frameRow(stream: stream, number: number) {
          times.append(row.timestamps.presentation)
        }
      }
      let lost = events.filter { $0.stream == stream && $0.frameNumber >= range.upperBound }
      return (isRing ? range.lowerBound : 0)..<lost.reduce(range.upperBound) { max($0, $1.frameNumber + $1.count) }
    }
    let files = try recording.chunkFiles()
    guard let start = times.min(), let end = times.max(), let first = files.first, let last = files.last else {
      throw RetakeError(
        .notFound, "\(recording.folder.path) has no frame.", hint: "'retake info' shows what a recording holds")
    }
    (self.start, self.end) = (start, end)
    chunkFiles = first.number...last.number
    markedSpan = .min ..< .max
    eventSpan = .min ... .max
  }
}
