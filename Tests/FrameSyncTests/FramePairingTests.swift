import FrameModel
import PortableMath
import Testing

@testable import FrameSync

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
  func `pairs are mutual nearest neighbours, in whatever order frames arrive`(seed: Int) {
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
    var pairing = FramePairing(toleranceNanoseconds: tolerance)
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
  }

  @Test func `a decision does not wait for more than the next frame of each stream`() {
    var pairing = FramePairing(toleranceNanoseconds: 10)
    #expect(pairing.addMaster(entry(0, 100)).isEmpty)
    #expect(pairing.addPartner(entry(0, 100)).map { $0.partner?.number } == [0])
    #expect(pairing.addMaster(entry(1, 200)).isEmpty)
    #expect(pairing.addPartner(entry(1, 195)).isEmpty)
    #expect(pairing.addPartner(entry(2, 300)).map { $0.partner?.number } == [1])
  }

  @Test func `depth at half the rate pairs with every second video frame`() throws {
    let tolerance = FramePairing.defaultToleranceNanoseconds(try FrameRate(30), try FrameRate(15))
    var pairing = FramePairing(toleranceNanoseconds: tolerance)
    var decisions: [FramePairing.Decision] = []
    for frame in 0..<20 {
      decisions += pairing.addMaster(entry(frame, Int64(frame) * 33_333_333))
      if frame % 2 == 0 { decisions += pairing.addPartner(entry(frame / 2, Int64(frame) * 33_333_333 + 4_000_000)) }
    }
    decisions += pairing.finish()
    #expect(decisions.map { $0.partner?.number } == (0..<20).map { $0 % 2 == 0 ? $0 / 2 : nil })
  }
}
