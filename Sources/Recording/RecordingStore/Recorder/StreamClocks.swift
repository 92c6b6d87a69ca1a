import FrameModel
import FrameSync

/// The mapping of each stream's clock to the host's. Streams of one device that share a clock share its mapping: their
/// delays differ, their clock does not.
struct StreamClocks {
  /// Streams of a device that was opened again come with their first frames within this time.
  fileprivate static let togetherNanoseconds: Int64 = 5_000_000_000

  fileprivate struct Group {
    let clock: TickClock
    var mapper: ClockMapper
    /// One for all its streams: two that began on either side of a wrap would be a whole range apart.
    var unwrapper: TickUnwrapper
    var streams: [Int]
    /// When the device was opened again last, and the streams that have delivered since.
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

  /// When a frame was taken, on the host's clock, and its tick without wraps. Without a tick, its arrival.
  mutating func read(
    stream: Int, deviceTick: UInt64?, arrival: MonotonicTime, flags: FrameFlags
  ) -> (reading: ClockMapper.Reading, tick: Int64?) {
    let group = groupOfStream[stream]
    begin(stream, arrival, flags)
    let tick = deviceTick.map { groups[group].unwrapper.unwrap($0, arrival: arrival) }
    return (map(stream, tick, arrival), tick)
  }

  /// The same of a frame whose tick was unwrapped when it was recorded.
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
  /// The first of the device's streams that comes back begins the mapping anew, for all of them.
  fileprivate mutating func begin(_ stream: Int, at arrival: Int64) {
    if let restart, !heard.contains(stream), arrival &- restart < StreamClocks.togetherNanoseconds { return }
    mapper.restart()
    unwrapper = TickUnwrapper(clock: clock)
    restart = arrival
    heard = []
  }
}
