import FrameModel
import FrameSync
import Support
import Testing

@Suite struct FramePairingTests {
  private typealias Entry = FramePairing.Entry

  /// Mutual nearest neighbours, by looking at every pair.
  private func expected(_ masters: [Int64], _ partners: [Int64], tolerance: Int64) -> [Int?] {
    func nearest(_ time: Int64, _ others: [Int64]) -> Int? {
      others.indices.min { (abs(others[$0] - time), $0) < (abs(others[$1] - time), $1) }
    }
    return masters.enumerated().map { index, time in
      guard let partner = nearest(time, partners), abs(partners[partner] - time) <= tolerance,
        nearest(partners[partner], masters) == index
      else { return nil }
      return partner
    }
  }

  private func entry(_ number: Int, _ time: Int64) -> Entry {
    Entry(number: number, time: PresentationTime(nanoseconds: time))
  }

  @Test(arguments: 0..<200)
  func `pairs are mutual nearest neighbours, in whatever order frames arrive`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    func times() -> [Int64] {
      var time: Int64 = 0
      return (0..<generator.next(below: 40)).map { _ in
        time += 1 + Int64(generator.next(below: 60))
        return time
      }
    }
    let masters = times()
    let partners = times()
    let tolerance = Int64(generator.next(below: 50))
    let rate = try FrameRate(30)
    var pairing = FramePairing(master: rate, partner: rate, toleranceNanoseconds: tolerance)
    var decisions: [FramePairing.Decision] = []
    var (m, p) = (0, 0)
    while m < masters.count || p < partners.count {
      let takesMaster = p == partners.count || (m < masters.count && generator.next(below: 2) == 0)
      if takesMaster {
        decisions += pairing.addMaster(entry(m, masters[m]))
        m += 1
      } else {
        decisions += pairing.addPartner(entry(p, partners[p]))
        p += 1
      }
    }
    decisions += pairing.finish()
    #expect(decisions.map(\.master.number) == Array(masters.indices))
    #expect(decisions.map { $0.partner?.number } == expected(masters, partners, tolerance: tolerance))
    // Every partner frame is in a pair, or it is said that it is in none.
    let paired = decisions.compactMap { $0.partner?.number }
    let left = pairing.takeLeftovers().map(\.partner.number)
    #expect((paired + left).sorted() == Array(partners.indices))
    #expect(left == left.sorted())
  }

  @Test func `a decision does not wait for more than the next frame of each stream`() throws {
    let rate = try FrameRate(30)
    var pairing = FramePairing(master: rate, partner: rate, toleranceNanoseconds: 10)
    #expect(pairing.addMaster(entry(0, 100)).isEmpty)
    #expect(pairing.addPartner(entry(0, 100)).map { $0.partner?.number } == [0])
    #expect(pairing.addMaster(entry(1, 200)).isEmpty)
    #expect(pairing.addPartner(entry(1, 195)).isEmpty)
    #expect(pairing.addPartner(entry(2, 300)).map { $0.partner?.number } == [1])
  }

  @Test func `depth at half the rate pairs with every second video frame`() throws {
    var pairing = FramePairing(master: try FrameRate(30), partner: try FrameRate(15))
    var decisions: [FramePairing.Decision] = []
    for frame in 0..<20 {
      decisions += pairing.addMaster(entry(frame, Int64(frame) * 33_333_333))
      if frame % 2 == 0 { decisions += pairing.addPartner(entry(frame / 2, Int64(frame) * 33_333_333 + 4_000_000)) }
    }
    decisions += pairing.finish()
    #expect(decisions.map { $0.partner?.number } == (0..<20).map { $0 % 2 == 0 ? $0 / 2 : nil })
  }

  // MARK: Why there is none

  /// Decisions on frames at whole periods of the fastest rate, some left out.
  private func outcome(
    master: Int, partner: Int, seconds: Int, without: (stream: Int, instants: ClosedRange<Int>)? = nil,
    account: inout PairingAccount
  ) throws -> [FrameEvent] {
    var pairing = FramePairing(master: try FrameRate(master), partner: try FrameRate(partner))
    let fastest = max(master, partner)
    var events: [FrameEvent] = []
    var numbers = [0, 0]
    for instant in 0..<seconds * fastest {
      for (stream, rate) in [master, partner].enumerated() where instant % (fastest / rate) == 0 {
        if let without, without.stream == stream, without.instants.contains(instant) { continue }
        let entry = entry(numbers[stream], Int64(instant) * 1_000_000_000 / Int64(fastest) + Int64(stream) * 3_000_000)
        numbers[stream] += 1
        for decision in stream == 0 ? pairing.addMaster(entry) : pairing.addPartner(entry) {
          events += account.note(decision)
        }
        for leftover in pairing.takeLeftovers() { account.note(leftover) }
      }
    }
    for decision in pairing.finish() { events += account.note(decision) }
    for leftover in pairing.takeLeftovers() { account.note(leftover) }
    return events + account.finish()
  }

  @Test func `frames between those of a slower partner were not due, and only a missing one is unpaired`() throws {
    var account = PairingAccount(stream: 1)
    let all = try outcome(master: 30, partner: 15, seconds: 10, account: &account)
    #expect(all.map(\.reason) == [.notDue])
    #expect(all.map(\.count) == [150])
    let some = try outcome(master: 30, partner: 15, seconds: 10, without: (1, 100...103), account: &account)
    #expect(some.map(\.reason) == [.unpaired, .notDue])
    #expect(some.map(\.count) == [2, 150])
    #expect(some[0].frameNumber == 100)
  }

  @Test func `a faster partner's frames are surplus, and only those without their master are said to lack it`() throws {
    var account = PairingAccount(stream: 1)
    let all = try outcome(master: 30, partner: 60, seconds: 10, account: &account)
    #expect(all.map(\.reason) == [.surplus])
    #expect(all.map(\.count) == [300])
    let some = try outcome(master: 30, partner: 60, seconds: 10, without: (0, 100...105), account: &account)
    #expect(some.map(\.reason) == [.noMaster, .surplus])
    #expect(some.map(\.count) == [3, 300])
  }

  @Test func `a partner that ends leaves the rest unpaired, and one that begins late what came before`() throws {
    var account = PairingAccount(stream: 1)
    let ends = try outcome(master: 30, partner: 30, seconds: 4, without: (1, 60...1000), account: &account)
    #expect(ends.map(\.reason) == [.unpaired])
    #expect(ends.map(\.count) == [60])
    let begins = try outcome(master: 30, partner: 30, seconds: 4, without: (1, 0...59), account: &account)
    #expect(begins.map(\.reason) == [.unpaired])
    #expect(begins.map(\.count) == [60])
  }

  @Test(arguments: [0, 1])
  func `whichever stream stalls, the other waits for no more than its patience`(stalled: Int) throws {
    let rate = try FrameRate(30)
    var pairing = FramePairing(master: rate, partner: rate)
    var decided = 0
    var left = 0
    for index in 0..<20_000 {
      let entry = entry(index, Int64(index) * 33_333_333)
      if index < 100 || stalled == 1 { decided += pairing.addMaster(entry).count }
      if index < 100 || stalled == 0 { decided += pairing.addPartner(entry).count }
      left += pairing.takeLeftovers().count
      // Ten seconds and a frame.
      if stalled == 1 { #expect(index + 1 - decided <= 302) }
      if stalled == 0, index > 100 { #expect(index + 1 - 100 - left <= 302) }
    }
    decided += pairing.finish().count
    left += pairing.takeLeftovers().count
    #expect(decided == (stalled == 1 ? 20_000 : 100))
    #expect(left == (stalled == 0 ? 19_900 : 0))
  }
}
