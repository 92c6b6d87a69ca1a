import FrameModel
import Support

/// Which frames of each stream a part of a recording has.
///
/// The master stream's are those taken in the span. A frame of another stream goes with the master frame that it is paired
/// with, and where it has none with its own time; so no frame set is torn. Pairing follows time, so the frames of each
/// stream are a range.
package struct FrameSelection: Sendable {
  /// Numbers, for each stream.
  package let frames: [Range<Int>]
  /// When the first and the last of them were taken.
  package let start: PresentationTime
  package let end: PresentationTime
  /// Where marks belong to it: behind the frame set before, and before the one behind.
  let markedSpan: Range<Int64>
  /// The earliest and the latest chunk file that one of them lies in.
  let chunkFiles: ClosedRange<Int>

  /// The part between two times: from `start` on, and before `end`.
  /// - Throws: `.notFound` when no frame lies there.
  package init(_ recording: Recording, from start: PresentationTime, to end: PresentationTime) throws(RetakeError) {
    try self.init(
      recording, from: start, to: end,
      frameSets: recording.firstFrameSet(from: start)..<recording.firstFrameSet(from: end))
  }

  /// The part that some frame sets make up; numbers beyond the last are none.
  /// - Throws: `.notFound` when there is no such frame set.
  package init(_ recording: Recording, frameSets: Range<Int>) throws(RetakeError) {
    let count = try recording.frameSetCount()
    let sets = frameSets.clamped(to: 0..<count)
    guard !sets.isEmpty, let first = try recording.frameSets(sets.lowerBound..<sets.lowerBound + 1).first,
      let last = try recording.frameSets(sets.upperBound - 1..<sets.upperBound).first
    else {
      throw RetakeError(
        .notFound,
        "\(recording.folder.path) has no frame set \(frameSets.lowerBound) to begin a part with: it has \(count).",
        hint: "frame sets count from 0; begin earlier, or end later")
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
      // Those that belong to a master frame outside stay outside.
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
        .notFound, "\(recording.folder.path) has no frame there.", hint: "'retake info' shows how long it is")
    }
    chunkFiles = first...last
    let before = try sets.lowerBound == 0 ? nil : recording.frameSets(sets.lowerBound - 1..<sets.lowerBound).first
    let after = try recording.frameSets(sets.upperBound..<sets.upperBound + 1).first
    let begin = before.map { $0.master.timestamps.presentation.nanoseconds + 1 } ?? .min
    markedSpan = begin..<max(begin, after?.master.timestamps.presentation.nanoseconds ?? .max)
    self.start = ends.map(\.timestamps.presentation).min()!
    self.end = ends.map(\.timestamps.presentation).max()!
  }
}
