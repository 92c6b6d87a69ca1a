import FrameModel
import Support
import Synchronization

/// What a device delivers from one opening of it to the next: hands it on and keeps watch.
///
/// `deliver` is called on the device's threads, takes no lock, and allocates nothing but where a gap ends.
final class SupervisedSession: CaptureSink {
  private let sink: any CaptureSink
  private let streams: [StreamDescription]
  private let lanes: [Lane]
  private let startTime: MonotonicTime
  /// Whether the device was opened before.
  private let isRestart: Bool
  private let gate = SinkGate()
  private let end = Mutex<End?>(nil)

  /// How the device says that it ended.
  enum End: Sendable {
    case complete
    case failed(RetakeError)
  }

  private final class Lane: Sendable {
    static let none = Int64.min
    /// Arrival of the latest frame of this opening.
    let latest = Atomic<Int64>(none)
    /// Arrival of the latest frame that the device itself said to be lost: it is alive, and that frame is accounted for.
    let told = Atomic<Int64>(none)
    /// What this opening's first frame ends.
    let gap: StreamGap?
    init(_ gap: StreamGap?) { self.gap = gap }
  }

  /// - Parameter gaps: of each stream, for a device that was opened before.
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
      // A frame with lost packets may come all the same.
      if loss.reason != .lostPackets {
        lane.told.store(loss.arrival.nanoseconds, ordering: .relaxed)
        // What is lost before the first frame is part of the gap which that frame ends.
        if lane.gap != nil, lane.latest.load(ordering: .relaxed) == Lane.none { return }
      }
      sink.report(loss)
    }
  }

  func finished(_ error: RetakeError?) {
    end.withLock { $0 = $0 ?? error.map { .failed($0) } ?? .complete }
  }

  // MARK: On the supervisor's

  var ended: End? { end.withLock { $0 } }

  /// After it returns, the device's sink is not called by this session.
  func close() { gate.close() }

  private func latest(_ stream: Int) -> MonotonicTime? {
    let time = lanes[stream].latest.load(ordering: .relaxed)
    return time == Lane.none ? nil : MonotonicTime(nanoseconds: time)
  }

  /// When a stream last brought a frame, or said that it lost one.
  private func heard(_ stream: Int) -> MonotonicTime? {
    let lane = lanes[stream]
    let time = max(lane.latest.load(ordering: .relaxed), lane.told.load(ordering: .relaxed))
    return time == Lane.none ? nil : MonotonicTime(nanoseconds: time)
  }

  /// Streams that are to bring frames all the time: an accelerometer may have nothing to say.
  private var watched: [Int] { streams.indices.filter { streams[$0].kind != .motion } }

  /// Whether every stream has brought a frame.
  var isDelivering: Bool { watched.allSatisfy { latest($0) != nil } }

  /// What has been silent for longer than it may be.
  func silence(_ options: SupervisionOptions, now: MonotonicTime) -> SupervisionChange? {
    func isSilent(_ stream: Int, since: MonotonicTime, isFirstFrame: Bool) -> Bool {
      now.nanoseconds - since.nanoseconds
        > options.timeoutNanoseconds(streams[stream].rate, isFirstFrame: isFirstFrame)
    }
    func names(_ found: [Int]) -> [String] {
      // Where everything is silent, no stream needs to be named.
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

  /// The gap of each stream that begins where this session ended; one that it never got to end goes on. Close it before.
  func gaps(_ reason: FrameEvent.Reason) -> [StreamGap] {
    streams.indices.map { stream in
      if latest(stream) == nil, let gap = lanes[stream].gap { return gap }
      return StreamGap(
        reason, since: heard(stream) ?? startTime, periodNanoseconds: streams[stream].rate.periodNanoseconds)
    }
  }

  /// The gaps that were there when it was opened and that no frame has ended. Close it before.
  var unendedGaps: [StreamGap?] { streams.indices.map { latest($0) == nil ? lanes[$0].gap : nil } }
}
