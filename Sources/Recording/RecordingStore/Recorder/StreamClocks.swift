import FrameModel
import FrameSync

/// Maps device clocks to the host clock. Streams of one device that share a clock share one
/// mapping: their delays differ, but not their clock.
struct StreamClocks {
  /// After a device is reopened, its streams deliver their first frames within this time.
  fileprivate static let togetherNanoseconds: Int64 = 5_000_000_000

  fileprivate struct Group {
    let clock: TickClock
    var mapper: ClockMapper
    /// Shared by all streams: separate unwrappers that started on either side of a wrap would be a
    /// full tick range apart.
    var unwrapper: TickUnwrapper
    var streams: [Int]
    /// Arrival of the first frame since the last reopening, and the streams heard since.
    var restart: Int64?
    var heard: Set<Int> = []
  }

  private var groups: [Group] = []
  private let groupOfStream: [Int]

  init(streams: [StreamDescription]) {
    struct Key: Hashable {
      var device: String
      var clock: TickClock
      var isHostTimed: Bool
    }
    var keys: [Key] = []
    var members: [[Int]] = []
    groupOfStream = streams.indices.map { index in
      let stream = streams[index]
      let key = Key(device: stream.device, clock: stream.clock, isHostTimed: stream.isHostTimed)
      let group = keys.firstIndex(of: key) ?? keys.count
      if group == keys.count {
        keys.append(key)
        members.append([])
      }
      members[group].append(index)
      return group
    }
    groups = zip(keys, members).map { key, members in
      Group(
        clock: key.clock,
        mapper: ClockMapper(clock: key.clock, isHostClock: key.isHostTimed, laneCount: members.count),
        unwrapper: TickUnwrapper(clock: key.clock), streams: members)
    }
  }

  /// Returns the capture time on the host clock and the unwrapped tick. Without a tick, the time is
  /// the frame's arrival.
  mutating func read(
    stream: Int, deviceTick: UInt64?, arrival: MonotonicTime, flags: FrameFlags
  ) -> (reading: ClockMapper.Reading, tick: Int64?) {
    let group = groupOfStream[stream]
    begin(stream, arrival, flags)
    let tick = deviceTick.map { groups[group].unwrapper.unwrap($0, arrival: arrival) }
    return (map(stream, tick, arrival), tick)
  }

  mutating func read(
    stream: Int, tick: Int64?, arrival: MonotonicTime, flags: FrameFlags
  ) -> ClockMapper.Reading {
    begin(stream, arrival, flags)
    return map(stream, tick, arrival)
  }

  private mutating func begin(_ stream: Int, _ arrival: MonotonicTime, _ flags: FrameFlags) {
    let group = groupOfStream[stream]
    if flags.contains(.restarted) { groups[group].begin(stream, at: arrival.nanoseconds) }
    groups[group].heard.insert(stream)
  }

  private mutating func map(_ stream: Int, _ tick: Int64?, _ arrival: MonotonicTime) -> ClockMapper.Reading {
    let group = groupOfStream[stream]
    guard let tick else { return ClockMapper.Reading(time: arrival, isWrong: false) }
    let lane = groups[group].streams.firstIndex(of: stream)!
    return groups[group].mapper.read(tick: tick, arrival: arrival, lane: lane)
  }

  /// Host minus device clock; nil before the clock's first tick.
  func offsetNanoseconds(stream: Int) -> Int64? { groups[groupOfStream[stream]].mapper.offsetNanoseconds }

  func driftPartsPerBillion(stream: Int) -> Int64? { groups[groupOfStream[stream]].mapper.driftPartsPerBillion }
}

extension StreamClocks.Group {
  /// Restarts the mapping for all streams of the device when the first of them restarts.
  fileprivate mutating func begin(_ stream: Int, at arrival: Int64) {
    if let restart, !heard.contains(stream), arrival &- restart < StreamClocks.togetherNanoseconds { return }
    mapper.restart()
    unwrapper = TickUnwrapper(clock: clock)
    restart = arrival
    heard = []
  }
}
