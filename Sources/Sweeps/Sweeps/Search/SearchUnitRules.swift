import MattePipeline
import Parameters
import Replay
import Scores
import Support

/// How long the runs of frames are on which a search scores settings, and how many frames before
/// them warm up. The rules are those of the guide Search.md. All settings of a search are scored on the
/// same frames; what is played round them is each setting's own.
package struct SearchUnitRules: Hashable, Sendable {
  /// Frames scored in a unit.
  package private(set) var length = 1
  /// The most frames played before them and not scored; `Int.max` for all from the beginning.
  package private(set) var warmUp = 0
  /// The most frames played after them, which look-ahead needs.
  package private(set) var runOut = 0
  /// Why, one sentence for each rule that applies.
  package private(set) var reasons: [String] = []

  private static let memoryLength = 4
  private static let memoryWarmUp = 8
  private static let filterWarmUp = 2
  private static let warmUpLimit = 60
  /// What has moved is known from about this many frames.
  private static let movementWarmUp = 30
  private static let cycleLimit = 12

  private let scores: [ScoreKind]
  private let beginsEmpty: Bool

  /// - Parameter beginsEmpty: whether a recording begins with an empty scene, as far as its faces say.
  package init(_ space: SearchSpace, scores: [ScoreKind], beginsEmpty: Bool = false) {
    self.init(Values(named: space.values), scores, beginsEmpty: beginsEmpty)
  }

  /// What one setting needs played round a unit.
  package func lead(of setting: ParameterSet) -> SearchLead {
    let own = SearchUnitRules(
      Values { name in setting.value(named: name).map { [$0] } ?? [] }, scores, beginsEmpty: beginsEmpty)
    return SearchLead(warmUp: min(warmUp, own.warmUp), runOut: min(runOut, own.runOut))
  }

  /// As `lead`, by points of a space.
  package func leads(of space: SearchSpace) -> @Sendable (SearchLattice.Point) -> SearchLead {
    let most = SearchLead(warmUp: warmUp, runOut: runOut)
    return { point in (try? space.setting(point)).map(lead) ?? most }
  }

  /// Values that parameters have in a space, or in one setting.
  private struct Values {
    let named: (String) -> [ParameterValue]

    init(named: @escaping (String) -> [ParameterValue]) { self.named = named }

    func texts(_ declaration: ParameterDeclaration) -> [String] { named(declaration.name).map(\.description) }
    func numbers(_ declaration: ParameterDeclaration) -> [Double] { named(declaration.name).compactMap(\.searchNumber) }
    func integers(_ declaration: ParameterDeclaration) -> [Int] { numbers(declaration).map { Int($0) } }
    func has(_ declaration: ParameterDeclaration, otherThan text: String) -> Bool {
      texts(declaration).contains { $0 != text }
    }
  }

  private init(_ space: Values, _ scores: [ScoreKind], beginsEmpty: Bool) {
    (self.scores, self.beginsEmpty) = (scores, beginsEmpty)
    if scores.contains(where: \.comparesFrames) {
      (length, warmUp) = (2, 1)
      let names = scores.filter(\.comparesFrames).map(\.name).joined(separator: ", ")
      reasons.append("\(names) compares neighbouring frames: 2 frames, 1 before them")
    }
    takeMemory(space)
    takeRates(space)
    let lookAhead = space.integers(PipelineParameters.depth.lookAhead.declaration).max() ?? 0
    if lookAhead > 0 {
      runOut = lookAhead
      reasons.append("depth.look-ahead: \(lookAhead) frames after them")
    }
  }

  private mutating func remember(_ warm: Int, _ reason: String) {
    length = max(length, max(Self.memoryLength, min(warm, Self.warmUpLimit) / 2))
    warmUp = max(warmUp, warm)
    let frames = warm == .max ? "all frames before them" : "\(warm) frames before them"
    reasons.append("\(reason): \(frames)")
  }

  private mutating func takeMemory(_ space: Values) {
    let (depth, mask, matte) = (PipelineParameters.depth, PipelineParameters.mask, PipelineParameters.matte)
    if space.has(depth.temporal.declaration, otherThan: "none") {
      let alpha = space.numbers(depth.temporalAlpha.declaration).min() ?? 1
      remember(Self.warmUp(weight: 1 - alpha), "depth.temporal")
    }
    if space.has(depth.persistence.declaration, otherThan: "0") { remember(Self.memoryWarmUp, "depth.persistence") }
    if space.has(matte.temporal.declaration, otherThan: "none") {
      remember(
        Self.warmUp(weight: space.numbers(matte.temporalWeight.declaration).max() ?? 0), "matte.temporal")
    }
    let still = space.numbers(matte.still.declaration).max() ?? 0
    if still > 0 { remember(Self.warmUp(weight: still), "matte.still") }
    let every = space.integers(mask.every.declaration).max() ?? 1
    if every > 1 { remember(max(Self.memoryWarmUp, every), "mask.every") }
    let kinds = [mask.kind.declaration, mask.second.declaration].flatMap(space.texts)
    if kinds.contains("plate") { remember(.max, "mask.kind=plate learns the empty room") }
    if beginsEmpty, kinds.contains("face"), space.texts(mask.emptyStart.declaration).contains("true") {
      remember(.max, "mask.empty-start learns the empty room")
    }
    if kinds.contains("face"), space.texts(mask.movement.declaration).contains("true") {
      remember(Self.movementWarmUp, "mask.movement")
    }
  }

  /// Frames until what was before counts for less than half: filters begin with what they see first,
  /// which is nearly right already.
  private static func warmUp(weight: Double) -> Int {
    guard weight > 0.1, weight < 1 else { return weight >= 1 ? warmUpLimit : filterWarmUp }
    let frames = (PortableMath.log2(0.4) / PortableMath.log2(weight)).rounded(.up)
    return min(warmUpLimit, max(filterWarmUp, Int(frames)))
  }

  /// A unit holds whole cycles of the rates, since frames with depth are better than those without.
  private mutating func takeRates(_ space: Values) {
    let rates = [ReplayParameters.delivery.depthRate.declaration, ReplayParameters.delivery.facesRate.declaration]
    var (cycle, gap) = (1, 1)
    for case .fraction(let rate) in rates.flatMap({ space.named($0.name) }) {
      let next = Self.leastCommonMultiple(cycle, rate.denominator)
      gap = max(gap, (rate.denominator + rate.numerator - 1) / rate.numerator)
      // Longer cycles are no longer whole, but their part is a fair sample.
      cycle = next <= Self.cycleLimit ? next : max(cycle, min(rate.denominator, Self.cycleLimit))
    }
    guard cycle > 1 else { return }
    length = (length + cycle - 1) / cycle * cycle
    // Depth that was delivered before holds, but a face's distance is measured when depth comes.
    warmUp = max(warmUp, min(gap, Self.cycleLimit) - 1)
    reasons.append("depth.rate: whole cycles of \(cycle) frames")
  }

  private static func leastCommonMultiple(_ a: Int, _ b: Int) -> Int {
    var (x, y) = (a, b)
    while y != 0 { (x, y) = (y, x % y) }
    // Denominators may be large; saturates instead of overflowing.
    let (product, overflow) = (a / x).multipliedReportingOverflow(by: b)
    return overflow ? .max : product
  }
}

