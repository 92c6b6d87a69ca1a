import FrameModel
import FrameSync

/// The mapping of each stream's clock to the host's. Streams of one device that share a clock share its mapping: their
/// delays differ, their clock does not.
struct StreamClocks {
  private var mappers: [ClockMapper] = []
  private let mapperOfStream: [Int]

  init(streams: [StreamDescription]) {
    var known: [(device: String, clock: TickClock)] = []
    mapperOfStream = streams.map { stream in
      if let found = known.firstIndex(where: { $0.device == stream.device && $0.clock == stream.clock }) {
        return found
      }
      known.append((stream.device, stream.clock))
      return known.count - 1
    }
    mappers = known.map { ClockMapper(clock: $0.clock) }
  }

  /// When a frame was taken, on the host's clock. Without a tick, its arrival.
  mutating func hostTime(stream: Int, tick: Int64?, arrival: MonotonicTime) -> MonotonicTime {
    guard let tick else { return arrival }
    return mappers[mapperOfStream[stream]].hostTime(ofTick: tick, arrival: arrival)
  }

  /// Host minus device clock of each stream; nil before its first tick.
  var offsetsNanoseconds: [Int64?] { mapperOfStream.map { mappers[$0].offsetNanoseconds } }
}
