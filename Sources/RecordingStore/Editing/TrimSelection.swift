import FrameModel

/// Which frames of each stream a part of a recording has.
///
/// The master stream's are those taken in the span. A frame of another stream goes with the master frame that it is paired
/// with, and where it has none with its own time; so no frame set is torn. Pairing follows time, so the frames of each
/// stream are a range.
struct TrimSelection {
  let frames: [Range<Int>]
  /// The earliest and the latest chunk file that one of them lies in.
  let chunkFiles: ClosedRange<Int>
  /// When the first of them was taken.
  let start: PresentationTime

  /// - Throws: `.notFound` when there is no frame in the span.
  init(_ recording: Recording, from start: PresentationTime, to end: PresentationTime) throws(RetakeError) {
    let sets = try recording.firstFrameSet(from: start)..<recording.firstFrameSet(from: end)
    frames = try recording.streams.indices.map { stream throws(RetakeError) in
      var range = try recording.frameNumbers(stream: stream, from: start, to: end)
      guard stream != recording.masterStream else { return range }
      let paired = try recording.partnerNumbers(stream: stream, frameSets: sets)
      if let first = paired.first, let last = paired.last {
        range = min(range.lowerBound, first)..<max(range.upperBound, last + 1)
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
    self.start = ends.map(\.timestamps.presentation).min()!
  }
}
