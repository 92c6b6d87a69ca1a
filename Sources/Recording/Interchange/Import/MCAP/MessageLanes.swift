import Support

/// The picture messages of a recording: in the file's order, or topic beside topic in the order of their times, each read
/// by a reader of its own.
final class MessageLanes {
  private final class Lane {
    let reader: ImageMessageReader
    /// Nil for all.
    let topic: String?
    var found: ImageMessageReader.Found?
    var time: Int64 = .min

    init(_ source: MessageSource, topic: String?) throws(RetakeError) {
      reader = try ImageMessageReader(source)
      self.topic = topic
    }
  }

  private let lanes: [Lane]
  private let clock: ArrivalClock
  private var last: Lane?

  init(_ source: MessageSource, topics: [String], _ clock: ArrivalClock) throws(RetakeError) {
    self.clock = clock
    let topics: [String?] = clock.isOutOfStep ? topics : [nil]
    lanes = try topics.map { topic throws(RetakeError) in try Lane(source, topic: topic) }
    for lane in lanes.dropFirst() { try advance(lane) }
    last = lanes.first
  }

  var damage: (first: RetakeError, moreCount: Int)? { lanes.first?.reader.damage }

  /// The next message, valid until the next call.
  func next() throws(RetakeError) -> ImageMessageReader.Found? {
    if let last { try advance(last) }
    last = lanes.filter { $0.found != nil }.min { $0.time < $1.time }
    return last?.found
  }

  private func advance(_ lane: Lane) throws(RetakeError) {
    repeat { lane.found = try lane.reader.next() } while lane.found != nil && !isWanted(lane)
    guard lanes.count > 1, let found = lane.found, let logTime = MCAPImages.logTime(found.message) else { return }
    guard clock.isOfStamps else {
      lane.time = logTime
      return
    }
    // What cannot be read keeps its place in the file.
    lane.time = (try? found.read { image throws(RetakeError) in image.stamp(logTime: logTime) }) ?? lane.time
  }

  private func isWanted(_ lane: Lane) -> Bool { lane.topic == nil || lane.found?.topic == lane.topic }
}
