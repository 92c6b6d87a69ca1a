import Parameters

/// What is delivered with which video frame, all of it: rates, latencies, throttling and faults.
///
/// Every answer is a pure function of a frame set's number, of this, and of what the recording has; nothing is counted from the
/// start, so that a replay that begins anywhere, leaves frame sets out or goes backwards is told the same. The order in which
/// the rules act is in the guide Faults.
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
    depthLatency = parameters[ReplayParameters.depthLatency]
    faces = EvenSchedule(rate: parameters[ReplayParameters.facesRate])
    facesLatency = parameters[ReplayParameters.facesLatency]
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

  /// What a colour frame that the throttle lets through shows.
  package func colorContent(_ number: Int, recorded: RecordedNumbers) -> DeliveredContent {
    faults.color.content(of: throttle.ordinal(number), faults.random, recorded: recorded) {
      throttle.number(ofPassing: $0)
    }
  }

  // MARK: Depth

  package func isDepthDue(_ number: Int) -> Bool {
    throttle.passes(number) && depth.turns.hasTurn(throttle.ordinal(number))
  }

  /// What a depth frame that is due holds.
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

  /// How many depth frames are due before a number: what the next one is called among them.
  private func depthOrdinal(_ number: Int) -> Int { depth.turns.ordinal(throttle.ordinal(number)) }

  /// The number of the frame set in which the depth frame is due that is called so: the inverse.
  private func depthNumber(_ ordinal: Int) -> Int { throttle.number(ofPassing: depth.turns.number(ofTurn: ordinal)) }

  package func isDepthDropped(_ number: Int) -> Bool {
    faults.depthDrops.hits(number, .depthDrop, faults.random)
  }

  /// With which number a depth frame that is due comes.
  package func depthArrival(_ number: Int) -> Int {
    number + depthLatency + faults.random.number(.depthJitter, number, upTo: faults.depthJitter)
  }

  /// A depth frame whose time has come.
  package struct DepthArrival: Hashable, Sendable {
    package enum Fate: Hashable, Sendable {
      case arrives(DeliveredContent)
      case dropped
      /// The recording has none there.
      case lacking
      /// A newer one came before it, or with it.
      case overtaken
    }
    /// The frame set in which it was due.
    package var number: Int
    package var fate: Fate
  }

  /// The depth frames that come with a number, newest first, and what becomes of each: at most one arrives.
  ///
  /// Whether a frame set was recorded is asked last, so that none is used that does not matter.
  /// - Parameter hasDepth: whether the recording has depth in a frame set; asked of none but recorded ones.
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
    // What overtakes it is due later and has come by then.
    for newer in stride(from: number + 1, through: position - depthLatency, by: 1)
    where isDepthDue(newer) && depthArrival(newer) <= position && !isDepthDropped(newer) && recorded.contains(newer) {
      if try hasDepth(depthContent(newer, recorded: recorded).number) { return .overtaken }
    }
    return .arrives(content)
  }

  // MARK: Faces

  /// How many of the frames that a detector should have looked at are asked for the faces that hold.
  package static let facesLookback = 256

  /// The video frames whose faces may hold at a number, latest first: those that a detector looks at, and that came to it.
  package func looks(at number: Int, recorded: RecordedNumbers) -> some Sequence<Int> {
    let latest = facesOrdinal(number - facesLatency + 1) - 1
    return stride(from: latest, through: max(0, latest - Self.facesLookback), by: -1).lazy
      .map { throttle.number(ofPassing: faces.number(ofTurn: $0)) }
      .prefix { recorded.contains($0) }
      .filter { !faults.colorDrops.hits($0, .colorDrop, faults.random) }
  }

  /// Looks before a number.
  private func facesOrdinal(_ number: Int) -> Int {
    number <= 0 ? 0 : faces.ordinal(throttle.ordinal(number))
  }

  package func losesFaces(_ number: Int) -> Bool { faults.lostFaces.contains(number) }
}
