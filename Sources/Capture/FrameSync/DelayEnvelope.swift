/// The straight line below all frame delays: the offset between two clocks that drift apart.
///
/// A frame's arrival minus its device time is the clock offset plus a delay that is never negative.
/// Of each slice of time the minimum is kept, which is nearly exponential whatever the delays are.
///
/// With n slices at x whose minima are y, the highest line of slope b below all of them has height
/// a(b) at the mean of x. The slope has the density exp(n·a(b)/μ − b²/2σ²), with μ the mean height
/// of the y above the line and σ the deviation of crystals. The line is the mean over that density,
/// lowered by μ/n.
///
/// With much data, it is the supporting line of the lower hull with the smallest sum of heights
/// (Moon, Skelly, Towsley 1999). With little, where that line tilts wildly, the slope stays near 0.
///
/// Only + − × ÷ and square root on doubles: the same frames give the same line on every machine.
struct DelayEnvelope: Sendable {
  static let sliceNanoseconds: Int64 = 250_000_000
  /// 30 s of gapless frames; bounds memory.
  static let sliceLimit = 120
  static let oldestNanoseconds: Int64 = 120_000_000_000

  /// The smallest offset in a slice of time.
  struct Slice: Sendable {
    var index: Int64
    var arrival: Int64
    var offset: Int64
    /// One usual interval after the previous frame, on the device's clock: the timestamp is right.
    var isInStep = false
  }

  /// A line through `offset` at `arrival`, with its uncertainty.
  struct Line: Sendable {
    var arrival: Int64
    var offset: Int64
    /// Nanoseconds per nanosecond.
    var slope = 0.0
    var slopeDeviation = DelayEnvelope.priorDeviation
    /// Mean arrival of the slices, where the line is most certain.
    var center: Int64
    /// Mean height of the slices above the line, nanoseconds.
    var spread = 0.0
    var count = 1

    /// How far below the line the next sample may lie. Lower ones are hardly of the same clock.
    func reachNanoseconds(at arrival: Int64) -> Double {
      guard count >= DelayEnvelope.fewCount else { return 1_000_000_000 }
      let distance = Double(arrival &- center).magnitude
      return 500_000 + 12 * spread / Double(count) + 4 * slopeDeviation * distance
    }

    /// How far above the line a slice's minimum may lie before the whole slice counts as late.
    /// Grows with the distance from `center`, so that a long late run is examined again.
    func lateNanoseconds(at arrival: Int64) -> Double {
      let distance = Double(arrival &- center).magnitude
      return max(5_000_000, 10 * spread) + 4 * slopeDeviation * distance
    }

    func offset(at arrival: Int64) -> Double {
      Double(offset) + slope * Double(arrival &- self.arrival)
    }
  }

  private(set) var slices: [Slice] = []
  private(set) var line: Line?
  /// Late slices at the end: their number, their start, and how far ticks were set back.
  private var lateCount = 0
  private var lateSince: Int64 = 0
  private var setBack: (arrival: Int64, nanoseconds: Int64)?
  /// Smaller moves of the line are ignored, so that clocks without drift map without noise.
  private let stillnessNanoseconds: Double

  init(stillnessNanoseconds: Double) { self.stillnessNanoseconds = stillnessNanoseconds }

  /// Height of a sample above the line, nanoseconds.
  func height(arrival: Int64, offset: Int64) -> Double? {
    guard let line else { return nil }
    return Double(offset &- line.offset) - line.slope * Double(arrival &- line.arrival)
  }

  /// Records by how much a tick fell short of whole intervals: the clock may have been set back.
  mutating func noteSetBack(arrival: Int64, nanoseconds: Int64) {
    if lateCount == 0 { setBack = (arrival, nanoseconds) }
  }

