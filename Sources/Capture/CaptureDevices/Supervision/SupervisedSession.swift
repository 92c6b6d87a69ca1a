import FrameModel
import Support
import Synchronization

/// Forwards a device's frames from one opening to the next, and detects silent streams. `deliver`
/// runs on the device's threads, takes no lock, and allocates only where a gap ends.
final class SupervisedSession: CaptureSink {
  private let sink: any CaptureSink
  private let streams: [StreamDescription]
  private let lanes: [Lane]
  private let startTime: MonotonicTime
  private let isRestart: Bool
  private let gate = SinkGate()
  private let end = Mutex<End?>(nil)

  enum End: Sendable {
    case complete
    case failed(RetakeError)
  }

  private final class Lane: Sendable {
    static let none = Int64.min
    /// Arrival of the latest frame of this opening.
    let latest = Atomic<Int64>(none)
    /// Arrival of the latest loss reported by the device, which is therefore alive.
    let told = Atomic<Int64>(none)
    /// The gap that this opening's first frame ends.
    let gap: StreamGap?
    init(_ gap: StreamGap?) { self.gap = gap }
  }

  /// - Parameter gaps: one per stream if the device was opened before.
  init(_ streams: [StreamDescription], gaps: [StreamGap]?, startTime: MonotonicTime, sink: any CaptureSink) {
    self.streams = streams
    self.sink = sink
    self.startTime = startTime
    isRestart = gaps != nil
    lanes = streams.indices.map { Lane(gaps?[$0]) }
  }

  // MARK: On the device's threads

  func deliver(_ frame: CapturedFrame) {
    guard lanes.indices.contains(frame.streamIndex) else { return }
    gate.pass {
      let lane = lanes[frame.streamIndex]
      let last = lane.latest.exchange(frame.arrival.nanoseconds, ordering: .relaxed)
      guard isRestart, last == Lane.none else { return sink.deliver(frame) }
      var gap = lane.gap
      if let loss = gap?.loss(stream: frame.streamIndex, endedBy: frame.arrival) { sink.report(loss) }
      var frame = frame
      frame.flags.insert(.restarted)
      sink.deliver(frame)
    }
  }

  func report(_ loss: CaptureLoss) {
    guard lanes.indices.contains(loss.streamIndex) else { return }
    gate.pass {
      let lane = lanes[loss.streamIndex]
      // A frame with lost packets may still arrive.
      if loss.reason != .lostPackets {
        lane.told.store(loss.arrival.nanoseconds, ordering: .relaxed)
        // Losses before the first frame belong to the gap that it ends.
        if lane.gap != nil, lane.latest.load(ordering: .relaxed) == Lane.none { return }
      }
      sink.report(loss)
    }
  }

  func finished(_ error: RetakeError?) {
    end.withLock { $0 = $0 ?? error.map { .failed($0) } ?? .complete }
  }

  // MARK: On the supervisor's thread

  var ended: End? { end.withLock { $0 } }

  /// After it returns, this session does not call the sink.
  func close() { gate.close() }

  private func latest(_ stream: Int) -> MonotonicTime? {
    let time = lanes[stream].latest.load(ordering: .relaxed)
    return time == Lane.none ? nil : MonotonicTime(nanoseconds: time)
  }

  /// When a stream last delivered a frame or reported a loss.
  private func heard(_ stream: Int) -> MonotonicTime? {
    let lane = lanes[stream]
    let time = max(lane.latest.load(ordering: .relaxed), lane.told.load(ordering: .relaxed))
    return time == Lane.none ? nil : MonotonicTime(nanoseconds: time)
  }

  /// Streams that must deliver continuously; an accelerometer may be silent.
  private var watched: [Int] { streams.indices.filter { streams[$0].kind != .motion } }

  var isDelivering: Bool { watched.allSatisfy { latest($0) != nil } }

  /// The streams that exceed their timeout, as a change to report; nil for none.
  func silence(_ options: SupervisionOptions, now: MonotonicTime) -> SupervisionChange? {
    func isSilent(_ stream: Int, since: MonotonicTime, isFirstFrame: Bool) -> Bool {
      now.nanoseconds - since.nanoseconds
        > options.timeoutNanoseconds(streams[stream].rate, isFirstFrame: isFirstFrame)
    }
    func names(_ found: [Int]) -> [String] {
      found.count == watched.count && found.count > 1 ? [] : found.map { streams[$0].name }
    }
    let never = watched.filter {
      latest($0) == nil && isSilent($0, since: heard($0) ?? startTime, isFirstFrame: true)
    }
    if !never.isEmpty {
      return .neverCame(streams: names(never), nanoseconds: now.nanoseconds - startTime.nanoseconds)
    }
    let stalled = watched.filter { stream in
      guard latest(stream) != nil, let heard = heard(stream) else { return false }
      return isSilent(stream, since: heard, isFirstFrame: false)
    }
    guard let longest = stalled.compactMap(heard).min() else { return nil }
    return .stalled(streams: names(stalled), nanoseconds: now.nanoseconds - longest.nanoseconds)
  }

  /// Gaps from where this session ended, or earlier ones that it did not end. Call `close` first.
  func gaps(_ reason: FrameEvent.Reason) -> [StreamGap] {
    streams.indices.map { stream in
      if latest(stream) == nil, let gap = lanes[stream].gap { return gap }
      return StreamGap(
        reason: reason, start: heard(stream) ?? startTime, periodNanoseconds: streams[stream].rate.periodNanoseconds)
    }
  }

  /// Gaps from before this session that no frame has ended. Call `close` first.
  var unendedGaps: [StreamGap?] { streams.indices.map { latest($0) == nil ? lanes[$0].gap : nil } }
}
