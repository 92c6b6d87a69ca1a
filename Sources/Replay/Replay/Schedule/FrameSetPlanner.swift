import FrameModel
import RecordingStore
import Support

/// The content of a frame set, before its frames are read.
struct PlannedFrameSet {
  var number: Int
  var pass = 0
  var color: DeliveredContent
  /// New depth, or the depth in effect where a pass begins; nil to keep the last one.
  var depth: DeliveredContent?
  var faces: [FaceObservation]
  var shownFaces: [FaceObservation]
  var hasAlpha: Bool
  var counts: ReplayCounts
}

/// Determines the content of each frame set from the delivery schedule and the index. Frame set
/// numbers start at the plan's `firstNumber`.
struct FrameSetPlanner {
  struct Streams {
    var depth: Int?
    var alpha: Int?
  }

  private let plan: ReplayPlan
  private let order: PlayOrder
  private let streams: Streams
  private let recorded: RecordedNumbers
  private let pages: FrameSetPages
  private let folder: String
  /// How many frame sets to search backwards for the depth in effect where a pass begins.
  static let depthLookback = 256
  private var last: Int?

  /// - Parameter pages: shared with other planners over this recording; nil for its own.
  init(
    _ recording: Recording, _ plan: ReplayPlan, _ order: PlayOrder, count: Int, streams: Streams,
    pages: FrameSetPages? = nil
  ) {
    self.plan = plan
    self.order = order
    self.streams = streams
    recorded = RecordedNumbers(plan.firstNumber..<plan.firstNumber + count)
    self.pages = pages ?? FrameSetPages(recording)
    folder = recording.folder.path
  }

  mutating func beginPass() { last = nil }

  /// The range of frame sets that the plans so far depend on, counted from 0; nil before the first.
  var usedFrameSets: ClosedRange<Int>? {
    recorded.used.map { $0.lowerBound - plan.firstNumber...$0.upperBound - plan.firstNumber }
  }

  /// - Returns: the set, and the rows of its colour, depth and alpha frames, as far as it has them.
  mutating func plan(_ number: Int) throws(RetakeError) -> (set: PlannedFrameSet, rows: [FrameRow]) {
    let color = plan.delivery.colorContent(number, recorded: recorded)
    guard let entry = try entry(color.number) else {
      throw RetakeError(
        .corrupt, "The index of \(folder) lacks frame set \(color.number - plan.firstNumber).",
        hint: "'retake recover' rebuilds the index from the chunk files")
    }
    var counts = ReplayCounts()
    counts.video = 1
    counts.colorDuplicated = color.isDuplicate ? 1 : 0
    counts.colorSwapped = color.isSwapped ? 1 : 0
    let (faces, areLost) = try faces(number)
    counts.facesLost = areLost ? 1 : 0
    var rows = [entry.master]
    var depth = try depth(number, &counts)
    if let row = try depth.flatMap({ content throws(RetakeError) in try depthRow(content.number) }) {
      rows.append(row)
    } else {
      depth = nil
    }
    let alpha = streams.alpha.flatMap { entry.partner(stream: $0) }
    if let alpha { rows.append(alpha) }
    last = number
    return (
      PlannedFrameSet(
        number: number, color: color, depth: depth, faces: faces,
        shownFaces: entry.isSkippedForFaces ? [] : entry.faces, hasAlpha: alpha != nil, counts: counts), rows
    )
  }

  private func entry(_ number: Int) throws(RetakeError) -> FrameSetEntry? {
    recorded.contains(number) ? try pages.entry(number - plan.firstNumber) : nil
  }

  private func depthRow(_ number: Int) throws(RetakeError) -> FrameRow? {
    guard let stream = streams.depth else { return nil }
    return try entry(number)?.partner(stream: stream)
  }

  private func arrivals(_ position: Int) throws(RetakeError) -> [DeliverySchedule.DepthArrival] {
    try plan.delivery.depthArrivals(at: position, recorded: recorded) { number throws(RetakeError) in
      try depthRow(number) != nil
    }
  }

  /// The latest depth that arrived with this video frame or with those left out before it.
  private func depth(_ number: Int, _ counts: inout ReplayCounts) throws(RetakeError) -> DeliveredContent? {
    guard streams.depth != nil else { return nil }
    var delivered: DeliveredContent?
    for position in positions(upTo: number) {
      for arrival in try arrivals(position) {
        counts.depthDue += 1
        switch arrival.fate {
        case .dropped: counts.depthDropped += 1
        case .lacking: counts.depthLacking += 1
        case .overtaken: counts.depthSuperseded += 1
        case .arrives(let content):
          if delivered == nil { delivered = content } else { counts.depthSuperseded += 1 }
        }
      }
    }
    if let delivered {
      counts.depthDelivered = 1
      counts.depthDuplicated = delivered.isDuplicate ? 1 : 0
      counts.depthSwapped = delivered.isSwapped ? 1 : 0
      counts.depthStuck = delivered.isStuck ? 1 : 0
      return delivered
    }
    if counts.depthLacking > 0 { counts.depthMissing = 1 } else { counts.depthHeld = 1 }
    // A pass that begins in the middle starts with the depth in effect there.
    return last == nil ? try depthInForce(before: number) : nil
  }

  /// Frame set numbers since the last video frame, nearest first.
  private func positions(upTo number: Int) -> StrideThrough<Int> {
    let first = order.number(at: 0) + plan.firstNumber
    return order.isReversed
      ? stride(from: number, through: last.map { $0 - 1 } ?? first, by: 1)
      : stride(from: number, through: last.map { $0 + 1 } ?? first, by: -1)
  }

  private func depthInForce(before number: Int) throws(RetakeError) -> DeliveredContent? {
    try lastDepth(upTo: number - 1)?.content
  }

  /// The last depth that arrived up to a video frame, within `depthLookback`.
  func lastDepth(upTo number: Int) throws(RetakeError) -> (number: Int, content: DeliveredContent)? {
    for position in stride(
      from: number, to: max(recorded.range.lowerBound, number - Self.depthLookback + 1) - 1, by: -1)
    {
      for arrival in try arrivals(position) {
        if case .arrives(let content) = arrival.fate { return (position, content) }
      }
    }
    return nil
  }

  /// Faces of the last detector frame; none when it is too long ago.
  private func faces(_ number: Int) throws(RetakeError) -> (faces: [FaceObservation], areLost: Bool) {
    for look in plan.delivery.looks(at: number, recorded: recorded) {
      if plan.delivery.losesFaces(look) { return ([], true) }
      let shown = plan.delivery.colorContent(look, recorded: recorded)
      // If a detector skipped the frame, its empty faces mean unknown.
      if let entry = try entry(shown.number), !entry.isSkippedForFaces { return (entry.faces, false) }
    }
    return ([], false)
  }
}
