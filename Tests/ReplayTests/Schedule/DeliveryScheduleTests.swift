import Parameters
import Replay
import Support
import Testing

/// What is looked up for one frame set is what comes of playing everything before it.
@Suite struct DeliveryScheduleTests {
  @Test(arguments: 0..<400)
  func `the schedule says of each number what playing the whole recording gives`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = 1 + random.next(below: 200)
    let parameters = try random.replayParameters(frames: count)
    let schedule = DeliverySchedule(parameters)
    let depthless = Set((0..<random.next(below: 20)).map { _ in random.next(below: count) })
    let naive = NaiveDelivery(schedule, count: count, depthless: depthless)
    for number in 0..<count {
      let fate: DeliverySchedule.ColorFate =
        naive.throttled.contains(number) ? .throttled : naive.dropped.contains(number) ? .dropped : .comes
      #expect(schedule.colorFate(number) == fate)
      if let content = naive.colors[number] {
        #expect(schedule.colorContent(number, recorded: RecordedNumbers(0..<count)) == content)
      }
    }
    for position in 0..<count + 100 {
      let arrivals = schedule.depthArrivals(at: position, recorded: RecordedNumbers(0..<count)) {
        !depthless.contains($0)
      }
      let expected = naive.depths.filter { $0.arrival == position }.reversed()
      #expect(arrivals.map(\.number) == expected.map(\.turn))
      for (arrival, depth) in zip(arrivals, expected) {
        switch arrival.fate {
        case .dropped: #expect(depth.isDropped)
        case .lacking: #expect(depth.isLacking && !depth.isDropped)
        case .overtaken: #expect(depth.isOvertaken)
        case .arrives(let content):
          #expect(content == depth.content && !depth.isOvertaken && !depth.isLacking && !depth.isDropped)
        }
      }
    }
    for number in 0..<count {
      let looks = Array(schedule.looks(at: number, recorded: RecordedNumbers(0..<count)))
      let expected = naive.looks.filter { $0 + schedule.facesLatency <= number }.reversed()
      #expect(looks == Array(expected.prefix(looks.count)))
      #expect(looks.isEmpty == expected.isEmpty)
    }
  }

  @Test func `without faults every frame set is as it was recorded`() {
    let schedule = DeliverySchedule(ParameterSet(ReplayParameters.all))
    for number in 0..<300 {
      #expect(schedule.colorFate(number) == .comes)
      #expect(schedule.colorContent(number, recorded: RecordedNumbers(0..<300)) == DeliveredContent(number: number))
      let arrivals = schedule.depthArrivals(at: number, recorded: RecordedNumbers(0..<300)) { _ in true }
      #expect(arrivals == [.init(number: number, fate: .arrives(DeliveredContent(number: number)))])
      #expect(schedule.looks(at: number, recorded: RecordedNumbers(0..<300)).first { _ in true } == number)
    }
  }

  @Test func `faults strike as often as their chance says, and others with another seed`() {
    let count = 20_000
    for kind in FaultRandom.Kind.allCases {
      let (one, two) = (FaultRandom(seed: 1), FaultRandom(seed: 2))
      let chance = FaultChance(0.25)
      let struck = (0..<count).filter { one.happens(kind, $0, chance) }
      // Five standard deviations of a binomial of 20 000 at 1/4 are 306.
      #expect(abs(struck.count - count / 4) < 306)
      let both = struck.count { two.happens(kind, $0, chance) }
      #expect(abs(both - count / 16) < 172)
      #expect(!(0..<count).contains { one.happens(kind, $0, .never) })
      #expect((0..<count).allSatisfy { one.happens(kind, $0, FaultChance(1)) })
    }
    let late = (0..<count).map { FaultRandom(seed: 1).number(.depthJitter, $0, upTo: 3) }
    for value in 0...3 { #expect(abs(late.count { $0 == value } - count / 4) < 306) }
  }

  @Test func `a burst takes as many frames as it is long`() {
    let random = FaultRandom(seed: 7)
    let single = FaultBursts(chance: FaultChance(0.01), length: 1)
    let long = FaultBursts(chance: FaultChance(0.01), length: 5)
    let starts = (0..<2000).filter { single.hits($0, .depthDrop, random) }
    let lost = Set(starts.flatMap { $0..<$0 + 5 })
    #expect(starts.count > 5)
    #expect(Set((0..<2000).filter { long.hits($0, .depthDrop, random) }) == lost.filter { $0 < 2000 })
  }

  @Test func `duplicates that never end repeat 64 deliveries at most`() {
    var schedule = DeliverySchedule(depth: DepthSchedule(rate: .one))
    schedule.faults.color.duplicate = FaultChance(1)
    for number in 0..<300 {
      let content = schedule.colorContent(number, recorded: RecordedNumbers(0..<300))
      #expect(content.number == number / 64 * 64)
      #expect(content.isDuplicate == (number % 64 != 0))
    }
    // What lies before the part that was recorded cannot be repeated.
    #expect(schedule.colorContent(110, recorded: RecordedNumbers(100..<300)).number == 100)
  }

  @Test(arguments: 0..<100)
  func `a part is dealt with as the whole where it has what the whole has`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let schedule = DeliverySchedule(try random.replayParameters(frames: 150))
    let first = random.next(below: 100)
    // Contents and stuck depth may come from further back; what lies behind decides only what overtakes.
    for number in first..<150 {
      let (part, whole) = (
        schedule.colorContent(number, recorded: RecordedNumbers(first..<200)),
        schedule.colorContent(number, recorded: RecordedNumbers(0..<200))
      )
      let isMixed = whole.isDuplicate && whole.isSwapped
      if whole.number >= first && !isMixed { #expect(part == whole) } else { #expect(part.number >= first) }
      guard schedule.isDepthDue(number) else { continue }
      let depth = schedule.depthContent(number, recorded: RecordedNumbers(0..<200))
      let partDepth = schedule.depthContent(number, recorded: RecordedNumbers(first..<200))
      let isDepthMixed = depth.isDuplicate && depth.isSwapped
      if depth.number >= first && !depth.isStuck && !isDepthMixed { #expect(partDepth == depth) }
      #expect(partDepth.number >= first)
    }
  }

  private struct Answers: Equatable {
    var color: DeliveredContent?
    var arrivals: [DeliverySchedule.DepthArrival]
    var looks: [Int]
  }

  private func answers(
    _ schedule: DeliverySchedule, _ number: Int, _ recorded: RecordedNumbers, depthless: Set<Int>
  ) -> Answers {
    let comes = schedule.colorFate(number) == .comes
    let arrivals = schedule.depthArrivals(at: number, recorded: recorded) { source in
      recorded.contains(source) && !depthless.contains(source)
    }
    return Answers(
      color: comes ? schedule.colorContent(number, recorded: recorded) : nil, arrivals: arrivals,
      looks: Array(schedule.looks(at: number, recorded: recorded).prefix(2)))
  }

  @Test(arguments: 0..<200)
  func `a part that has all that the whole said yes to gives the answers of the whole`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let schedule = DeliverySchedule(try random.replayParameters(frames: 150))
    let depthless = Set((0..<random.next(below: 20)).map { _ in random.next(below: 150) })
    for number in 0..<150 {
      let whole = RecordedNumbers(0..<150)
      let expected = answers(schedule, number, whole, depthless: depthless)
      let used = whole.used ?? number...number
      let part = RecordedNumbers(min(used.lowerBound, number)..<max(used.upperBound, number) + 1)
      #expect(answers(schedule, number, part, depthless: depthless) == expected)
    }
  }

  @Test func `without faults a number uses what comes with it and nothing beside`() {
    var schedule = DeliverySchedule(depth: DepthSchedule(rate: .one))
    (schedule.depthLatency, schedule.facesLatency) = (3, 5)
    let recorded = RecordedNumbers(0..<150)
    _ = schedule.depthArrivals(at: 70, recorded: recorded) { recorded.contains($0) }
    #expect(recorded.used == 67...67)
    #expect(schedule.looks(at: 70, recorded: recorded).first { _ in true } == 65)
    #expect(recorded.used == 65...67)
    #expect(!recorded.contains(150) && recorded.used == 65...67)
  }
}
