import FrameModel
import FrameSync
import Support
import Testing

/// Device time to host time, where drivers give stamps that are not so.
@Suite struct ClockFaultTests {
  private func device(_ seed: Int, laneCount: Int = 1) -> SimulatedDevice {
    SimulatedDevice(
      clock: .microseconds, partsPerMillion: seed % 2 == 0 ? 120 : -120, laneCount: laneCount, seconds: 20, seed: seed)
  }

  private static let zero = Int64.min

  /// Sets stamps off by nanoseconds, or to zero, by the number of the sample.
  private func check(
    seed: Int, _ wrong: [Int: Int64], wrongCount: ClosedRange<Int>, otherwiseWithin: Int64 = 1_000_000
  ) {
    let device = device(seed)
    var mapped = MappedDevice(device.clock)
    var count = 0
    let samples = device.samples()
    for (index, sample) in samples.enumerated() {
      var given = sample
      let shift = wrong[index]
      if let shift { given.tick = shift == Self.zero ? 0 : UInt64(bitPattern: Int64(sample.tick) + shift / 1000) }
      let reading = mapped.read(given)
      #expect(reading.time <= sample.arrival)
      if reading.isWrong { count += 1 }
      if reading.isWrong { #expect(reading.time == sample.arrival) }
      guard shift == nil, sample.truth - samples[0].truth > 5_000_000_000 else { continue }
      #expect(abs(reading.time.nanoseconds - sample.truth) < otherwiseWithin, "seed \(seed), frame \(index)")
    }
    #expect(wrongCount.contains(count), "seed \(seed): \(count)")
  }

  @Test(arguments: [-3_600_000_000_000, -60_000_000, 30_000_000, 200_000_000, 3_600_000_000_000])
  func `one wrong stamp is noticed and changes nothing for the others`(shift: Int64) {
    for seed in 0..<20 { check(seed: seed, [200 + seed * 7: shift], wrongCount: 1...1) }
  }

  @Test(arguments: [0, 1, 5, 20, 40])
  func `a stamp from the future in the first seconds is forgotten by the fifth`(frame: Int) {
    for seed in 0..<20 { check(seed: seed, [frame: 30_000_000], wrongCount: 0...2) }
    for seed in 0..<20 { check(seed: seed, [frame: 3_600_000_000_000], wrongCount: 0...6) }
  }

  @Test func `zero and several wrong stamps of different kinds are each noticed`() {
    for seed in 0..<20 {
      check(
        seed: seed,
        [180: Self.zero, 240: 50_000_000, 241: 900_000_000, 300: Self.zero, 301: Self.zero, 400: -1_000_000_000],
        wrongCount: 6...6)
    }
  }

  @Test(arguments: [-3600.0, -2, -0.5, 0.5, 2, 3600])
  func `a device clock that is set is followed within five frames`(seconds: Double) {
    for seed in 0..<10 {
      let device = device(seed, laneCount: 2)
      var mapped = MappedDevice(device.clock, laneCount: 2)
      let samples = device.samples()
      for (index, sample) in samples.enumerated() {
        var given = sample
        if index >= 500 { given.tick = UInt64(bitPattern: Int64(sample.tick) + Int64(seconds * 1e6)) }
        let reading = mapped.read(given)
        // Until it is followed frames have the time of their arrival.
        let isSettled = sample.truth - samples[0].truth > 5_000_000_000 && !(500..<800).contains(index)
        let bound: Int64 = isSettled ? 1_000_000 : 45_000_000
        #expect(abs(reading.time.nanoseconds - sample.truth) < bound, "seed \(seed), frame \(index)")
        if reading.isWrong { #expect((500..<505).contains(index), "seed \(seed), frame \(index)") }
      }
    }
  }

  @Test func `a clock set back by less than a frame period is followed within six seconds`() {
    for seed in 0..<10 {
      let device = SimulatedDevice(clock: .microseconds, seconds: 40, seed: seed)
      var mapped = MappedDevice(device.clock)
      for (index, sample) in device.samples().enumerated() {
        var given = sample
        if index >= 600 { given.tick -= 25_000 }
        let time = mapped.read(given).time
        if index >= 600 + 30 * 12 {
          #expect(abs(time.nanoseconds - sample.truth) < 1_000_000, "seed \(seed), \(index)")
        }
      }
    }
  }

  @Test func `after a restart nothing of the old clock is left`() {
    let before = device(1).samples()
    let after = SimulatedDevice(clock: .microseconds, jitter: .exponential, seconds: 20, seed: 8).samples()
    var mapper = ClockMapper(clock: .microseconds)
    for sample in before { _ = mapper.read(tick: Int64(sample.tick), arrival: sample.arrival) }
    mapper.restart()
    var fresh = ClockMapper(clock: .microseconds)
    for sample in after {
      let tick = Int64(sample.tick)
      #expect(mapper.read(tick: tick, arrival: sample.arrival) == fresh.read(tick: tick, arrival: sample.arrival))
    }
    #expect(mapper.offsetNanoseconds == fresh.offsetNanoseconds)
  }

  @Test func `a counter that stands still does not stop time`() {
    var mapper = ClockMapper(clock: .microseconds)
    for frame in 0..<300 {
      let arrival = MonotonicTime(nanoseconds: Int64(frame) * 33_333_333)
      let reading = mapper.read(tick: Int64(min(frame, 100)) * 33_333, arrival: arrival)
      if frame > 140 {
        #expect(reading.isWrong)
        #expect(reading.time == arrival)
      }
    }
  }

  // MARK: The host's own clock

  @Test func `stamps of the host's clock are taken as they are, however late their frames`() {
    var generator = SeededGenerator(seed: 3)
    var mapper = ClockMapper(clock: .microseconds, isHostClock: true)
    for frame in 1..<600 {
      let taken = 5_000_000_000 + Int64(frame) * 33_333_000
      let delay = Int64(generator.next(below: frame % 50 == 0 ? 2_000_000_000 : 20_000_000))
      let reading = mapper.read(tick: taken / 1000, arrival: MonotonicTime(nanoseconds: taken + delay))
      #expect(reading.time.nanoseconds == taken && !reading.isWrong)
      // The line lies where it should to a millisecond.
      #expect(frame <= 150 || reading.waitedNanoseconds <= delay + 1_000_000)
    }
  }

  @Test func `stamps that the host's clock cannot have given are wrong, and their frames come in step all the same`() {
    var generator = SeededGenerator(seed: 4)
    var mapper = ClockMapper(clock: .microseconds, isHostClock: true)
    // vivid's stamps lie 25 to 33 ms in the future.
    var last = Int64.min
    for frame in 1..<600 {
      let taken = 5_000_000_000 + Int64(frame) * 40_000_000
      let arrival = MonotonicTime(nanoseconds: taken + Int64(generator.next(below: 8_000_000)))
      let reading = mapper.read(tick: (taken + 33_000_000) / 1000, arrival: arrival)
      #expect(reading.isWrong)
      #expect(reading.time <= arrival)
      #expect(reading.time.nanoseconds > last)
      if frame > 125 { #expect(abs(reading.time.nanoseconds - taken) < 1_000_000) }
      last = reading.time.nanoseconds
    }
    // Zero, and one from before the boot of yesterday.
    let now = MonotonicTime(nanoseconds: 40_000_000_000)
    for tick: Int64 in [0, 1, -5] { #expect(mapper.read(tick: tick, arrival: now).isWrong) }
  }

  // MARK: Hostile input

  @Test func `times that no clock gives stop nothing`() throws {
    let extremes: [Int64] = [.min, .min + 1, -1 << 61, -1, 0, 1, 1 << 61, .max - 1, .max]
    for (clock, isHostClock) in [(TickClock.microseconds, true), (try TickClock(hertz: 1, bits: 64), false)] {
      var mapper = ClockMapper(clock: clock, isHostClock: isHostClock)
      var generator = SeededGenerator(seed: 1)
      for _ in 0..<3000 {
        let tick = extremes[generator.next(below: extremes.count)]
        let arrival = MonotonicTime(nanoseconds: extremes[generator.next(below: extremes.count)])
        #expect(mapper.read(tick: tick, arrival: arrival).time <= arrival)
        _ = (mapper.driftPartsPerBillion, mapper.offsetNanoseconds)
      }
    }
  }
}
