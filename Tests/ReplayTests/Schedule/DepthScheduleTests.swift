import Parameters
import Replay
import Support
import Testing

@Suite struct DepthScheduleTests {
  @Test(arguments: [
    (1, 1, "1111111111111"), (1, 2, "1010101010101"), (1, 3, "1001001001001"), (2, 3, "1101101101101"),
    (1, 7, "1000000100000"),
  ])
  func `fractions deliver exactly these frames`(p: Int, q: Int, expected: String) throws {
    let schedule = DepthSchedule(rate: try #require(Fraction(p, q)))
    let delivered = (0..<13).map { schedule.isDepthDue(onVideoFrame: $0) ? "1" : "0" }.joined()
    // 2/3 with the phase that makes frame 0 due: ⌈3/2⌉ − 1 = 1, floor((i + 2)·2/3) > floor((i + 1)·2/3).
    #expect(delivered == (p == 2 ? formula(p, q, phase: 1) : expected))
  }

  private func formula(_ p: Int, _ q: Int, phase: Int) -> String {
    (0..<13).map { i in
      let before = (Double(i + phase) * Double(p) / Double(q)).rounded(.down)
      let after = (Double(i + phase + 1) * Double(p) / Double(q)).rounded(.down)
      return after > before ? "1" : "0"
    }.joined()
  }

  @Test(arguments: 0..<300)
  func `any fraction and phase follow the formula, p in every q`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let q = 1 + generator.next(below: 500)
    let p = 1 + generator.next(below: q)
    let phase = generator.next(below: 2 * q)
    let rate = try #require(Fraction(p, q))
    let schedule = DepthSchedule(rate: rate, phase: phase)
    var count = 0
    for i in 0..<3 * q {
      // The formula in exact rational arithmetic, by remainders: depth is due iff a multiple of q lies in
      // ((i + phase)·p, (i + phase + 1)·p].
      let (low, high) = ((i + phase) * p, (i + phase + 1) * p)
      #expect(schedule.isDepthDue(onVideoFrame: i) == (high - high % q > low))
      if schedule.isDepthDue(onVideoFrame: i) { count += 1 }
    }
    #expect(count == 3 * p)
    #expect(DepthSchedule(rate: rate).isDepthDue(onVideoFrame: 0))
  }

  @Test func `deliveries are never further apart than the fraction needs`() throws {
    for q in 1...40 {
      for p in 1...q {
        let schedule = DepthSchedule(rate: try #require(Fraction(p, q)))
        let due = (0..<5 * q).filter { schedule.isDepthDue(onVideoFrame: $0) }
        for (a, b) in zip(due, due.dropFirst()) { #expect(b - a == q / p || b - a == (q + p - 1) / p) }
      }
    }
  }
}
