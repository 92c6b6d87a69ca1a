import FrameModel
import RecordingStore

/// Feeds a recording's frame sets in order, one for each call, with depth delivered by the schedule.
///
/// Pull-driven: it reads no clock, and what it gives depends on the recording and the schedule alone.
package final class ReplayCursor {
  /// What was delivered so far, exactly.
  package struct Counts: Hashable, Sendable {
    package var video = 0
    package var depthDelivered = 0
    package var depthHeld = 0
    /// Depth was due, but the recording has none for that video frame.
    package var depthMissing = 0
  }

  package let schedule: DepthSchedule
  package let frameCount: Int
  package private(set) var counts = Counts()

  private let recording: Recording
  private let reader: FrameReader
  private let depthStream: Int?
  private let alphaStream: Int?
  /// A page of the index at a time: memory does not grow with the recording.
  private var page: ArraySlice<FrameSetEntry> = []
  private var nextIndex: Int
  private let endIndex: Int
  private static let pageLength = 256

  /// - Parameter frames: numbers of frame sets; nil for all.
  /// - Throws: `.unsupported` for a recording with no colour, or no frame in the range.
  package init(_ recording: Recording, schedule: DepthSchedule, frames: Range<Int>? = nil) throws(RetakeError) {
    guard recording.firstStream(.color) != nil else {
      throw RetakeError(
        .unsupported, "\(recording.folder.path) has no colour stream to replay.",
        hint: "'retake info' lists its streams")
    }
    let all = 0..<(try recording.frameSetCount())
    let range = frames.map { $0.clamped(to: all) } ?? all
    guard !range.isEmpty else {
      throw RetakeError(
        .unsupported, "\(recording.folder.path) has no frames to replay there: it has \(all.count).",
        hint: "'retake info' shows what it holds")
    }
    self.recording = recording
    self.schedule = schedule
    depthStream = recording.firstStream(.depth)
    alphaStream = recording.firstStream(.alpha)
    reader = try FrameReader(recording)
    nextIndex = range.lowerBound
    endIndex = range.upperBound
    frameCount = range.count
  }

  /// The next frame set; nil at the end.
  package func next() throws(RetakeError) -> FrameSet? {
    try advance(readingTruth: false)?.frames
  }

  /// The same, with the exact alpha where the recording has it: for scores, never for the pipeline.
  package func nextWithTruth() throws(RetakeError) -> (frames: FrameSet, alpha: Frame?)? {
    try advance(readingTruth: true)
  }

  private func advance(readingTruth: Bool) throws(RetakeError) -> (frames: FrameSet, alpha: Frame?)? {
    guard nextIndex < endIndex else { return nil }
    if page.isEmpty {
      page = ArraySlice(try recording.frameSets(nextIndex..<min(endIndex, nextIndex + Self.pageLength)))
    }
    guard let entry = page.popFirst(), entry.number == nextIndex else {
      throw RetakeError(
        .corrupt, "The index of \(recording.folder.path) lacks frame set \(nextIndex).",
        hint: "'retake recover' makes the index again from the chunk files")
    }
    nextIndex += 1
    let color = try reader.frame(entry.master)
    var depth: Frame?
    if let depthStream {
      if !schedule.isDepthDue(onVideoFrame: entry.number) {
        // A replay that begins in the middle begins with the depth that holds there.
        if counts.video == 0 { depth = try depthInForce(before: entry.number, depthStream) }
        counts.depthHeld += 1
      } else if let row = entry.partner(stream: depthStream) {
        depth = try reader.frame(row)
        counts.depthDelivered += 1
      } else {
        counts.depthMissing += 1
      }
    }
    counts.video += 1
    var alpha: Frame?
    if readingTruth, let alphaStream, let row = entry.partner(stream: alphaStream) {
      alpha = try reader.frame(row)
    }
    let frames = FrameSet(index: entry.number, color: color, depth: depth, faces: entry.faces)
    return (frames, alpha)
  }

  /// The last depth frame that was delivered before a video frame; nil for none within a page.
  private func depthInForce(before number: Int, _ stream: Int) throws(RetakeError) -> Frame? {
    let entries = try recording.frameSets(max(0, number - Self.pageLength)..<number)
    for entry in entries.reversed() where schedule.isDepthDue(onVideoFrame: entry.number) {
      if let row = entry.partner(stream: stream) { return try reader.frame(row) }
    }
    return nil
  }
}
