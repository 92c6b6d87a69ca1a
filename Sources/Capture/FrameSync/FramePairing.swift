import FrameModel

/// Pairs a master stream's frames with another stream's, by time.
///
/// Two frames pair when each is the other's nearest and they lie within the tolerance. Of two
/// equally near frames, the earlier wins. So no frame is in two pairs, and the result does not
/// depend on arrival order. Times within a stream must increase.
///
/// A decision is made as soon as no later frame can change it, or once frames younger by
/// `patienceNanoseconds` have arrived. So a stalled stream cannot block the other.
package struct FramePairing: Sendable {
  package struct Entry: Hashable, Sendable {
    package var number: Int
    package var time: PresentationTime
    package init(number: Int, time: PresentationTime) {
      self.number = number
      self.time = time
    }
  }

  package struct Decision: Hashable, Sendable {
    package var master: Entry
    package var partner: Entry?
    /// For an unpaired frame: whether a partner was due by the partner stream's rate.
    package var wasDue = true
  }

  package struct Leftover: Hashable, Sendable {
    package var partner: Entry
    /// Whether a master frame was due by the master's rate.
    package var wasDue: Bool
  }

  /// Longest time that a frame waits for the other stream.
  package static let patienceNanoseconds: Int64 = 10_000_000_000

  package enum Promptness: Sendable {
    /// Decide once no later frame can change the result.
    case certain
    /// Decide once no later frame is expected to change the result, by the streams' rates. Waits at
    /// most three master periods; for display, where a frame period is long.
    case likely
  }

  /// A waiting partner frame, with the nearest decided master frames on either side.
  fileprivate struct Waiting: Sendable {
    var entry: Entry
    var before: Entry?
    var after: Entry?
    var isPaired = false
  }

  private let toleranceNanoseconds: Int64
  private let masterPeriodNanoseconds: Int64
  private let partnerPeriodNanoseconds: Int64
  private let promptness: Promptness
  private let patience: Int64
  private var masters: [Entry] = []
  private var partners: [Waiting] = []
  /// The last entries removed: still the nearest neighbours on the left.
  private var lastMaster: Entry?
  private var lastPartner: Entry?
  private var leftovers: [Leftover] = []
  private var haveEnded = false

  /// - Parameter toleranceNanoseconds: nil for half the shorter period.
  package init(
    master: FrameRate, partner: FrameRate, toleranceNanoseconds: Int64? = nil, promptness: Promptness = .certain
  ) {
    self.promptness = promptness
    patience =
      promptness == .certain
      ? Self.patienceNanoseconds : min(Self.patienceNanoseconds, 3 * max(1, master.periodNanoseconds))
    masterPeriodNanoseconds = max(1, master.periodNanoseconds)
    partnerPeriodNanoseconds = max(1, partner.periodNanoseconds)
    self.toleranceNanoseconds = toleranceNanoseconds ?? Self.toleranceNanoseconds(master, partner)
  }

  /// Default for the largest time difference within a pair: half the shorter period.
  package static func toleranceNanoseconds(_ master: FrameRate, _ partner: FrameRate) -> Int64 {
    min(master.periodNanoseconds, partner.periodNanoseconds) / 2
  }

  package mutating func addMaster(_ entry: Entry) -> [Decision] {
    masters.append(entry)
    return decide()
  }

  package mutating func addPartner(_ entry: Entry) -> [Decision] {
    var waiting = Waiting(entry: entry)
    if let lastMaster { waiting.note(lastMaster) }
    partners.append(waiting)
    return decide()
  }

  /// Decides the remaining frames. Call after the last frame of both streams.
  package mutating func finish() -> [Decision] {
    haveEnded = true
    let decisions = decide()
    release(partners.count)
    return decisions
  }

  /// Returns the partner frames found unpaired since the last call, in order.
  package mutating func takeLeftovers() -> [Leftover] {
    defer { leftovers = [] }
    return leftovers
  }

  private mutating func decide() -> [Decision] {
    var decisions: [Decision] = []
    while let master = masters.first {
      guard let candidate = nearestPartner(of: master) else { break }
      guard case .some(let place) = candidate,
        distance(master, partners[place].entry) <= toleranceNanoseconds
      else {
        settle(master, nil, &decisions)
        continue
      }
      guard let choice = nearestMaster(of: partners[place].entry) else { break }
      settle(master, choice == master ? place : nil, &decisions)
    }
    // With no master to decide on, partners wait as long as a master would.
    if masters.isEmpty, let newest = partners.last?.entry.time.nanoseconds {
      release(partners.prefix { newest - $0.entry.time.nanoseconds > patience }.count)
    }
    return decisions
  }

  private mutating func settle(_ master: Entry, _ place: Int?, _ decisions: inout [Decision]) {
    var decision = Decision(master: master, partner: place.map { partners[$0].entry })
    if let place { partners[place].isPaired = true } else { decision.wasDue = wasPartnerDue(at: master.time) }
    decisions.append(decision)
    lastMaster = master
    masters.removeFirst()
    for index in partners.indices { partners[index].note(master) }
    // Later masters cannot reach these partners, except the nearest one left of this master.
    release(max(0, partners.prefix { $0.entry.time <= master.time }.count - 1))
  }

  /// Removes the first partners; unpaired ones become leftovers.
  private mutating func release(_ count: Int) {
    guard count > 0 else { return }
    for partner in partners[..<count] where !partner.isPaired {
      let wasDue = Self.wasDue(
        at: partner.entry.time, between: partner.before?.time, partner.after?.time,
        period: masterPeriodNanoseconds, tolerance: toleranceNanoseconds)
      leftovers.append(Leftover(partner: partner.entry, wasDue: wasDue))
    }
    lastPartner = partners[count - 1].entry
    partners.removeFirst(count)
  }

  private func distance(_ a: Entry, _ b: Entry) -> Int64 {
    Int64(clamping: (a.time.nanoseconds - b.time.nanoseconds).magnitude)
  }

  /// Index of the nearest waiting partner. Outer nil: undecided. Inner nil: there is none.
  private func nearestPartner(of master: Entry) -> Int?? {
    var best: Int?
    for (place, partner) in partners.enumerated() {
      if best.map({ distance(master, partner.entry) < distance(master, partners[$0].entry) }) ?? true { best = place }
      if partner.entry.time >= master.time { return .some(best) }
    }
    if isOverdue(master.time) || isLikely(partner: best, of: master) { return .some(best) }
    return nil
  }

  private func nearestMaster(of partner: Entry) -> Entry? {
    var best = lastMaster
    for master in masters {
      if best.map({ distance(partner, master) < distance(partner, $0) }) ?? true { best = master }
      if master.time >= partner.time { return best }
    }
    return isOverdue(partner.time) || isLikely(master: best, of: partner) ? best : nil
  }

  /// Whether to stop waiting for a nearer later frame: its stream has ended or stalled.
  private func isOverdue(_ time: PresentationTime) -> Bool {
    let newest = max(masters.last?.time ?? time, partners.last?.entry.time ?? time)
    return haveEnded || newest.nanoseconds - time.nanoseconds > patience
  }
}

