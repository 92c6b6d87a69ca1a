import CaptureDevices
import FrameModel
import Support

/// The pictures of one stream in the order of their times, and where they are.
protocol PictureLane: Sendable {
  /// Time of each picture, nanoseconds of the source's own clock.
  var times: [Int64] { get }
  /// Pictures that the source states to have after the last one that was found.
  var missingCount: Int { get }
  func reader() throws(RetakeError) -> any PictureReader
}

/// Reads a lane's pictures one after the other.
protocol PictureReader: AnyObject {
  /// - Throws: an error that ends the whole import.
  func next(_ slot: PictureSlot, waitingUnless isStopping: () -> Bool) throws(RetakeError) -> PictureOutcome
  /// What is damaged in the source; nil if nothing is. Called after the last picture.
  func conclude() throws(RetakeError) -> RetakeError?
}

enum PictureOutcome {
  case frame(CapturedFrame)
  /// This many pictures of the lane are missing.
  case lost(Int)
  case stopped
}

/// The place of a picture in its stream.
struct PictureSlot {
  let stream: Int
  let tick: UInt64
  let arrival: MonotonicTime
  let memory: FrameMemory
}

/// Delivers the pictures of all lanes in order of time.
struct PictureDelivery: Sendable {
  let lanes: [any PictureLane]
  let streams: [StreamDescription]

  /// Time of the earliest picture, nanoseconds of the source's clock.
  var earliest: Int64 { lanes.compactMap { $0.times.min() }.min() ?? 0 }
  var frameCount: Int { lanes.reduce(0) { $0 + $1.times.count } }

  func device(_ summary: String) -> ImportedDevice {
    ImportedDevice(summary, streams) { sink, isStopping in run(to: sink, isStopping) }
  }

  /// A remark for each stream that starts or ends far from the first one.
  var timeRemarks: [String] {
    guard let first = lanes.first?.times.min() else { return [] }
    return zip(streams, lanes).dropFirst().compactMap { stream, lane in
      guard let start = lane.times.min(), abs(start - first) >= 1_000_000_000 else { return nil }
      let word = start > first ? "after" : "before"
      let milliseconds = abs(start - first) / 1_000_000
      let seconds = "\(milliseconds / 1000).\((milliseconds % 1000).zeroPadded(3))"
      return "\(stream.name) starts \(seconds) s \(word) \(streams[0].name)"
    }
  }

  private func run(to sink: any CaptureSink, _ isStopping: @Sendable () -> Bool) {
    do throws(RetakeError) {
      let readers = try lanes.map { lane throws(RetakeError) in try lane.reader() }
      let memory = FrameMemory(streams)
      var next = lanes.map { _ in 0 }
      let earliest = earliest
      // Ticks cannot be negative.
      let tickOrigin = min(0, earliest)
      while let position = earliestLane(next) {
        if isStopping() { return }
        let time = lanes[position].times[next[position]]
        let slot = PictureSlot(
          stream: position, tick: UInt64(time - tickOrigin), arrival: MonotonicTime(nanoseconds: time - earliest),
          memory: memory)
        switch try readers[position].next(slot, waitingUnless: isStopping) {
        case .frame(let frame):
          next[position] += 1
          sink.deliver(frame)
        case .lost(let count):
          next[position] += count
          sink.report(CaptureLoss(streamIndex: position, reason: .dropped, count: count, arrival: slot.arrival))
        case .stopped: return
        }
      }
      for (position, lane) in lanes.enumerated() where lane.missingCount > 0 {
        let arrival = MonotonicTime(nanoseconds: (lane.times.max() ?? earliest) - earliest)
        sink.report(
          CaptureLoss(streamIndex: position, reason: .dropped, count: lane.missingCount, arrival: arrival))
      }
      var damage: RetakeError?
      for reader in readers {
        guard let found = try reader.conclude() else { continue }
        damage = damage?.saying(found.message) ?? found
      }
      sink.finished(damage)
    } catch {
      sink.finished(error)
    }
  }

  /// The lane with the earliest next picture, the first of equals; nil at the end.
  private func earliestLane(_ next: [Int]) -> Int? {
    lanes.indices.filter { next[$0] < lanes[$0].times.count }
      .min { lanes[$0].times[next[$0]] < lanes[$1].times[next[$1]] }
  }
}
