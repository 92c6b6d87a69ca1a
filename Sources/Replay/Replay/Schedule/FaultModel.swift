import Parameters

/// What goes wrong on the way from the camera: the parameters of the group `fault`.
package struct FaultModel: Hashable, Sendable {
  package var random: FaultRandom
  package var color = OrderFaults(duplicateKind: .colorDuplicate, swapKind: .colorSwap)
  package var colorDrops = FaultBursts.none
  package var depth = OrderFaults(duplicateKind: .depthDuplicate, swapKind: .depthSwap)
  package var depthDrops = FaultBursts.none
  /// Frames that depth may come later than its latency says.
  package var depthJitter = 0
  /// Numbers from whose first depth frame on that one comes again and again.
  package var stuckDepth: Range<Int> = 0..<0
  /// Multiple of the axial σ that Nguyen measured.
  package var depthNoise = 0.0
  /// Numbers in whose frames no detector sees a face.
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
    typealias Names = ReplayParameters
    self.init(seed: UInt64(parameters[Names.faultSeed]))
    color.duplicate = FaultChance(parameters[Names.colorDuplicate])
    color.swap = FaultChance(parameters[Names.colorSwap])
    colorDrops = bursts(Names.colorDrop, Names.colorBurst)
    depth.duplicate = FaultChance(parameters[Names.depthDuplicate])
    depth.swap = FaultChance(parameters[Names.depthSwap])
    depthDrops = bursts(Names.depthDrop, Names.depthBurst)
    depthJitter = parameters[Names.depthJitter]
    stuckDepth = span(Names.stuckFrom, Names.stuckFrames)
    depthNoise = parameters[Names.depthNoise]
    lostFaces = span(Names.facesLostFrom, Names.facesLostFrames)
  }
}

/// What a delivery holds instead of what was recorded for it.
package struct DeliveredContent: Hashable, Sendable {
  /// The frame set that it was recorded in.
  package var number: Int
  package var isDuplicate = false
  package var isSwapped = false
  package var isStuck = false
}

/// Deliveries of one stream that hold another one's frame: duplicates and swapped neighbours.
///
/// Both speak of the stream's own deliveries, 0, 1, 2 …, whatever video frames they come with.
package struct OrderFaults: Hashable, Sendable {
  /// A delivery whose ordinal is a multiple of this is never a duplicate: so a replay that begins anywhere finds what the
  /// duplicates repeat by looking back a bounded way.
  package static let duplicateReset = 64

  package let duplicateKind: FaultRandom.Kind
  package let swapKind: FaultRandom.Kind
  package var duplicate = FaultChance.never
  package var swap = FaultChance.never

  package init(duplicateKind: FaultRandom.Kind, swapKind: FaultRandom.Kind) {
    self.duplicateKind = duplicateKind
    self.swapKind = swapKind
  }

  /// First neighbours exchange, deliveries 2m and 2m + 1; then a duplicate repeats the delivery before it.
  /// - Parameters:
  ///   - ordinal: of the delivery.
  ///   - number: of the frame set that a delivery is of.
  ///   - recorded: the frame sets that there are: with others nothing is exchanged, and none is repeated.
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
