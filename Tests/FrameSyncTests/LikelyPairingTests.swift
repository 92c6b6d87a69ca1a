import FrameModel
import FrameSync
import Support
import Testing

/// Pairing for what is shown while it is filmed.
@Suite struct LikelyPairingTests {
  private typealias Entry = FramePairing.Entry
  private static let period: Int64 = 33_333_333

  private struct Arrival {
    var isMaster: Bool
    var number: Int
    var time: Int64
    var arrival: Int64
  }

  /// Two streams at 30 frames a second and a divisor of it, with jitter; each frame arrives a little after it was taken.
  private func arrivals(
    partnerEvery: Int, shift: Int64, jitter: Int, delay: Int64, seed: UInt64, count: Int = 60
  ) -> [Arrival] {
    var generator = SeededGenerator(seed: seed)
    func noise() -> Int64 { jitter == 0 ? 0 : Int64(generator.next(below: jitter)) }
    var all: [Arrival] = []
    for i in 0..<count {
      let time = Int64(i) * Self.period
      all.append(Arrival(isMaster: true, number: i, time: time + noise(), arrival: time + 2_000_000))
      if i % partnerEvery == 0 {
        all.append(
          Arrival(
            isMaster: false, number: i / partnerEvery, time: time + shift + noise(),
            arrival: time + max(0, shift) + delay))
      }
    }
    return all.sorted { ($0.arrival, $0.isMaster ? 0 : 1) < ($1.arrival, $1.isMaster ? 0 : 1) }
  }

  /// What was decided, and how long after both frames of a set had come.
  private func decided(
    _ arrivals: [Arrival], every: Int, _ promptness: FramePairing.Promptness
  ) throws -> (pairs: [Int?], longestWait: Int64) {
    var pairing = FramePairing(
      master: try FrameRate(30), partner: try FrameRate(30, every), promptness: promptness)
    var pairs: [Int?] = []
    var longest: Int64 = 0
    for arrival in arrivals {
      let entry = Entry(number: arrival.number, time: PresentationTime(nanoseconds: arrival.time))
      for decision in arrival.isMaster ? pairing.addMaster(entry) : pairing.addPartner(entry) {
        #expect(decision.master.number == pairs.count)
        pairs.append(decision.partner?.number)
        let needed = arrivals.filter {
          $0.isMaster ? $0.number == decision.master.number : $0.number == decision.partner?.number
        }.map(\.arrival).max()!
        longest = max(longest, arrival.arrival - needed)
      }
    }
    pairs += pairing.finish().map { $0.partner?.number }
    return (pairs, longest)
  }

  @Test(arguments: [1, 2, 3], [-8_000_000, -1_000_000, 0, 1_000_000, 8_000_000, 14_000_000] as [Int64])
  func `streams that keep their rates are paired as a recorder pairs them, and at once`(every: Int, shift: Int64) throws
  {
    for jitter in [0, 2_000_000] where jitter + Int(abs(shift)) < 15_000_000 {
      let arrivals = arrivals(partnerEvery: every, shift: shift, jitter: jitter, delay: 5_000_000, seed: 3)
      let certain = try decided(arrivals, every: every, .certain)
      let likely = try decided(arrivals, every: every, .likely)
      #expect(certain.pairs == likely.pairs)
      #expect(certain.pairs.compactMap { $0 }.count == 60 / every)
      // At most the partner that had been hoped for is waited for.
      #expect(likely.longestWait < Self.period / 2, "\(likely.longestWait)")
      if every > 1 { #expect(certain.longestWait >= Self.period) }
    }
  }

  @Test func `depth that comes late is waited for, and a stream that is gone holds up nothing for long`() throws {
    let late = arrivals(partnerEvery: 1, shift: 0, jitter: 0, delay: 70_000_000, seed: 1)
    #expect(try decided(late, every: 1, .likely).pairs == (0..<60).map { $0 })
    let gone = late.filter { $0.isMaster || $0.number < 20 }
    var pairing = FramePairing(master: try FrameRate(30), partner: try FrameRate(30), promptness: .likely)
    var newest: Int64 = 0
    for arrival in gone {
      let entry = Entry(number: arrival.number, time: PresentationTime(nanoseconds: arrival.time))
      newest = max(newest, arrival.time)
      for decision in arrival.isMaster ? pairing.addMaster(entry) : pairing.addPartner(entry) {
        #expect(newest - decision.master.time.nanoseconds <= 4 * Self.period)
      }
    }
  }
}
