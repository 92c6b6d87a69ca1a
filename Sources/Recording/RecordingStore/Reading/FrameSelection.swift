import FrameModel
import Support

/// The frames of each stream that belong to a part of a recording. Parts that adjoin share nothing, and leave nothing out.
///
/// For the master stream, these are the frames in a time span. Frames of other streams follow their
/// paired master frame, or their own time if unpaired, so no frame set is split. Pairing follows
/// time, so each stream's frames are one range.
package struct FrameSelection: Sendable {
  /// By stream. They include numbers that were lost.
  package let frames: [Range<Int>]
  /// Presentation times of the earliest and latest selected frames.
  package let start: PresentationTime
  package let end: PresentationTime
  /// Nanoseconds of the marks and events that belong to the part. Without a limit where it reaches to an end of the
  /// recording.
  package let span: Range<Int64>
  /// The chunk files of the frames.
  let chunkFiles: ClosedRange<Int>
  /// Besides, those in which its first and last events may be.
  let eventFiles: ClosedRange<Int>

  /// Selects the frames from `start` up to, but not including, `end`.
  /// - Parameters:
  ///   - start: nil for all before the end, also numbers that were lost before the first frame.
  ///   - end: nil likewise.
  package init(_ recording: Recording, from start: PresentationTime?, to end: PresentationTime?) throws(RetakeError) {
    let first = try start.map { start throws(RetakeError) in try recording.firstFrameSet(from: start) } ?? 0
    var last = try recording.frameSetCount()
    if let end { last = try recording.firstFrameSet(from: end) }
    try self.init(recording, from: start, to: end, frameSets: first..<max(first, last))
  }

  /// Selects everything.
  package init(whole recording: Recording) throws(RetakeError) { try self.init(recording, from: nil, to: nil) }

  /// Selects frame sets, with what lies between them and behind the set before them. Numbers after the last set are ignored.
  /// - Parameter isClosed: takes no frames before the recording's first set, nor after its last one.
  package init(_ recording: Recording, frameSets: Range<Int>, isClosed: Bool = false) throws(RetakeError) {
    let count = try recording.frameSetCount()
    let sets = frameSets.clamped(to: 0..<count)
    guard !sets.isEmpty else { throw recording.lacksFrameSet(frameSets.lowerBound, count) }
    let begin = try recording.begin(ofFrameSet: sets.lowerBound)
    let end = try recording.begin(ofFrameSet: sets.upperBound)
    guard isClosed, let first = try recording.frameSets(sets.lowerBound..<sets.lowerBound + 1).first,
      let last = try recording.frameSets(sets.upperBound - 1..<sets.upperBound).first
    else {
      try self.init(recording, from: begin, to: end, frameSets: sets)
      return
    }
    try self.init(
      recording, from: begin ?? first.master.timestamps.presentation,
      to: end ?? PresentationTime(nanoseconds: last.master.timestamps.presentation.nanoseconds + 1), frameSets: sets,
      isMarkedFrom: begin, isMarkedTo: end)
  }

  private init(
    _ recording: Recording, from start: PresentationTime?, to end: PresentationTime?, frameSets sets: Range<Int>
  ) throws(RetakeError) {
    try self.init(recording, from: start, to: end, frameSets: sets, isMarkedFrom: start, isMarkedTo: end)
  }

  private init(
    _ recording: Recording, from start: PresentationTime?, to end: PresentationTime?, frameSets sets: Range<Int>,
    isMarkedFrom markedStart: PresentationTime?, isMarkedTo markedEnd: PresentationTime?
  ) throws(RetakeError) {
    let isRing = recording.recordedStreams.areOfRing
    let lost = try end == nil ? recording.events().filter { $0.stage == .disk && $0.reason == .dropped } : []
    var ends: [FrameRow] = []
    frames = try recording.streams.indices.map { stream throws(RetakeError) in
      var range = try recording.frameNumbers(
        stream: stream, from: start ?? PresentationTime(nanoseconds: .min),
        to: end ?? PresentationTime(nanoseconds: .max))
      if stream != recording.masterStream {
        let paired = try recording.partnerNumbers(stream: stream, frameSets: sets)
        if let first = paired.first, let last = paired.last {
          range = range.isEmpty ? first..<last + 1 : min(range.lowerBound, first)..<max(range.upperBound, last + 1)
        }
        // Frames paired with a master frame outside the part are excluded.
        if let before = paired.before { range = range.clamped(to: (before + 1)..<Int.max) }
        if let after = paired.after { range = range.clamped(to: 0..<after) }
      }
      if let present = try recording.presentNumbers(stream: stream, in: range) {
        for number in [present.first, present.last] {
          if let row = try recording.frameRow(stream: stream, number: number) { ends.append(row) }
        }
      }
      // Numbers that were lost before the first frame, and after the last one.
      if start == nil && !isRing { range = 0..<range.upperBound }
      guard end == nil else { return range }
      if start != nil && range.isEmpty {
        let next = try recording.presentNumbers(stream: stream, in: 0..<Int.max).map { $0.last + 1 } ?? 0
        range = next..<next
      }
      return lost.reduce(into: range) { range, event in
        guard event.stream == stream, event.frameNumber >= range.upperBound else { return }
        range = range.lowerBound..<event.frameNumber + event.count
      }
    }
    let files = try recording.chunkFiles()
    guard let first = ends.map(\.chunkFile).min(), let last = ends.map(\.chunkFile).max(), !files.isEmpty else {
      let part = start == nil && end == nil ? "" : " in the selected part"
      throw RetakeError(
        .notFound, "\(recording.folder.path) has no frame\(part).", hint: "'retake info' shows what a recording holds")
    }
    let (firstFile, lastFile) = (min(first, files[0].number), max(last, files[files.count - 1].number))
    chunkFiles = (start == nil ? firstFile : first)...(end == nil ? lastFile : last)
    eventFiles = max(firstFile, chunkFiles.lowerBound - 1)...min(lastFile, chunkFiles.upperBound + 1)
    let begin = markedStart?.nanoseconds ?? .min
    span = begin..<max(begin, markedEnd?.nanoseconds ?? .max)
    self.start = ends.map(\.timestamps.presentation).min()!
    self.end = ends.map(\.timestamps.presentation).max()!
  }

  /// A mark between the part's begin and its first frame is at that frame: nothing of a part is before its begin.
  func atItsBegin(_ mark: Mark) throws(RetakeError) -> Mark {
    guard span.lowerBound != .min, mark.presentation < start else { return mark }
    return try Mark(label: mark.label, presentation: start)
  }
}

extension Recording {
  /// Where a part begins that begins with this frame set, and one ends that ends before it: behind the set before. A mark
  /// between both belongs to the later part, and so does a frame without a set.
  /// - Returns: nil for the first one, before which there may be frames, and after the last one.
  package func begin(ofFrameSet number: Int) throws(RetakeError) -> PresentationTime? {
    guard number > 0 else { return nil }
    let count = try frameSetCount()
    guard number < count, let before = try frameSets(number - 1..<number).first else { return nil }
    return PresentationTime(nanoseconds: before.master.timestamps.presentation.nanoseconds + 1)
  }

  /// - Parameter index: counted from the first frame set as 0.
  func lacksFrameSet(_ index: Int, _ count: Int) -> RetakeError {
    let first = (try? firstNumber()) ?? 0
    let number = index.addingReportingOverflow(first).partialValue
    return RetakeError(
      .notFound, "\(folder.path) has no frame set \(number) at which a part could start: it has \(count) frame sets.",
      hint: "frame sets count from \(first); choose an earlier start or a later end")
  }
}
