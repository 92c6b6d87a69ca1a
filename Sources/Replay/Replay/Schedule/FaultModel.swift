import Parameters

/// Simulated capture faults: the parameters of the group `fault`.
package struct FaultModel: Hashable, Sendable {
  package var random: FaultRandom
  package var color = OrderFaults(duplicateKind: .colorDuplicate, swapKind: .colorSwap)
  package var colorDrops = FaultBursts.none
  package var depth = OrderFaults(duplicateKind: .depthDuplicate, swapKind: .depthSwap)
  package var depthDrops = FaultBursts.none
  /// Maximum delay of depth beyond its latency, in frames.
  package var depthJitter = 0
  /// Frame sets in which the range's first depth frame repeats.
  package var stuckDepth: Range<Int> = 0..<0
  /// Multiple of the axial σ that Nguyen measured.
  package var depthNoise = 0.0
  /// Frames in which detectors miss all faces.
  package var lostFaces: Range<Int> = 0..<0

  package static let none = FaultModel(seed: 0)

  package init(seed: UInt64) { random = FaultRandom(seed: seed) }

  package init(_ parameters: ParameterSet) {
    func span(_ from: Parameter<Int>, _ count: Parameter<Int>) -> Range<Int> {
      let first = parameters[from]
      return first < 0 ? 0..<0 : first..<first + parameters[count]
    }
    func bursts(_ chance: Parameter<Double>, _ length: Parameter<Int>) -> FaultBursts {
      FaultBursts(chance: FaultChance(parameters[chance]), length: parameters[length])
    }
    let names = ReplayParameters.faults
    self.init(seed: UInt64(parameters[names.seed]))
    color.duplicate = FaultChance(parameters[names.colorDuplicate])
    color.swap = FaultChance(parameters[names.colorSwap])
    colorDrops = bursts(names.colorDrop, names.colorBurst)
    depth.duplicate = FaultChance(parameters[names.depthDuplicate])
    depth.swap = FaultChance(parameters[names.depthSwap])
    depthDrops = bursts(names.depthDrop, names.depthBurst)
    depthJitter = parameters[names.depthJitter]
    stuckDepth = span(names.stuckFrom, names.stuckFrames)
    depthNoise = parameters[names.depthNoise]
    lostFaces = span(names.facesLostFrom, names.facesLostFrames)
  }
}

/// The recorded frame that a delivery contains.
package struct DeliveredContent: Hashable, Sendable {
  /// The frame set in which it was recorded.
  package var number: Int
  package var isDuplicate = false
  package var isSwapped = false
  package var isStuck = false

  package init(number: Int, isDuplicate: Bool = false, isSwapped: Bool = false, isStuck: Bool = false) {
    (self.number, self.isDuplicate, self.isSwapped, self.isStuck) = (number, isDuplicate, isSwapped, isStuck)
  }
}

/// Duplicated and swapped frames in one stream, whose deliveries are counted 0, 1, 2 …
package struct OrderFaults: Hashable, Sendable {
  /// Deliveries at multiples of this are never duplicates, which bounds the search for originals.
  package static let duplicateReset = 64

  package let duplicateKind: FaultRandom.Kind
  package let swapKind: FaultRandom.Kind
  package var duplicate = FaultChance.never
  package var swap = FaultChance.never

  /// First swaps neighbours, deliveries 2m and 2m + 1; then a duplicate repeats the one before.
  /// - Parameters:
  ///   - number: returns the frame set of a delivery.
  ///   - recorded: existing frame sets; others are neither swapped nor repeated.
  package func content(
    of ordinal: Int, _ random: FaultRandom, recorded: RecordedNumbers, number: (Int) -> Int
  ) -> DeliveredContent {
    var source = ordinal
    if duplicate.threshold > 0 {
      while source % Self.duplicateReset != 0, random.happens(duplicateKind, number(source), duplicate),
        recorded.contains(number(source - 1))
      {
        source -= 1
      }
    }
    var content = DeliveredContent(number: number(source), isDuplicate: source != ordinal)
    if swap.threshold > 0, random.happens(swapKind, number(source & ~1), swap) {
      let other = number(source ^ 1)
      if recorded.contains(other) {
        content.number = other
        content.isSwapped = true
      }
    }
    return content
  }
}
