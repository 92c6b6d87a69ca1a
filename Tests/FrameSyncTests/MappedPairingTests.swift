import FrameModel
import FrameSync
import Support
import Testing

/// Pairs of frames whose times are known only through clocks that drift, wait and wrap.
@Suite struct MappedPairingTests {
  /// What the mapping may be off by, see `ClockMapperTests`.
  private static let errorNanoseconds: Int64 = 1_000_000

  private struct TimedFrame {
    var truth: Int64
    var mapped: Int64
    var arrival: MonotonicTime
  }

  /// The frames of each stream from the sixth second on, as a recorder times them.
  private func timed(_ device: SimulatedDevice) -> [[TimedFrame]] {
    var mapped = MappedDevice(device.clock, laneCount: device.laneCount)
    var streams = [[TimedFrame]](repeating: [], count: device.laneCount)
    let samples = device.samples()
    for sample in samples {
      let time = mapped.read(sample).time.nanoseconds
      guard sample.truth - samples[0].truth > 5_500_000_000 else { continue }
      // A stream's times grow, which the ledger sees to.
      let last = streams[sample.lane].last?.mapped ?? .min
      streams[sample.lane].append(
        TimedFrame(truth: sample.truth, mapped: max(time, last + 1), arrival: sample.arrival))
    }
    return streams
  }

  /// The place of the time nearest to another, and how much farther the next one is.
  private func nearest(to time: Int64, in times: [Int64]) -> (place: Int, distance: Int64, lead: Int64)? {
    let order = times.indices.map { (abs(times[$0] - time), $0) }.sorted { $0 < $1 }
    guard let first = order.first else { return nil }
    return (first.1, first.0, order.count > 1 ? order[1].0 - first.0 : .max)
  }

  /// By the true times; outer nil where the mapping's error could turn it over.
  private func truePartner(
    of master: Int, _ masters: [Int64], _ partners: [Int64], tolerance: Int64
  ) -> Int?? {
    let error = Self.errorNanoseconds
    guard let partner = nearest(to: masters[master], in: partners) else { return .some(nil) }
    guard abs(partner.distance - tolerance) > 2 * error else { return nil }
    guard partner.distance < tolerance else { return .some(nil) }
    guard partner.lead > 4 * error, let back = nearest(to: partners[partner.place], in: masters),
      back.lead > 4 * error
    else { return nil }
    return .some(back.place == master ? partner.place : nil)
  }

  private func check(_ masters: [TimedFrame], _ partners: [TimedFrame], _ words: String) throws -> Double {
    let rate = try FrameRate(30)
    let tolerance = rate.periodNanoseconds / 2
    var pairing = FramePairing(master: rate, partner: rate)
    var decisions: [FramePairing.Decision] = []
    var (m, p) = (0, 0)
    while m < masters.count || p < partners.count {
      let takesMaster = p == partners.count || m < masters.count && masters[m].arrival <= partners[p].arrival
      let (number, frame) = takesMaster ? (m, masters[m]) : (p, partners[p])
      let entry = FramePairing.Entry(number: number, time: PresentationTime(nanoseconds: frame.mapped))
      decisions += takesMaster ? pairing.addMaster(entry) : pairing.addPartner(entry)
      if takesMaster { m += 1 } else { p += 1 }
    }
    decisions += pairing.finish()
    try #require(decisions.map(\.master.number) == Array(masters.indices))
    var decidableCount = 0
    for decision in decisions {
      let truth = truePartner(
        of: decision.master.number, masters.map(\.truth), partners.map(\.truth), tolerance: tolerance)
      guard case .some(let partner) = truth else { continue }
      decidableCount += 1
      #expect(decision.partner?.number == partner, "\(words), frame \(decision.master.number)")
    }
    return Double(decidableCount) / Double(max(1, decisions.count))
  }

  @Test(arguments: 0..<120)
  func `depth of the same device pairs as it was taken, through drift, delays, drops and wraps`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var device = SimulatedDevice(laneCount: 2, seconds: 12, seed: seed)
    device.partsPerMillion = -200 + 400 * generator.nextUnit()
    device.jitter = [.exponential, .bursts][seed % 2]
    device.dropProbability = [0, 0.05, 0.3][seed % 3]
    device.laneOffset = -0.4 + 0.8 * generator.nextUnit()
    let streams = timed(device)
    let share = try check(streams[0], streams[1], "seed \(seed), \(device)")
    // Most can be decided, or this would show nothing.
    #expect(share > 0.5, "seed \(seed): \(share)")
  }

  @Test(arguments: 0..<120)
  func `cameras with clocks of their own pair as their frames were taken`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(1000 + seed))
    var (color, depth) = (SimulatedDevice(seconds: 12, seed: seed), SimulatedDevice(seconds: 12, seed: seed + 5000))
    color.clock = .microseconds
    color.partsPerMillion = -200 + 400 * generator.nextUnit()
    depth.partsPerMillion = -200 + 400 * generator.nextUnit()
    depth.phase = -0.35 + 0.7 * generator.nextUnit()
    depth.start = 1_000_000_000_000
    color.start = depth.start
    color.jitter = [.exponential, .bursts][seed % 2]
    depth.jitter = [.bursts, .exponential][seed / 2 % 2]
    color.dropProbability = [0, 0.1][seed % 2]
    depth.dropProbability = [0, 0.1, 0.3][seed % 3]
    let share = try check(timed(color)[0], timed(depth)[0], "seed \(seed)")
    #expect(share > 0.5, "seed \(seed): \(share)")
  }
}