extension SearchUnitRules {
  /// The units of a search, in the order in which they are used: recordings in turn, and in each the
  /// units spread evenly by the golden ratio.
  /// - Parameters:
  ///   - frameCounts: frames that are played of each recording.
  ///   - isUseful: whether any of these positions of a recording can be scored.
  package func units(
    frameCounts: [Int], seed: UInt64, isUseful: (_ recording: Int, Range<Int>) -> Bool = { _, _ in true }
  ) -> [SearchUnit] {
    var lists = frameCounts.enumerated().map { recording, count in
      order(count: max(1, count / length), seed: SeededGenerator.hash(seed, UInt64(recording), 0x0417))
        .map { place, slots in
          let frames = place * length..<(place == slots - 1 ? count : (place + 1) * length)
          let first = warmUp > frames.lowerBound ? 0 : frames.lowerBound - warmUp
          return SearchUnit(
            recording: recording, frames: frames, played: first..<min(count, frames.upperBound + runOut))
        }
        .filter { isUseful(recording, $0.frames) }[...]
    }
    var units: [SearchUnit] = []
    while lists.contains(where: { !$0.isEmpty }) {
      for recording in lists.indices {
        if let next = lists[recording].popFirst() { units.append(next) }
      }
    }
    return units
  }

  /// Every slot once.
  private func order(count: Int, seed: UInt64) -> [(place: Int, slots: Int)] {
    var isTaken = [Bool](repeating: false, count: count)
    var order: [(place: Int, slots: Int)] = []
    var position = seed
    for _ in 0..<count {
      position &+= 0x9E37_79B9_7F4A_7C15
      var slot = Int(position.multipliedFullWidth(by: UInt64(count)).high)
      while isTaken[slot] { slot = (slot + 1) % count }
      isTaken[slot] = true
      order.append((slot, count))
    }
    return order
  }
}