  mutating func add(arrival: Int64, offset: Int64, isInStep: Bool = false) {
    var index = arrival / Self.sliceNanoseconds
    if arrival < 0 { index -= 1 }
    let sample = Slice(index: index, arrival: arrival, offset: offset, isInStep: isInStep)
    guard let line else {
      slices = [sample]
      self.line = Line(arrival: arrival, offset: offset, center: arrival)
      return
    }
    if let last = slices.last, index > last.index {
      tidy()
      slices.append(sample)
      let isAfterSilence = arrival &- last.arrival > Self.oldestNanoseconds
      let stale = slices.prefix { arrival &- $0.arrival > Self.oldestNanoseconds }.count
      // While frames are late, only the old slices constrain the line.
      let spare = isAfterSilence ? stale : lateCount > 0 ? 0 : min(stale, max(0, slices.count - Self.leftCount))
      slices.removeFirst(max(spare, slices.count - Self.sliceLimit))
      lateCount = min(lateCount, slices.count - 1)
      return fit()
    }
    // Samples may be slightly out of order. One older than every slice is ignored.
    guard let place = slices.lastIndex(where: { $0.index <= index }) else { return }
    if slices[place].index == index {
      let known = slices[place]
      let rise = line.slope * Double(arrival &- known.arrival)
      guard Double(offset &- known.offset) < rise else { return }
      slices[place] = sample
    } else {
      slices.insert(sample, at: place + 1)
      slices.removeFirst(max(0, slices.count - Self.sliceLimit))
    }
    if height(arrival: arrival, offset: offset)! < -stillnessNanoseconds { fit() }
  }
}

// MARK: Outliers

extension DelayEnvelope {
  private static let tidyCount = 6
  private static let settledCount = 40
  private static let leftCount = 20
  private static let leftNanoseconds = 5_000_000.0
  private static let lateRunCount = 4
  private static let promptCount = 8
  /// Drivers queue less than a second of frames, so a larger delay is a stopped counter.
  private static let stoppedNanoseconds = 1_000_000_000.0

  /// Removes slices that should not have moved the line. Called when a slice is complete.
  private mutating func tidy() {
    guard slices.count >= Self.tidyCount else { return }
    let heights = slices.map { height(arrival: $0.arrival, offset: $0.offset)! }
    if slices.count <= Self.settledCount { removeLoneLow(heights) }
    setLateAside()
    forgetLateBeginning()
  }

  /// Removes a timestamp in the future that was accepted while data was scarce. Of n exponential
  /// heights with mean μ, the smallest lies μ/n below the next; 25 times as far is not a delay.
  private mutating func removeLoneLow(_ heights: [Double]) {
    let least = heights.indices.min { heights[$0] < heights[$1] }!
    guard !slices[least].isInStep else { return }
    let others = heights.indices.filter { $0 != least }
    let next = others.map { heights[$0] }.min()!
    let mean = others.reduce(0) { $0 + heights[$1] - next } / Double(others.count - 1)
    guard next - heights[least] > max(1_000_000, 25 * mean / Double(others.count)) else { return }
    slices.remove(at: least)
  }

  /// Late arrival is not drift: the line stays while every frame is late, for a second or for
  /// minutes. It moves if ticks show that the device's clock was set back by that much. It also
  /// moves if the delay exceeds 1 s, since the counter must then have stopped.
  private mutating func setLateAside() {
    guard let line, let last = slices.last else { return }
    guard height(arrival: last.arrival, offset: last.offset)! > line.lateNanoseconds(at: last.arrival) else {
      if lateCount >= Self.lateRunCount { slices.removeSubrange((slices.count - 1 - lateCount)..<(slices.count - 1)) }
      lateCount = 0
      return
    }
    if lateCount == 0 { lateSince = last.arrival }
    lateCount += 1
    guard lateCount >= Self.leftCount else { return }
    let late = slices.suffix(Self.leftCount)
    let least = late.reduce(Double.infinity) { min($0, height(arrival: $1.arrival, offset: $1.offset)!) }
    if least > Self.stoppedNanoseconds || isSetBack(by: least, line) {
      slices = Array(late)
      lateCount = 0
      self.line = nil
      fit()
    } else if lateCount > Self.leftCount {
      slices.remove(at: slices.count - lateCount)
      lateCount -= 1
    }
  }

