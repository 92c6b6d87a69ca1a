import FrameModel
import RecordingStore
import Support

/// Delivers a recording's frame sets in the plan's order, one for each call. Reads no clock: the
/// result depends only on the recording and the plan.
package final class ReplayCursor {
  /// A delivered frame set, with ground truth for scoring.
  package struct Delivery {
    package var frames: FrameSet
    /// The exact alpha of the delivered colour, if read and available.
    package var alpha: Frame?
    /// The frame set in which the colour was recorded: another one for duplicates and swaps.
    package var shownNumber: Int
    /// Faces recorded with that frame set; empty if no detector examined it.
    package var shownFaces: [FaceObservation]
  }

  package let plan: ReplayPlan
  /// The played part, in frame set numbers from `plan.firstNumber` on.
  package let frames: Range<Int>
  /// Frame sets in one pass, including throttled and dropped ones.
  package let frameCount: Int
  package private(set) var counts = ReplayCounts()
  /// The pass of the last delivered frame set, from 0.
  package private(set) var pass = 0
  /// The frame set of which a frame could not be read, if the last call failed for that. The next call delivers the one
  /// after it.
  package private(set) var unreadable: Int?

  private let prefetcher: FramePrefetcher
  private let noise: NoisyDepth?
  private let order: PlayOrder
  private var planner: FrameSetPlanner
  /// The next frame set to plan; nil at the end.
  private var place: (pass: Int, position: Int)? = (0, 0)
  /// Whether any frame set of the pass being planned arrives.
  private var comesAnything = false
  /// Counts of throttled and dropped frame sets since the last one that arrives.
  private var waitingCounts = ReplayCounts()

  /// Frame sets whose frames have been requested.
  private var planned: [PlannedFrameSet] = []
  /// An error of planning, thrown after the frame sets planned before it.
  private var failure: RetakeError?
  private static let framesInASet = 3
  /// Keeps products in schedules, which multiply numbers by millions, within 64 bits.
  private static let numberLimit = 1 << 40

  /// - Parameters:
  ///   - readsDepth: if false, no depth is due.
  ///   - readsTruth: whether to read recorded alpha too: for scores, never for the pipeline.
  ///   - heldCount: frame sets that the caller holds, so that their buffers are pooled.
  ///   - decoded: frames and index shared with other cursors over this recording; nil to read separately.
  /// - Throws: `.unsupported` without colour, without a frame in the range, or with too large frame
  ///   set numbers; `.usage` for an order that plays nothing.
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
        .usage, "A replay's step between frame sets and its number of passes must be 1 or more.",
        hint: "use 1 for every frame set, and 1 for a single pass")
    }
    let pages = decoded?.frameSets ?? FrameSetPages(recording)
    let count = try pages.count()
    let order = plan.order.within(count)
    guard plan.firstNumber >= 0, plan.firstNumber < Self.numberLimit, count < Self.numberLimit else {
      throw RetakeError(
        .unsupported,
        "The frame set numbers of \(recording.folder.path) are out of range: \(count) frame sets, starting at "
          + "\(plan.firstNumber).",
        hint: "give the first one a number from 0 to below \(Self.numberLimit)")
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
    planner = FrameSetPlanner(
      recording, plan, order, count: count, streams: streams, pages: pages)
    let limit = (threadCount + 1) * Self.framesInASet
    if let decoded {
      prefetcher = FramePrefetcher(decoded, limit: limit)
    } else {
      prefetcher = try FramePrefetcher(recording, threadCount: threadCount, limit: limit, heldCount: heldCount)
    }
  }

  /// How many frame sets back depth is searched for.
  package static let depthLookback = FrameSetPlanner.depthLookback

  /// The video frame up to `number` with which depth last arrived, of all that the recording has; nil for none within
  /// `depthLookback`.
  /// A pipeline that begins there holds the same depth as one that began earlier.
  package static func lastDepthArrival(
    _ recording: Recording, _ plan: ReplayPlan, upTo number: Int
  ) throws(RetakeError) -> Int? {
    try depthPlanner(recording, plan).lastDepth(upTo: number)?.number
  }

  /// The video frames with which depth arrives, of all that the recording has.
  package static func depthArrivals(
    _ recording: Recording, _ plan: ReplayPlan, in frames: Range<Int>
  ) throws(RetakeError) -> [Int] {
    let planner = try depthPlanner(recording, plan)
    var numbers: [Int] = []
    for number in frames where try planner.lastDepth(upTo: number)?.number == number { numbers.append(number) }
    return numbers
  }

  private static func depthPlanner(_ recording: Recording, _ plan: ReplayPlan) throws(RetakeError) -> FrameSetPlanner {
    let count = try recording.frameSetCount()
    let streams = FrameSetPlanner.Streams(depth: recording.firstStream(.depth))
    return FrameSetPlanner(recording, plan, plan.order.within(count), count: count, streams: streams)
  }

  package func next() throws(RetakeError) -> FrameSet? { try nextDelivery()?.frames }

  /// The next frame set, with ground truth.
  package func nextDelivery() throws(RetakeError) -> Delivery? {
    unreadable = nil
    try planAhead()
    guard !planned.isEmpty else {
      counts += waitingCounts
      waitingCounts = ReplayCounts()
      return nil
    }
    let set = planned.removeFirst()
    counts += set.counts
    pass = set.pass
    // All of its frames are taken before one of them fails.
    let wanted = (color: prefetcher.next(), depth: set.depth.map { _ in prefetcher.next() })
    let truth = set.hasAlpha ? prefetcher.next() : nil
    unreadable = set.number
    var color = try wanted.color.get()
    if set.color.isDuplicate { color.flags.insert(.duplicate) }
    var depth: Frame?
    if let content = set.depth, var frame = try wanted.depth?.get() {
      if content.isDuplicate || content.isStuck { frame.flags.insert(.duplicate) }
      depth = noise?.noisy(frame, number: content.number) ?? frame
    }
    let alpha = try truth?.get()
    unreadable = nil
    return Delivery(
      frames: FrameSet(index: set.number, color: color, depth: depth, faces: set.faces), alpha: alpha,
      shownNumber: set.color.number, shownFaces: set.shownFaces)
  }

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
    // A pass without any frame set would repeat forever.
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
      waitingCounts = ReplayCounts()
      comesAnything = true
      for row in rows { prefetcher.request(row) }
      planned.append(set)
    }
  }
}
