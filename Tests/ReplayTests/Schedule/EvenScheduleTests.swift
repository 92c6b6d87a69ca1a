import Parameters
import Replay
import Support
import Testing

@Suite struct EvenScheduleTests {
  @Test(arguments: 0..<200)
  func `turns are counted and found again without counting`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let q = 1 + random.next(below: 60)
    let rate = try #require(Fraction(1 + random.next(below: q), q))
    let schedule = EvenSchedule(rate: rate, phase: random.next(below: 2) == 0 ? nil : random.next(below: 100))
    var count = 0
    for number in 0..<400 {
      #expect(schedule.ordinal(number) == count)
      guard schedule.hasTurn(number) else { continue }
      #expect(schedule.number(ofTurn: count) == number)
      count += 1
    }
    #expect(count > 0)
  }

  @Test(arguments: 0..<100)
  func `a throttle lets its first frame through, then its share, and finds each again`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let q = 1 + random.next(below: 9)
    let rate = try #require(Fraction(1 + random.next(below: q), q))
    let from = random.next(below: 50)
    let throttle = Throttle(from: from, rate: rate)
    var passed = 0
    for number in 0..<from + 20 * q {
      #expect(throttle.ordinal(number) == passed)
      if number <= from { #expect(throttle.passes(number)) }
      guard throttle.passes(number) else { continue }
      #expect(throttle.number(ofPassing: passed) == number)
      passed += 1
    }
    #expect(passed == from + 20 * q * rate.numerator / rate.denominator)
    #expect(Throttle.none.passes(from) && Throttle.none.ordinal(from) == from)
  }

  @Test func `30 to 15 frames a second is every second one`() throws {
    let throttle = Throttle(from: 4, rate: try #require(Fraction(1, 2)))
    #expect((0..<10).filter { throttle.passes($0) } == [0, 1, 2, 3, 4, 6, 8])
  }
}
