import FrameModel
import FrameSync
import Support
import Testing

/// Device time to host time on a machine that is too busy to take frames when they come.
@Suite struct OverloadTests {
  /// A time in which frames wait: the backlog grows to a level over some seconds, and is worked off in bursts.
  private struct Spell {
    /// Seconds after the first frame.
    var from: Double
    var to: Double
    var levelMilliseconds = 100.0
    var growthSeconds = 4.0
  }

  private func overloaded(_ device: SimulatedDevice, _ spells: [Spell]) -> [SimulatedDevice.Sample] {
    var samples = device.samples()
    var generator = SeededGenerator(seed: SeededGenerator.hash(UInt64(device.seed), 0x4C4F_4144))
    let begin = samples[0].truth
    var wake: Int64 = .min
    var last: Int64 = .min
    for index in samples.indices {
      let second = Double(samples[index].truth - begin) * 1e-9
      var arrival = samples[index].arrival.nanoseconds
      if let spell = spells.first(where: { (Double($0.from)..<$0.to).contains(second) }) {
        let share = spell.growthSeconds > 0 ? min(1, (second - spell.from) / spell.growthSeconds) : 1
        let backlog = share * spell.levelMilliseconds * (0.7 + 0.3 * generator.nextUnit())
        let ready = arrival + Int64(backlog * 1e6)
        // The thread gets its turn now and then, and hands over all that is ready.
        if wake < ready { wake = ready + Int64(80e6 * share * generator.nextUnit()) }
        arrival = wake
      }
      last = max(last, arrival)
      samples[index].arrival.nanoseconds = last
    }
    return samples
  }

  private struct Outcome {
    var wrongCount = 0
    /// The largest error of frames in the times asked for, nanoseconds.
    var worst: Int64 = 0
    var drift: Int64?
  }

  private func mapped(_ device: SimulatedDevice, _ spells: [Spell], judged: Range<Double>) -> Outcome {
    var mapped = MappedDevice(device.clock, laneCount: device.laneCount)
    var outcome = Outcome()
    let samples = overloaded(device, spells)
    for sample in samples {
      let reading = mapped.read(sample)
      #expect(reading.time <= sample.arrival)
      if reading.isWrong { outcome.wrongCount += 1 }
      if let drift = mapped.mapper.driftPartsPerBillion { #expect(drift.magnitude <= 500_000, "\(device)") }
      let second = Double(sample.truth - samples[0].truth) * 1e-9
      if judged.contains(second) { outcome.worst = max(outcome.worst, abs(reading.time.nanoseconds - sample.truth)) }
    }
    outcome.drift = mapped.mapper.driftPartsPerBillion
    return outcome
  }

  private func device(_ seed: Int, seconds: Double) -> SimulatedDevice {
    SimulatedDevice(
      clock: seed % 2 == 0 ? .kinect : .microseconds, partsPerMillion: [0, 100, -200][seed % 3],
      jitter: [.exponential, .bursts][seed / 2 % 2], laneCount: 1 + seed / 3 % 2, seconds: seconds, seed: seed)
  }

  @Test(arguments: 0..<24)
  func `frames that are late for half a minute do not move the clock, and none of their stamps is wrong`(seed: Int) {
    let outcome = mapped(device(seed, seconds: 60), [Spell(from: 15, to: 45)], judged: 10..<60)
    #expect(outcome.wrongCount == 0, "seed \(seed): \(outcome)")
    #expect(outcome.worst < 2_000_000, "seed \(seed): \(outcome)")
  }

  @Test(arguments: 0..<24)
  func `a recording that begins on a busy machine has its right times five seconds after that is over`(seed: Int) {
    let device = device(seed, seconds: 60)
    let outcome = mapped(device, [Spell(from: 0, to: 9, growthSeconds: 1)], judged: 14.5..<60)
    #expect(outcome.wrongCount == 0, "seed \(seed): \(outcome)")
    #expect(outcome.worst < 1_500_000, "seed \(seed): \(outcome)")
    let drift = Double(outcome.drift ?? .max) / 1000
    #expect(abs(drift - device.partsPerMillion) < 20, "seed \(seed): \(outcome)")
  }

  @Test(arguments: 0..<24)
  func `three minutes without a prompt frame leave the time where the first seconds had it`(seed: Int) {
    let device = device(seed, seconds: 200)
    let outcome = mapped(device, [Spell(from: 12, to: 192, levelMilliseconds: 150)], judged: 8..<200)
    #expect(outcome.wrongCount == 0, "seed \(seed): \(outcome)")
    #expect(outcome.worst < 10_000_000, "seed \(seed): \(outcome)")
  }

  @Test(arguments: 0..<24)
  func `a machine that is busy now and then changes no time`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var spells: [Spell] = []
    var second = 6.0
    while second < 110 {
      let length = 1 + 8 * generator.nextUnit()
      spells.append(
        Spell(
          from: second, to: second + length, levelMilliseconds: 20 + 200 * generator.nextUnit(),
          growthSeconds: length * generator.nextUnit()))
      second += length + 3 * generator.nextUnit()
    }
    let outcome = mapped(device(seed, seconds: 120), spells, judged: 6..<120)
    #expect(outcome.wrongCount == 0, "seed \(seed): \(outcome)")
    #expect(outcome.worst < 2_500_000, "seed \(seed): \(outcome)")
  }

  @Test(arguments: 0..<12)
  func `on a machine that is busy all the time no stamp is wrong and no drift is made up`(seed: Int) {
    let device = device(seed, seconds: 90)
    let outcome = mapped(
      device, [Spell(from: 0, to: 40, levelMilliseconds: 120), Spell(from: 40, to: 90, levelMilliseconds: 30)],
      judged: 0..<0)
    #expect(outcome.wrongCount == 0, "seed \(seed): \(outcome)")
    // Nobody can tell.
    #expect(outcome.drift == nil, "seed \(seed): \(outcome)")
  }
}