  /// Removes frames that were late from the start, once frames are prompt: they blur the line.
  private mutating func forgetLateBeginning() {
    guard let line, lateCount == 0, slices.count >= 2 * Self.promptCount else { return }
    let heights = slices.map { height(arrival: $0.arrival, offset: $0.offset)! }
    let recent = heights.suffix(Self.promptCount)
    let least = recent.min()!
    let mean = recent.reduce(0) { $0 + $1 - least } / Double(recent.count)
    let limit = max(Self.leftNanoseconds, 10 * mean)
    let older = heights.dropLast(Self.promptCount)
    guard older.reduce(0, { $0 + $1 - least }) > limit * Double(older.count), line.spread > limit else { return }
    slices = zip(slices, heights).filter { $1 - least <= limit }.map(\.0)
  }

  private func isSetBack(by height: Double, _ line: Line) -> Bool {
    guard let setBack, setBack.arrival > lateSince &- 2 * Self.sliceNanoseconds else { return false }
    return (height - Double(setBack.nanoseconds)).magnitude <= max(Self.leftNanoseconds, 10 * line.spread)
  }

  /// The slices that constrain the line: all but a late run.
  private var telling: [Slice] {
    guard lateCount >= Self.lateRunCount, let line, let newest = slices.last else { return slices }
    let isLate = height(arrival: newest.arrival, offset: newest.offset)! > line.lateNanoseconds(at: newest.arrival)
    return slices.dropLast(lateCount + 1) + (isLate ? [] : [newest])
  }
}

// MARK: The fit

extension DelayEnvelope {
  /// Crystals are mostly within ±100 ppm, and never beyond ±500.
  static let priorDeviation = 100e-6
  static let largestSlope = 500e-6
  private static let gridCount = 41
  /// With fewer slices, the spread of delays is unknown.
  static let fewCount = 4

  private mutating func fit() {
    guard let newest = slices.last else { return }
    // Relative to the newest slice, in seconds and nanoseconds: small numbers are exact.
    let points = telling.map {
      (x: Double($0.arrival &- newest.arrival) * 1e-9, y: Double($0.offset &- newest.offset))
    }
    let count = Double(points.count)
    let meanX = points.reduce(0) { $0 + $1.x } / count
    let hull = Self.lowerHull(points)
    let limit = Self.largestSlope * 1e9
    let grid = (0..<Self.gridCount).map { -limit + 2 * limit / Double(Self.gridCount - 1) * Double($0) }
    let lines = LinesBelow(hull, meanX: meanX, slopes: grid)
    let spread = Self.spread(points, above: lines, meanX: meanX)
    let coarse = lines.posterior(count: count, spread: spread)
    let (low, high) = (max(-limit, coarse.lowest), min(limit, coarse.highest))
    let finer = (0..<Self.gridCount).map { low + (high - low) / Double(Self.gridCount - 1) * Double($0) }
    let fine = LinesBelow(hull, meanX: meanX, slopes: finer).posterior(count: count, spread: spread)
    let height = points.count < Self.fewCount ? fine.height : fine.height - spread / count
    let fitted = Line(
      arrival: newest.arrival, offset: newest.offset &+ Self.integer(height - fine.slope * meanX),
      slope: fine.slope * 1e-9, slopeDeviation: fine.slopeDeviation * 1e-9,
      center: newest.arrival &+ Self.integer(meanX * 1e9), spread: spread, count: points.count)
    guard var kept = line, (kept.offset(at: newest.arrival) - Double(fitted.offset)).magnitude <= stillnessNanoseconds
    else {
      line = fitted
      return
    }
    (kept.spread, kept.count, kept.center) = (fitted.spread, fitted.count, fitted.center)
    kept.slopeDeviation = fitted.slopeDeviation
    line = kept
  }