// MARK: Likely decisions

extension FramePairing {
  /// Whether no nearer partner is expected: this one is very near, or the next is not due nearby.
  private func isLikely(partner place: Int?, of master: Entry) -> Bool {
    guard promptness == .likely, let last = partners.last?.entry ?? lastPartner else { return false }
    if let place, distance(master, partners[place].entry) <= toleranceNanoseconds / 2 { return true }
    return last.time.nanoseconds + partnerPeriodNanoseconds - master.time.nanoseconds > toleranceNanoseconds
  }

  private func isLikely(master: Entry?, of partner: Entry) -> Bool {
    guard promptness == .likely, let master, let last = masters.last ?? lastMaster else { return false }
    let near = distance(partner, master)
    let next = last.time.nanoseconds + masterPeriodNanoseconds - partner.time.nanoseconds
    return near <= toleranceNanoseconds / 2 || next > near + masterPeriodNanoseconds / 8
  }
}

extension FramePairing.Waiting {
  /// Records a decided master frame. Must be called in time order.
  fileprivate mutating func note(_ master: FramePairing.Entry) {
    if master.time <= entry.time { before = master } else if after == nil { after = master }
  }
}

// MARK: Frames that were due

extension FramePairing {
  private func wasPartnerDue(at time: PresentationTime) -> Bool {
    let before = partners.last { $0.entry.time <= time }?.entry ?? lastPartner
    let after = partners.first { $0.entry.time > time }?.entry
    return Self.wasDue(
      at: time, between: before?.time, after?.time, period: partnerPeriodNanoseconds, tolerance: toleranceNanoseconds)
  }

  /// Whether a stream should have had a frame at a time, assuming even spacing between neighbours.
  static func wasDue(
    at time: PresentationTime, between before: PresentationTime?, _ after: PresentationTime?, period: Int64,
    tolerance: Int64
  ) -> Bool {
    guard let start = before ?? after else { return true }
    let distance = time.nanoseconds - start.nanoseconds
    var step = period
    var count = Int64.max
    if let before, let after {
      let gap = after.nanoseconds - before.nanoseconds
      count = max(1, (gap + period / 2) / period)
      step = max(1, gap / count)
    }
    let steps = (abs(distance) + step / 2) / step
    guard steps > 0, steps < count else { return false }
    return abs(abs(distance) - steps * step) <= tolerance
  }
}
