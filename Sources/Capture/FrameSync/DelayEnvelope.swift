/// The straight line below all delays: the offset between two clocks that drift apart, seen through one-sided delay.
///
/// A frame's arrival less its device time is the clocks' offset plus a delay that is never negative. Time is cut into
/// slices, and the least of each is kept. The least of several delays is nearly exponential, whatever the delays are, so
/// the line is what follows from that: with slices at x whose least values are y, the highest line of slope b below all
/// of them passes at height a(b) above the mean of x, and the slope has the density exp(n·a(b)/μ − b²/2σ²), μ being the
/// mean height of the y above the line and σ how far crystals are off. The line is the mean over that density, μ/n lower
/// than those that touch. With much data it is the supporting line of the lower hull that leaves the least sum of
/// heights (Moon, Skelly, Towsley 1999); with little, where that one tilts wildly, it stays near slope 0.
///
/// Sums, products and quotients of doubles only: the same frames give the same line on every machine.
struct DelayEnvelope: Sendable {
  static let sliceNanoseconds: Int64 = 250_000_000
  /// Half a minute of frames that come without a gap; memory is bounded by it.
  static let sliceLimit = 120
  static let oldestNanoseconds: Int64 = 120_000_000_000

  /// The least offset of a slice and when it arrived.
  struct Slice: Sendable {
    var index: Int64
    var arrival: Int64
    var offset: Int64
    /// Its frame came one usual interval after the one before, on the device's clock: its stamp is right.
    var isInStep = false
  }

  /// Height `height` at `arrival`, and how sure it is.
  struct Line: Sendable {
    var arrival: Int64
    var offset: Int64
    /// Nanoseconds per nanosecond.
    var slope = 0.0
    var slopeDeviation = DelayEnvelope.priorDeviation
    /// The mean of the slices' arrivals, where the line is surest.
    var center: Int64
    /// Mean height of the slices above the line, nanoseconds.
    var spread = 0.0
    /// Slices.
    var count = 1

    /// How far the next sample may lie below: beyond it, it is hardly one of the same clock.
    func reachNanoseconds(at arrival: Int64) -> Double {
      guard count >= DelayEnvelope.fewCount else { return 1_000_000_000 }
      let distance = Double(arrival &- center).magnitude
      return 500_000 + 12 * spread / Double(count) + 4 * slopeDeviation * distance
    }

    /// How far the least of a slice may lie above: beyond it, every frame of the slice was held up. Grows with the time
    /// since the line was sure, so that what lies above for long is looked at again.
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
  /// Complete slices at the end that are late from first to last, when they began, and how the ticks were set back then.
  private var lateCount = 0
  private var lateSince: Int64 = 0
  private var setBack: (arrival: Int64, nanoseconds: Int64)?
  /// A line that moves by less stays as it is, so that clocks without drift map without noise.
  private let stillnessNanoseconds: Double

  init(stillnessNanoseconds: Double) { self.stillnessNanoseconds = stillnessNanoseconds }

  /// How far a sample lies above the line, nanoseconds.
  func height(arrival: Int64, offset: Int64) -> Double? {
    guard let line else { return nil }
    return Double(offset &- line.offset) - line.slope * Double(arrival &- line.arrival)
  }

  /// A tick came this much sooner after the one before than a whole number of intervals.
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
      // While frames are late, the old slices are the ones that know where the line is.
      let spare = isAfterSilence ? stale : lateCount > 0 ? 0 : min(stale, max(0, slices.count - Self.leftCount))
      slices.removeFirst(max(spare, slices.count - Self.sliceLimit))
      lateCount = min(lateCount, slices.count - 1)
      return fit()
    }
    // A little out of order perhaps; what is older than every slice is of no use.
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

// MARK: What does not belong

extension DelayEnvelope {
  private static let tidyCount = 6
  private static let settledCount = 40
  private static let leftCount = 20
  private static let leftNanoseconds = 5_000_000.0
  private static let lateRunCount = 4
  private static let promptCount = 8
  /// Drivers hold fewer frames than make up a second.
  private static let stoppedNanoseconds = 1_000_000_000.0

  /// When a slice is complete: takes out what the line should not have believed.
  private mutating func tidy() {
    guard slices.count >= Self.tidyCount else { return }
    let heights = slices.map { height(arrival: $0.arrival, offset: $0.offset)! }
    if slices.count <= Self.settledCount { removeLoneLow(heights) }
    setLateAside()
    forgetLateBeginning()
  }

  /// While there was too little to tell, a stamp from the future was believed. Of n exponential heights with mean μ the
  /// least lies μ/n below the next: one that lies 25 times as far is no delay.
  private mutating func removeLoneLow(_ heights: [Double]) {
    let least = heights.indices.min { heights[$0] < heights[$1] }!
    guard !slices[least].isInStep else { return }
    let others = heights.indices.filter { $0 != least }
    let next = others.map { heights[$0] }.min()!
    let mean = others.reduce(0) { $0 + heights[$1] - next } / Double(others.count - 1)
    guard next - heights[least] > max(1_000_000, 25 * mean / Double(others.count)) else { return }
    slices.remove(at: least)
  }

  /// Late arrival is no drift: the line stays as it was while every frame is late, for a second or for minutes. Two
  /// exceptions move it: the ticks show that the device's clock was set back by that much, or the delay exceeds 1 s, so the
  /// counter must have stopped.
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

  /// Where frames were late from the start and are prompt at last, the late ones only blur what these tell.
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

  /// The slices that say where the line is.
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
  /// With fewer slices nobody can tell how the delays are spread.
  static let fewCount = 4

  private mutating func fit() {
    guard let newest = slices.last else { return }
    // Seconds, and nanoseconds above the newest: small numbers are exact.
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

  /// Points by x, each further right than the one before. Andrew's monotone chain.
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

  /// To the nearest nanosecond; what no clock gives becomes an end of the range.
  static func integer(_ value: Double) -> Int64 {
    Int64(exactly: value.rounded(.toNearestOrEven)) ?? (value < 0 ? -1 << 62 : 1 << 62)
  }
}

extension DelayEnvelope {
  /// Mean height of the points above the highest line below them, from the median, which a few frames that waited long do
  /// not move: that of an exponential density is ln 2 of its mean. The line takes up two of the points.
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
  /// Of each line, over the mean of x.
  let heights: [Double]

  /// What is known of the slope and the height.
  struct Posterior {
    var slope = 0.0
    var slopeDeviation = 0.0
    var height = 0.0
    /// Slopes that count lie between.
    var lowest = 0.0
    var highest = 0.0
  }

  /// - Parameter slopes: ascending, at equal distances.
  init(_ hull: [(x: Double, y: Double)], meanX: Double, slopes: [Double]) {
    self.slopes = slopes
    // The vertex that the line touches moves left as the slope falls, and right as it grows.
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

  /// exp(−z) for z ≥ 0, to a few percent, with the same bits everywhere.
  private static func exponential(of z: Double) -> Double {
    guard z < 40 else { return 0 }
    var value = 1 - z / 1024
    for _ in 0..<10 { value *= value }
    return value
  }
}
