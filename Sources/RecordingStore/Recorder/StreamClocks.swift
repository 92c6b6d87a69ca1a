import FrameModel
import FrameSync

/// The mapping of each stream's clock to the host's. Streams of one device that share a clock share its mapping: their
/// delays differ, their clock does not.
struct StreamClocks {
  /// Streams of a device that was opened again come with their first frames within this time.
  fileprivate static let togetherNanoseconds: Int64 = 5_000_000_000

  fileprivate struct Group {
    var mapper: ClockMapper
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
        mapper: ClockMapper(clock: key.clock, isHostClock: key.isHostTimed, laneCount: members.count),
        streams: members)
    }
  }

  /// When a frame was taken, on the host's clock. Without a tick, its arrival.
  mutating func read(
    stream: Int, tick: Int64?, arrival: MonotonicTime, flags: FrameFlags
  ) -> ClockMapper.Reading {
    let group = groupOfStream[stream]
    if flags.contains(.restarted) { groups[group].begin(stream, at: arrival.nanoseconds) }
    groups[group].heard.insert(stream)
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
    restart = arrival
    heard = []
  }
}
