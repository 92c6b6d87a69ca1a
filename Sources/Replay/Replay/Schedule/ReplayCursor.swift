import FrameModel
import RecordingStore
import Support

/// Feeds a recording's frame sets in the plan's order, one for each call, with what the plan delivers with each.
///
/// Pull-driven: it reads no clock, and what it gives depends on the recording and the plan alone.
package final class ReplayCursor {
  package typealias Counts = ReplayCounts

  /// A frame set as it was delivered, and beside it what only a judge knows.
  package struct Delivery {
    package var frames: FrameSet
    /// The exact alpha of what its colour shows, where it is read and there is one.
    package var alpha: Frame?
    /// The frame set in which its colour was recorded: with duplicates and swapped frames another one than its own.
    package var shownNumber: Int
    /// Faces as they were recorded with that; empty where no detector came to look.
    package var shownFaces: [FaceObservation]
  }

  package let plan: ReplayPlan
  /// Numbers of the frame sets of the part that is played, as frame sets are called.
  package let frames: Range<Int>
  /// Frame sets that one pass comes to, with those that do not come.
  package let frameCount: Int
  package private(set) var counts = Counts()
  /// The pass that the frame set given last was of, counted from 0.
  package private(set) var pass = 0

  private let prefetcher: FramePrefetcher
  private let noise: NoisyDepth?
  private let order: PlayOrder
  private var planner: FrameSetPlanner
  /// Where the next frame set to be planned is in its pass, and in which; nil at the end.
  private var place: (pass: Int, position: Int)? = (0, 0)
  /// Whether the pass that is being planned has a frame set that comes.
  private var comesAnything = false
  /// Of frame sets that do not come, until one does.
  private var waitingCounts = Counts()

  /// Frame sets whose frames are on their way.
  private var planned: [PlannedFrameSet] = []
  /// Met while planning: what lies before it is given out first.
  private var failure: RetakeError?
  private static let framesInASet = 3
  /// Schedules multiply numbers by millions.
  private static let numberLimit = 1 << 40

  /// - Parameters:
  ///   - readsDepth: false where nobody needs it; none is then due.
  ///   - readsTruth: whether the exact alpha is read too, where the recording has it: for scores, never for the pipeline.
  ///   - threadCount: decoders; they change the time it takes and nothing else.
  ///   - heldCount: frame sets that who takes them holds on to, as look-ahead does, so that their buffers are pooled.
  ///   - decoded: where other cursors over this recording take their frames too, so that each is decoded once; nil for frames of its
  ///     own.
  /// - Throws: `.unsupported` for a recording with no colour, no frame in the range, or frame sets whose numbers are too
  ///   large; `.usage` for an order that plays nothing.
  package init(
    _ recording: Recording, _ plan: ReplayPlan, readsDepth: Bool = true,
    readsTruth: Bool = false, threadCount: Int = 1, heldCount: Int = 0, decoded: DecodedFrames? = nil
  ) throws(RetakeError) {
    guard recording.firstStream(.color) != nil else {
      throw RetakeError(
        .unsupported, "\(recording.folder.path) has no colour stream to replay.",
        hint: "'retake info' lists its streams")
    }
    guard plan.order.every >= 1, plan.order.passCount ?? 1 >= 1 else {
      throw RetakeError(
        .usage, "A replay plays one of so many frame sets, 1 or more, and passes so often, 1 or more.",
        hint: "say 1 for every frame set, and 1 for a single pass")
    }
    let count = try recording.frameSetCount()
    let order = plan.order.within(count)
    guard plan.firstNumber >= 0, plan.firstNumber < Self.numberLimit, count < Self.numberLimit else {
      throw RetakeError(
        .unsupported,
        "The frame sets of \(recording.folder.path) cannot be counted: from \(plan.firstNumber), \(count).",
        hint: "call the first one 0, or any number below \(Self.numberLimit)")
    }
    try order.checkPlays(count, of: recording.folder.path, firstNumber: plan.firstNumber)
    self.plan = plan
    self.order = order
    frames = order.frames.lowerBound + plan.firstNumber..<order.frames.upperBound + plan.firstNumber
    frameCount = order.countOfOnePass
    let streams = FrameSetPlanner.Streams(
      depth: readsDepth ? recording.firstStream(.depth) : nil, alpha: readsTruth ? recording.firstStream(.alpha) : nil)
    let hasNoise = plan.delivery.faults.depthNoise > 0
    noise =
      try hasNoise
      ? streams.depth.map { stream throws(RetakeError) in
        try NoisyDepth(recording.streams[stream], plan.delivery.faults, heldCount: heldCount)
      } : nil
    planner = FrameSetPlanner(recording, plan, order, count: count, streams: streams)
    let limit = (threadCount + 1) * Self.framesInASet
    if let decoded {
      prefetcher = FramePrefetcher(decoded, limit: limit)
    } else {
      prefetcher = try FramePrefetcher(recording, threadCount: threadCount, limit: limit, heldCount: heldCount)
    }
  }

  /// The next frame set; nil at the end.
  package func next() throws(RetakeError) -> FrameSet? { try nextWithTruth()?.frames }

  /// The same, with the exact alpha where it is read.
  package func nextWithTruth() throws(RetakeError) -> (frames: FrameSet, alpha: Frame?)? {
    try nextDelivery().map { ($0.frames, $0.alpha) }
  }

  /// The same, with what was recorded of its picture.
  package func nextDelivery() throws(RetakeError) -> Delivery? {
    try planAhead()
    guard !planned.isEmpty else {
      counts += waitingCounts
      waitingCounts = Counts()
      return nil
    }
    let set = planned.removeFirst()
    var color = try prefetcher.next()
    if set.color.isDuplicate { color.flags.insert(.duplicate) }
    var depth: Frame?
    if let content = set.depth {
      var frame = try prefetcher.next()
      if content.isDuplicate || content.isStuck { frame.flags.insert(.duplicate) }
      depth = noise?.noisy(frame, number: content.number) ?? frame
    }
    let alpha = set.hasAlpha ? try prefetcher.next() : nil
    counts += set.counts
    pass = set.pass
    return Delivery(
      frames: FrameSet(index: set.number, color: color, depth: depth, faces: set.faces), alpha: alpha,
      shownNumber: set.color.number, shownFaces: set.shownFaces)
  }

  /// Requests the frames of as many frame sets as there is room for.
  private func planAhead() throws(RetakeError) {
    while let (pass, position) = place, failure == nil, prefetcher.room >= Self.framesInASet {
      if position == 0 {
        planner.beginPass()
        comesAnything = false
      }
      do throws(RetakeError) {
        try planNext(order.number(at: position) + plan.firstNumber, pass)
      } catch {
        failure = error
        break
      }
      place = nextPlace(pass, position)
    }
    if let failure, planned.isEmpty { throw failure }
  }

  private func nextPlace(_ pass: Int, _ position: Int) -> (Int, Int)? {
    if position + 1 < frameCount { return (pass, position + 1) }
    // Where nothing comes, nothing ever will.
    guard comesAnything, plan.order.passCount.map({ pass + 1 < $0 }) ?? true else { return nil }
    return (pass + 1, 0)
  }

  private func planNext(_ number: Int, _ pass: Int) throws(RetakeError) {
    switch plan.delivery.colorFate(number) {
    case .throttled: waitingCounts.colorThrottled += 1
    case .dropped: waitingCounts.colorDropped += 1
    case .comes:
      var (set, rows) = try planner.plan(number)
      set.pass = pass
      set.counts += waitingCounts
      waitingCounts = Counts()
      comesAnything = true
      for row in rows { prefetcher.request(row) }
      planned.append(set)
    }
  }
}