  /// Andrew's monotone chain. Points must be in order of increasing x.
  private static func lowerHull(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
    var hull: [(x: Double, y: Double)] = []
    for point in points {
      while hull.count >= 2 {
        let (a, b) = (hull[hull.count - 2], hull[hull.count - 1])
        guard (b.x - a.x) * (point.y - a.y) <= (b.y - a.y) * (point.x - a.x) else { break }
        hull.removeLast()
      }
      hull.append(point)
    }
    return hull
  }

  /// Rounds to the nearest integer; values outside Int64 become ±2⁶².
  static func integer(_ value: Double) -> Int64 {
    Int64(exactly: value.rounded(.toNearestOrEven)) ?? (value < 0 ? -1 << 62 : 1 << 62)
  }
}

extension DelayEnvelope {
  /// Mean height of the points above the highest line below them: the median / ln 2, as for an
  /// exponential density, since a few late frames do not move it. The fit uses up two points.
  private static func spread(_ points: [(x: Double, y: Double)], above lines: LinesBelow, meanX: Double) -> Double {
    let best = lines.heights.indices.max { lines.heights[$0] < lines.heights[$1] }!
    let heights = points.map { $0.y - lines.slopes[best] * ($0.x - meanX) - lines.heights[best] }.sorted()
    let median = (heights[(heights.count - 1) / 2] + heights[heights.count / 2]) / 2
    return max(0, median * 1.4427 * Double(points.count) / Double(max(1, points.count - 2)))
  }
}

/// The highest line of each slope (nanoseconds per second) below all points.
private struct LinesBelow {
  let slopes: [Double]
  /// Height of each line at the mean of x.
  let heights: [Double]

  struct Posterior {
    var slope = 0.0
    var slopeDeviation = 0.0
    var height = 0.0
    /// Range of slopes with noticeable weight.
    var lowest = 0.0
    var highest = 0.0
  }

  /// - Parameter slopes: ascending and equally spaced.
  init(_ hull: [(x: Double, y: Double)], meanX: Double, slopes: [Double]) {
    self.slopes = slopes
    // The vertex that the line touches moves right as the slope grows.
    var vertex = 0
    heights = slopes.map { slope in
      func at(_ i: Int) -> Double { hull[i].y - slope * (hull[i].x - meanX) }
      while vertex + 1 < hull.count, at(vertex + 1) <= at(vertex) { vertex += 1 }
      return at(vertex)
    }
  }

  func posterior(count: Double, spread: Double) -> Posterior {
    let top = heights.max()!
    let scale = count / max(1000, spread)
    let prior = DelayEnvelope.priorDeviation * 1e9
    let costs = zip(slopes, heights).map { slope, height in
      (top - height) * scale + slope * slope / (2 * prior * prior)
    }
    let least = costs.min()!
    let weights = costs.map { Self.exponential(of: $0 - least) }
    let sum = weights.reduce(0, +)
    var result = Posterior()
    for (weight, (slope, height)) in zip(weights, zip(slopes, heights)) {
      result.slope += weight / sum * slope
      result.height += weight / sum * height
    }
    var variance = 0.0
    for (weight, slope) in zip(weights, slopes) {
      variance += weight / sum * (slope - result.slope) * (slope - result.slope)
    }
    result.slopeDeviation = variance.squareRoot()
    let step = slopes[1] - slopes[0]
    result.lowest = slopes[weights.firstIndex { $0 > 1e-4 }!] - step
    result.highest = slopes[weights.lastIndex { $0 > 1e-4 }!] + step
    return result
  }

  /// exp(−z) for z ≥ 0, to a few percent, with the same bits on every machine.
  private static func exponential(of z: Double) -> Double {
    guard z < 40 else { return 0 }
    var value = 1 - z / 1024
    for _ in 0..<10 { value *= value }
    return value
  }
}
