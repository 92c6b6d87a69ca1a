import FrameModel

/// Pairs a master stream's frames with another stream's, by time.
///
/// Two frames are a pair when each is the other's nearest and they lie within the tolerance; of two equally near the
/// earlier counts. So no frame is in two pairs, and the result does not depend on the order of arrival. Times of each
/// stream must grow. A decision is made as soon as no later frame can change it, and at the latest when frames have come
/// that are younger by `patienceNanoseconds`: whichever stream stalls, what waits for it is bounded.
package struct FramePairing: Sendable {
  /// A frame by its number and time.
  package struct Entry: Hashable, Sendable {
    package var number: Int
    package var time: PresentationTime
    package init(number: Int, time: PresentationTime) {
      self.number = number
      self.time = time
    }
  }

  /// A master frame with its partner, or with none.
  package struct Decision: Hashable, Sendable {
    package var master: Entry
    package var partner: Entry?
    /// Where there is none: whether there should be one, by the partner stream's rate.
    package var wasDue = true
  }

  /// A partner frame that is in no pair.
  package struct Leftover: Hashable, Sendable {
    package var partner: Entry
    /// Whether there should have been a master frame for it, by the master's rate.
    package var wasDue: Bool
  }

  /// How long a frame waits for one of the other stream.
  package static let patienceNanoseconds: Int64 = 10_000_000_000

  /// When a decision is made.
  package enum Promptness: Sendable {
    /// As soon as no later frame can change it.
    case certain
    /// As soon as no later frame of streams that keep their rates can change it: for what is shown, where a frame period is
    /// long. What comes late is waited for no longer than three periods of the master.
    case likely
  }

  /// A partner frame that waits, with the decided master frames nearest to it on either side.
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
  /// The last entries that were let go of: still the nearest neighbours on the left.
  private var lastMaster: Entry?
  private var lastPartner: Entry?
  private var leftovers: [Leftover] = []
  private var haveEnded = false

  /// - Parameter toleranceNanoseconds: nil for half the shorter period: what is nearer to its neighbour's neighbour is
  ///   not this frame's partner.
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

  /// How far apart in time the frames of a pair are at most: half the shorter period.
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

  /// No more frames of either: decides what is left.
  package mutating func finish() -> [Decision] {
    haveEnded = true
    let decisions = decide()
    release(partners.count)
    return decisions
  }

  /// The partner frames that turned out to be in no pair since the last call, in order.
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
    // Without a master to decide on, partners wait as long as a master frame would for them.
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
    // Partners that lie further left than every later master's reach are of no more use, but the nearest on the left
    // of this master stays: it may be the next one's.
    release(max(0, partners.prefix { $0.entry.time <= master.time }.count - 1))
  }

  /// Lets go of the first partners.
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

  /// Its place among those that wait. Outer nil: not known yet. Inner nil: there is none.
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

  /// All frames of the other stream lie before this time. A later one could be nearer, unless the stream ended, or
  /// stalled for so long that waiting for it would only make the list of those that wait grow.
  private func isOverdue(_ time: PresentationTime) -> Bool {
    let newest = max(masters.last?.time ?? time, partners.last?.entry.time ?? time)
    return haveEnded || newest.nanoseconds - time.nanoseconds > patience
  }
}

// MARK: What is likely

extension FramePairing {
  /// No later partner should be nearer to a master frame: the one at hand is very near, or the next one is not due near it.
  private func isLikely(partner place: Int?, of master: Entry) -> Bool {
    guard promptness == .likely, let last = partners.last?.entry ?? lastPartner else { return false }
    if let place, distance(master, partners[place].entry) <= toleranceNanoseconds / 2 { return true }
    return last.time.nanoseconds + partnerPeriodNanoseconds - master.time.nanoseconds > toleranceNanoseconds
  }

  /// No later master frame should be nearer to a partner.
  private func isLikely(master: Entry?, of partner: Entry) -> Bool {
    guard promptness == .likely, let master, let last = masters.last ?? lastMaster else { return false }
    let near = distance(partner, master)
    let next = last.time.nanoseconds + masterPeriodNanoseconds - partner.time.nanoseconds
    return near <= toleranceNanoseconds / 2 || next > near + masterPeriodNanoseconds / 8
  }
}

extension FramePairing.Waiting {
  /// Master frames come in their order.
  fileprivate mutating func note(_ master: FramePairing.Entry) {
    if master.time <= entry.time { before = master } else if after == nil { after = master }
  }
}

// MARK: What should have been there

extension FramePairing {
  private func wasPartnerDue(at time: PresentationTime) -> Bool {
    let before = partners.last { $0.entry.time <= time }?.entry ?? lastPartner
    let after = partners.first { $0.entry.time > time }?.entry
    return Self.wasDue(
      at: time, between: before?.time, after?.time, period: partnerPeriodNanoseconds, tolerance: toleranceNanoseconds)
  }

  /// Whether a stream should have had a frame at a time, by its neighbours on either side: where they lie about one
  /// period apart none is missing between them; else the missing ones are spread evenly.
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
