import FrameModel
import Support

/// Delivers a topic's decoded pictures as its messages are met again in the second pass.
final class MessageVideoPlayer {
  private let video: MessageVideo
  private let reader: any PictureReader
  private let clock: ArrivalClock
  /// Messages met so far, and pictures delivered.
  private var (message, picture) = (0, 0)
  /// Messages whose bytes may be wrong, since the last key frame.
  private var suspects: Set<Int> = []

  init(_ video: MessageVideo, _ clock: ArrivalClock) throws(RetakeError) {
    self.video = video
    self.clock = clock
    reader = try video.lane.reader()
  }

  /// Delivers what the next message completes.
  /// - Parameter slot: where; the tick is that of each picture.
  /// - Returns: false if delivery should end.
  func deliver(
    to sink: any CaptureSink, _ slot: PictureSlot, isSuspect: Bool, _ isStopping: () -> Bool
  ) throws(RetakeError) -> Bool {
    if isSuspect { suspects.insert(message) }
    defer { message += 1 }
    if !video.hasPicture(ofMessage: message) { lose(1, to: sink, slot) }
    while picture < video.pictures.count, video.pictures[picture].due <= message {
      let next = video.pictures[picture]
      let slot = PictureSlot(
        stream: slot.stream, tick: UInt64(max(0, next.time)),
        arrival: clock.arrival(stamp: next.time, logTime: next.arrival), memory: slot.memory)
      switch try reader.next(slot, waitingUnless: isStopping) {
      case .frame(var frame):
        picture += 1
        if next.isKey { suspects = suspects.filter { $0 >= next.message } }
        if !suspects.isEmpty { frame.flags.insert(.damaged) }
        sink.deliver(frame)
      case .lost(let count):
        picture += count
        lose(count, to: sink, slot)
      case .stopped: return false
      }
    }
    return true
  }

  private func lose(_ count: Int, to sink: any CaptureSink, _ slot: PictureSlot) {
    sink.report(CaptureLoss(streamIndex: slot.stream, reason: .dropped, count: count, arrival: slot.arrival))
  }
}
