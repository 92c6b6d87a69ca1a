import Parameters

/// What is delivered with each video frame: rates, latencies, throttling and faults.
///
/// Every answer depends only on a frame set's number, this schedule and the recording. Nothing is
/// counted from the start, so replays may start anywhere, skip frame sets or run backwards. The
/// guide Faults.md states the order of the rules.
package struct DeliverySchedule: Hashable, Sendable {
  package var depth: DepthSchedule
  package var depthLatency = 0
  package var faces = EvenSchedule(rate: .one)
  package var facesLatency = 0
  package var throttle = Throttle.none
  package var faults = FaultModel.none

  package init(depth: DepthSchedule) { self.depth = depth }

  package init(_ parameters: ParameterSet) {
    depth = DepthSchedule(parameters)
    depthLatency = parameters[ReplayParameters.delivery.depthLatency]
    faces = EvenSchedule(rate: parameters[ReplayParameters.delivery.facesRate])
    facesLatency = parameters[ReplayParameters.delivery.facesLatency]
    throttle = Throttle(parameters)
    faults = FaultModel(parameters)
  }

  // MARK: Colour

  package enum ColorFate: Hashable, Sendable {
    case comes, throttled, dropped
  }

  package func colorFate(_ number: Int) -> ColorFate {
    if !throttle.passes(number) { return .throttled }
    return faults.colorDrops.hits(number, .colorDrop, faults.random) ? .dropped : .comes
  }

  /// The content of a colour frame that passes the throttle.
  package func colorContent(_ number: Int, recorded: RecordedNumbers) -> DeliveredContent {
    faults.color.content(of: throttle.ordinal(number), faults.random, recorded: recorded) {
      throttle.number(ofPassing: $0)
    }
  }

  // MARK: Depth

  package func isDepthDue(_ number: Int) -> Bool {
    throttle.passes(number) && depth.turns.hasTurn(throttle.ordinal(number))
  }

  /// The content of a depth frame that is due.
  package func depthContent(_ number: Int, recorded: RecordedNumbers) -> DeliveredContent {
    let own = depthOrdinal(number)
    var ordinal = own
    if faults.stuckDepth.contains(number) {
      ordinal = depthOrdinal(max(faults.stuckDepth.lowerBound, recorded.range.lowerBound))
      recorded.use(depthNumber(ordinal))
    }
    var content = faults.depth.content(of: ordinal, faults.random, recorded: recorded) { depthNumber($0) }
    content.isStuck = ordinal != own
    return content
  }

  /// The number of depth frames due before a frame set: the next one's ordinal.
  private func depthOrdinal(_ number: Int) -> Int { depth.turns.ordinal(throttle.ordinal(number)) }

  /// The frame set in which the depth frame with an ordinal is due: the inverse of `depthOrdinal`.
  private func depthNumber(_ ordinal: Int) -> Int { throttle.number(ofPassing: depth.turns.number(ofTurn: ordinal)) }

  package func isDepthDropped(_ number: Int) -> Bool {
    faults.depthDrops.hits(number, .depthDrop, faults.random)
  }

  /// The frame set with which a depth frame arrives that is due at `number`.
  package func depthArrival(_ number: Int) -> Int {
    number + depthLatency + faults.random.number(.depthJitter, number, upTo: faults.depthJitter)
  }

  package struct DepthArrival: Hashable, Sendable {
    package enum Fate: Hashable, Sendable {
      case arrives(DeliveredContent)
      case dropped
      /// The recording has no depth there.
      case lacking
      /// A newer depth frame arrived before or with it.
      case overtaken
    }
    package var number: Int
    package var fate: Fate

    package init(number: Int, fate: Fate) {
      (self.number, self.fate) = (number, fate)
    }
  }

  /// The depth frames that arrive with a frame set, newest first. At most one has the fate
  /// `arrives`. `recorded` is asked last, so that it notes only frame sets that affect the result.
  /// - Parameter hasDepth: called only for recorded frame sets.
  package func depthArrivals<Failure>(
    at position: Int, recorded: RecordedNumbers, hasDepth: (Int) throws(Failure) -> Bool
  ) throws(Failure) -> [DepthArrival] {
    let newest = position - depthLatency
    var arrivals: [DepthArrival] = []
    for number in stride(from: newest, through: newest - faults.depthJitter, by: -1)
    where number >= 0 && isDepthDue(number) && depthArrival(number) == position && recorded.contains(number) {
      arrivals.append(DepthArrival(number: number, fate: try fate(number, position, recorded, hasDepth)))
    }
    return arrivals
  }

  private func fate<Failure>(
    _ number: Int, _ position: Int, _ recorded: RecordedNumbers, _ hasDepth: (Int) throws(Failure) -> Bool
  ) throws(Failure) -> DepthArrival.Fate {
    if isDepthDropped(number) { return .dropped }
    let content = depthContent(number, recorded: recorded)
    guard try hasDepth(content.number) else { return .lacking }
    // Frames that overtake it are due later but have arrived by now.
    for newer in stride(from: number + 1, through: position - depthLatency, by: 1)
    where isDepthDue(newer) && depthArrival(newer) <= position && !isDepthDropped(newer) && recorded.contains(newer) {
      if try hasDepth(depthContent(newer, recorded: recorded).number) { return .overtaken }
    }
    return .arrives(content)
  }

  // MARK: Faces

  /// Maximum number of detector frames searched for the faces in effect.
  package static let facesLookback = 256

  /// Frames whose faces may be in effect, latest first: due for a detector and not lost.
  package func looks(at number: Int, recorded: RecordedNumbers) -> some Sequence<Int> {
    let latest = facesOrdinal(number - facesLatency + 1) - 1
    return stride(from: latest, through: max(0, latest - Self.facesLookback), by: -1).lazy
      .map { throttle.number(ofPassing: faces.number(ofTurn: $0)) }
      .prefix { recorded.contains($0) }
      .filter { !faults.colorDrops.hits($0, .colorDrop, faults.random) }
  }

  /// The number of detector frames before a number.
  private func facesOrdinal(_ number: Int) -> Int {
    number <= 0 ? 0 : faces.ordinal(throttle.ordinal(number))
  }

  package func losesFaces(_ number: Int) -> Bool { faults.lostFaces.contains(number) }
}
