import FrameModel

/// Pairs a master stream's frames with another stream's, by time.
///
/// Two frames are a pair when each is the other's nearest and they lie within the tolerance; of two equally near the
/// earlier counts. So no frame is in two pairs, and the result does not depend on the order of arrival. Times of each
/// stream must grow. A decision is made as soon as no later frame can change it.
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
  }

  /// How long a frame waits for one of the other stream.
  package static let patienceNanoseconds: Int64 = 10_000_000_000

  private let toleranceNanoseconds: Int64
  private var masters: [Entry] = []
  private var partners: [Entry] = []
  /// The last entries that were let go of: still the nearest neighbour on the left.
  private var lastMaster: Entry?
  private var mastersEnded = false
  private var partnersEnded = false

  package init(toleranceNanoseconds: Int64) { self.toleranceNanoseconds = toleranceNanoseconds }

  /// Half the shorter period: what is nearer to its neighbour's neighbour is not this frame's partner.
  package static func defaultToleranceNanoseconds(_ a: FrameRate, _ b: FrameRate) -> Int64 {
    min(a.periodNanoseconds, b.periodNanoseconds) / 2
  }

  package mutating func addMaster(_ entry: Entry) -> [Decision] {
    masters.append(entry)
    return decide()
  }

  package mutating func addPartner(_ entry: Entry) -> [Decision] {
    partners.append(entry)
    return decide()
  }

  /// No more frames of either: decides what is left.
  package mutating func finish() -> [Decision] {
    mastersEnded = true
    partnersEnded = true
    return decide()
  }

  private mutating func decide() -> [Decision] {
    var decisions: [Decision] = []
    while let master = masters.first {
      guard let candidate = nearestPartner(of: master) else { break }
      guard case .some(let partner) = candidate, distance(master, partner) <= toleranceNanoseconds else {
        settle(master, nil, &decisions)
        continue
      }
      guard let choice = nearestMaster(of: partner) else { break }
      settle(master, choice == master ? partner : nil, &decisions)
    }
    return decisions
  }

  private mutating func settle(_ master: Entry, _ partner: Entry?, _ decisions: inout [Decision]) {
    decisions.append(Decision(master: master, partner: partner))
    lastMaster = master
    masters.removeFirst()
    // Partners that lie further left than every later master's reach are of no more use, but the nearest on the left
    // of this master stays: it may be the next one's.
    while partners.count > 1, partners[1].time <= master.time { partners.removeFirst() }
  }

  private func distance(_ a: Entry, _ b: Entry) -> Int64 {
    (a.time.nanoseconds - b.time.nanoseconds).magnitudeAsSigned
  }

  /// Outer nil: not known yet. Inner nil: there is none.
  private func nearestPartner(of master: Entry) -> Entry?? {
    nearest(to: master, in: partners, before: nil, ended: partnersEnded)
  }

  private func nearestMaster(of partner: Entry) -> Entry? {
    nearest(to: partner, in: masters, before: lastMaster, ended: mastersEnded) ?? nil
  }

  /// The entry nearest to `target`, the earlier of two at the same distance.
  private func nearest(to target: Entry, in entries: [Entry], before: Entry?, ended: Bool) -> Entry?? {
    var best = before
    for entry in entries {
      if let found = best, distance(target, entry) >= distance(target, found) {
        if entry.time >= target.time { return .some(best) }
        continue
      }
      best = entry
      if entry.time >= target.time { return .some(best) }
    }
    // All entries lie before the target: a later one could be nearer, unless the stream ended, or stalled for so long that
    // waiting for it would only make the list of those that wait grow.
    let newest = max(masters.last?.time ?? target.time, partners.last?.time ?? target.time)
    if ended || newest.nanoseconds - target.time.nanoseconds > Self.patienceNanoseconds { return .some(best) }
    return nil
  }
}

extension Int64 {
  fileprivate var magnitudeAsSigned: Int64 { Int64(magnitude) }
}
