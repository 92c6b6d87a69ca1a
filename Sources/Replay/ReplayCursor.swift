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

  package let plan: ReplayPlan
  /// Of one pass.
  package let frameCount: Int
  package private(set) var counts = Counts()

  private let recording: Recording
  private let depthStream: Int?
  /// Where the exact alpha is read for scores.
  private let alphaStream: Int?
  /// A page of the index at a time: memory does not grow with the recording.
  private var page: ArraySlice<FrameSetEntry> = []
  private var nextIndex: Int
  private let firstIndex: Int
  private let endIndex: Int
  private static let pageLength = 256

  /// What was seen in the last frame set that was looked at: it holds where a detector did not come to look, for as many frame
  /// sets as a replay that begins there looks back.
  private var inForce: (number: Int, faces: [FaceObservation])?

  /// Frame sets whose frames are on their way.
  private var planned: [Planned] = []
  private let prefetcher: FramePrefetcher
  private static let framesInASet = 3

  private struct Planned {
    var number: Int
    var faces: [FaceObservation]
    var depth: PlannedDepth
    var hasAlpha: Bool
  }
  private enum PlannedDepth {
    /// Nothing to deliver, but for a frame that is in force where the replay begins.
    case held(hasFrame: Bool)
    case delivered
    case missing
    case noStream
  }

  /// - Parameters:
  ///   - readsDepth: false where nobody needs it; none is then due.
  ///   - readsTruth: whether the exact alpha is read too, where the recording has it: for scores, never for the pipeline.
  ///   - threadCount: decoders; they change the time it takes and nothing else.
  ///   - heldCount: frame sets that who takes them holds on to, as look-ahead does, so that their buffers are pooled.
  /// - Throws: `.unsupported` for a recording with no colour, or no frame in the range.
  package init(
    _ recording: Recording, _ plan: ReplayPlan, readsDepth: Bool = true,
    readsTruth: Bool = false, threadCount: Int = 1, heldCount: Int = 0
  ) throws(RetakeError) {
    guard recording.firstStream(.color) != nil else {
      throw RetakeError(
        .unsupported, "\(recording.folder.path) has no colour stream to replay.",
        hint: "'retake info' lists its streams")
    }
    let all = 0..<(try recording.frameSetCount())
    let range = plan.order.frames.clamped(to: all)
    guard !range.isEmpty else {
      throw RetakeError(
        .unsupported, "\(recording.folder.path) has no frames to replay there: it has \(all.count).",
        hint: "'retake info' shows what it holds")
    }
    self.recording = recording
    self.plan = plan
    depthStream = readsDepth ? recording.firstStream(.depth) : nil
    alphaStream = readsTruth ? recording.firstStream(.alpha) : nil
    prefetcher = try FramePrefetcher(
      recording, threadCount: threadCount, limit: (threadCount + 1) * Self.framesInASet, heldCount: heldCount)
    firstIndex = range.lowerBound
    nextIndex = range.lowerBound
    endIndex = range.upperBound
    frameCount = range.count
  }

  /// The next frame set; nil at the end.
  package func next() throws(RetakeError) -> FrameSet? { try nextWithTruth()?.frames }

  /// The same, with the exact alpha where it is read.
  package func nextWithTruth() throws(RetakeError) -> (frames: FrameSet, alpha: Frame?)? {
    try planAhead()
    guard !planned.isEmpty else { return nil }
    let set = planned.removeFirst()
    let color = try prefetcher.next()
    var depth: Frame?
    switch set.depth {
    case .held(let hasFrame):
      if hasFrame { depth = try prefetcher.next() }
      counts.depthHeld += 1
    case .delivered:
      depth = try prefetcher.next()
      counts.depthDelivered += 1
    case .missing: counts.depthMissing += 1
    case .noStream: break
    }
    let alpha = set.hasAlpha ? try prefetcher.next() : nil
    counts.video += 1
    return (FrameSet(index: set.number, color: color, depth: depth, faces: set.faces), alpha)
  }

  /// Requests the frames of as many frame sets as there is room for.
  private func planAhead() throws(RetakeError) {
    while nextIndex < endIndex, prefetcher.room >= Self.framesInASet {
      if page.isEmpty {
        page = ArraySlice(try recording.frameSets(nextIndex..<min(endIndex, nextIndex + Self.pageLength)))
      }
      guard let entry = page.popFirst(), entry.number == nextIndex else {
        // What lies before the hole is given out first.
        guard planned.isEmpty else {
          page = []
          return
        }
        throw RetakeError(
          .corrupt, "The index of \(recording.folder.path) lacks frame set \(nextIndex).",
          hint: "'retake recover' makes the index again from the chunk files")
      }
      nextIndex += 1
      if !entry.isSkippedForFaces {
        inForce = (entry.number, entry.faces)
      } else if entry.number == firstIndex {
        inForce = try faces(before: entry.number)
      } else if let latest = inForce, entry.number - latest.number > Self.pageLength {
        inForce = nil
      }
      prefetcher.request(entry.master)
      let depth = try planDepth(entry)
      let alpha = alphaStream.flatMap { entry.partner(stream: $0) }
      if let alpha { prefetcher.request(alpha) }
      planned.append(Planned(number: entry.number, faces: inForce?.faces ?? [], depth: depth, hasAlpha: alpha != nil))
    }
  }

  private func planDepth(_ entry: FrameSetEntry) throws(RetakeError) -> PlannedDepth {
    guard let depthStream else { return .noStream }
    guard plan.schedule.isDepthDue(onVideoFrame: entry.number) else {
      // A replay that begins in the middle begins with the depth that holds there.
      guard entry.number == firstIndex, let row = try depthInForce(before: entry.number, depthStream) else {
        return .held(hasFrame: false)
      }
      prefetcher.request(row)
      return .held(hasFrame: true)
    }
    guard let row = entry.partner(stream: depthStream) else { return .missing }
    prefetcher.request(row)
    return .delivered
  }

  /// What was seen in the last frame set that was looked at before another; nil when there is none within a page.
  private func faces(before number: Int) throws(RetakeError) -> (number: Int, faces: [FaceObservation])? {
    let entries = try recording.frameSets(max(0, number - Self.pageLength)..<number)
    return entries.last { !$0.isSkippedForFaces }.map { ($0.number, $0.faces) }
  }

  /// The last depth frame that was delivered before a video frame; nil for none within a page.
  private func depthInForce(before number: Int, _ stream: Int) throws(RetakeError) -> FrameRow? {
    let entries = try recording.frameSets(max(0, number - Self.pageLength)..<number)
    for entry in entries.reversed() where plan.schedule.isDepthDue(onVideoFrame: entry.number) {
      if let row = entry.partner(stream: stream) { return row }
    }
    return nil
  }
}
