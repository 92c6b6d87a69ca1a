import Foundation
import FrameModel
import FrameSync
import Support

/// A device whose clock runs off and whose frames wait on their way.
///
/// Truth is the moment at which a frame was taken plus the least delay there is, which no method can tell from an offset.
struct SimulatedDevice {
  enum Jitter: CaseIterable, Sendable {
    /// Exponential about a few milliseconds, cut at 20.
    case exponential
    /// As likely any up to 20 ms.
    case uniform
    /// Little, but now and then the bus stands still for up to 150 ms, and delivers all at once.
    case bursts
  }

  struct Sample {
    var lane: Int
    /// On the host's clock.
    var truth: Int64
    var tick: UInt64
    var arrival: MonotonicTime
  }

  var clock = TickClock.kinect
  var partsPerMillion = 0.0
  var jitter = Jitter.exponential
  var framesPerSecond = 30.0
  /// Streams on the one clock; the second has another least delay.
  var laneCount = 1
  /// How long after the first stream's frames the second's are taken, and all of them after the start, in periods.
  var laneOffset = 0.5
  var phase = 0.0
  /// On the host's clock; nil for one of the seed's.
  var start: Int64?
  var dropProbability = 0.0
  var seconds = 20.0
  var seed = 0

  func samples() -> [Sample] {
    var generator = SeededGenerator(seed: SeededGenerator.hash(UInt64(seed), 0x434C_4B))
    let seeded = 1_000_000_000 * Int64(generator.next(below: 100_000))
    let host = start ?? seeded
    let firstTick = UInt64(generator.next(below: 1 << 32))
    let leastDelay = Int64(generator.next(below: 3_000_000))
    let mean = 1 + 5 * generator.nextUnit()
    let period = 1e9 / framesPerSecond
    var stall = (begin: 0.0, end: 0.0)
    var samples: [Sample] = []
    for frame in 0..<Int(seconds * framesPerSecond) {
      for lane in 0..<laneCount {
        let draw = generator.nextUnit()
        let chance = generator.nextUnit()
        let isDropped = generator.nextUnit() < dropProbability
        let captured = (Double(frame) + phase + Double(lane) * laneOffset) * period
        if jitter == .bursts, captured > stall.end, chance < 0.03 {
          stall = (captured, captured + 150e6 * generator.nextUnit())
        }
        if isDropped { continue }
        var delay =
          switch jitter {
          case .exponential: min(20, -mean * log(1 - draw)) * 1e6
          case .uniform: 20e6 * draw
          case .bursts: min(20, -log(1 - draw)) * 1e6
          }
        if captured < stall.end { delay = max(delay, stall.end - captured) }
        let ticks = captured * (1 + partsPerMillion * 1e-6) * Double(clock.hertz) / 1e9
        let counted = firstTick &+ UInt64(bitPattern: Int64(ticks))
        samples.append(
          Sample(
            lane: lane, truth: host + Int64(captured) + leastDelay,
            tick: clock.bits == 64 ? counted : counted & (1 << UInt64(clock.bits) - 1),
            arrival: MonotonicTime(
              nanoseconds: host + Int64(captured + delay) + leastDelay + Int64(lane) * 9_000_000)))
      }
    }
    // As the host sees them; frames of one stream do not overtake each other.
    var last = [Int64](repeating: .min, count: laneCount)
    for index in samples.indices {
      let lane = samples[index].lane
      samples[index].arrival.nanoseconds = max(samples[index].arrival.nanoseconds, last[lane])
      last[lane] = samples[index].arrival.nanoseconds
    }
    return samples.enumerated().sorted { ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset) }
      .map(\.element)
  }
}

/// What a recorder does with ticks and arrivals.
struct MappedDevice {
  private var unwrappers: [TickUnwrapper]
  var mapper: ClockMapper

  init(_ clock: TickClock, laneCount: Int = 1, isHostClock: Bool = false) {
    unwrappers = (0..<laneCount).map { _ in TickUnwrapper(clock: clock) }
    mapper = ClockMapper(clock: clock, isHostClock: isHostClock, laneCount: laneCount)
  }

  mutating func read(_ sample: SimulatedDevice.Sample) -> ClockMapper.Reading {
    let tick = unwrappers[sample.lane].unwrap(sample.tick, arrival: sample.arrival)
    return mapper.read(tick: tick, arrival: sample.arrival, lane: sample.lane)
  }
}
