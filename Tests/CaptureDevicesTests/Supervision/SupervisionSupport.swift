import CaptureDevices
import FrameModel
import Glibc
import Support
import Synchronization
import TestSupport
import Testing

/// A device that does what a test tells it.
final class ScriptedDevice: CaptureDevice {
  let summary = "scripted camera"
  let streams: [StreamDescription]
  let isLive = true

  private struct State {
    var sink: (any CaptureSink)?
    var isStopped = false
    var startError: RetakeError?
    var farewell: (@Sendable (any CaptureSink) -> Void)?
  }
  private let state = Mutex(State())
  /// While it is on, `stop` does not return.
  let hangs = Atomic<Bool>(false)

  init(_ streams: [StreamDescription], startError: RetakeError? = nil) {
    self.streams = streams
    state.withLock { $0.startError = startError }
  }

  /// What it tells its sink while it is stopped.
  func setFarewell(_ farewell: @escaping @Sendable (any CaptureSink) -> Void) {
    state.withLock { $0.farewell = farewell }
  }

  var isStarted: Bool { state.withLock { $0.sink != nil } }
  var isStopped: Bool { state.withLock { $0.isStopped } }

  func start(delivering sink: any CaptureSink) throws(RetakeError) {
    let error = state.withLock { state in
      if state.startError == nil { state.sink = sink }
      return state.startError
    }
    if let error { throw error }
  }

  func stop() {
    while hangs.load(ordering: .acquiring) { usleep(1000) }
    let (sink, farewell) = state.withLock { ($0.sink, $0.farewell) }
    if let sink { farewell?(sink) }
    state.withLock { $0.isStopped = true }
  }

  func deliver(_ stream: Int, _ index: Int = 0, at time: MonotonicTime) {
    let frame = TestFrames.captured(streams[stream].layout, stream: stream, index: index, arrival: time.nanoseconds)
    state.withLock { $0.sink }?.deliver(frame)
  }

  func lose(_ stream: Int, at time: MonotonicTime) {
    let loss = CaptureLoss(streamIndex: stream, reason: .dropped, count: 1, arrival: time)
    state.withLock { $0.sink }?.report(loss)
  }

  func finish(_ error: RetakeError?) { state.withLock { $0.sink }?.finished(error) }

  static let gone = RetakeError(.disconnected, "The scripted camera was unplugged.")
}

/// Notes in order what a supervised device hands on.
final class SupervisionSink: CaptureSink {
  enum Entry: Hashable, Sendable {
    case frame(Int, index: UInt64?, isRestarted: Bool)
    case loss(Int, FrameEvent.Reason, Int)
    case finished(RetakeError?)
  }
  private let noted = Mutex<[Entry]>([])

  var entries: [Entry] { noted.withLock { $0 } }

  func deliver(_ frame: CapturedFrame) {
    let entry = Entry.frame(
      frame.streamIndex, index: frame.deviceSequence, isRestarted: frame.flags.contains(.restarted))
    noted.withLock { $0.append(entry) }
  }
  func report(_ loss: CaptureLoss) { noted.withLock { $0.append(.loss(loss.streamIndex, loss.reason, loss.count)) } }
  func finished(_ error: RetakeError?) { noted.withLock { $0.append(.finished(error)) } }

  /// How many frames of a stream are said to be missing, for a reason.
  func lossCount(_ stream: Int, _ reason: FrameEvent.Reason) -> Int {
    entries.reduce(0) { sum, entry in
      if case .loss(stream, reason, let count) = entry { return sum + count }
      return sum
    }
  }
}

/// A supervised scripted device, the host's clock in the test's hand, and what there is to open.
final class SupervisionBench: Sendable {
  let sink = SupervisionSink()
  let device: SupervisedDevice
  let first: ScriptedDevice
  private let time: TimeHand
  private let shelf: Shelf

  private final class TimeHand: Sendable {
    let nanoseconds = Atomic<Int64>(1_000_000_000_000)
  }

  /// What happens when the device is opened again, in order; the last goes on.
  private final class Shelf: Sendable {
    struct State {
      var outcomes: [Result<ScriptedDevice, RetakeError>] = []
      var openCount = 0
      var changes: [SupervisionChange] = []
    }
    let state = Mutex(State())
    /// While it is on, opening does not return.
    let hangs = Atomic<Bool>(false)
    let isInside = Atomic<Bool>(false)
  }

  /// - Parameter streams: color at 30 fps and depth at 30 fps where nil.
  init(_ streams: [StreamDescription]? = nil, _ change: (inout SupervisionOptions) -> Void = { _ in }) throws {
    let (time, shelf) = (TimeHand(), Shelf())
    var options = SupervisionOptions()
    options.now = { MonotonicTime(nanoseconds: time.nanoseconds.load(ordering: .sequentiallyConsistent)) }
    // A device that lets go does so at once, unless the machine stalls.
    options.patienceNanoseconds = 60_000_000_000
    change(&options)
    first = ScriptedDevice(try streams ?? Self.streams())
    shelf.state.withLock {
      $0.outcomes = [.failure(RetakeError(.notFound, "There is no scripted camera."))]
    }
    device = SupervisedDevice(
      first, name: "scripted:1", options: options,
      reopening: { () throws(RetakeError) in
        shelf.isInside.store(true, ordering: .sequentiallyConsistent)
        while shelf.hangs.load(ordering: .acquiring) { usleep(1000) }
        shelf.isInside.store(false, ordering: .sequentiallyConsistent)
        let outcome: Result<ScriptedDevice, RetakeError> = shelf.state.withLock { state in
          state.openCount += 1
          return state.outcomes.count > 1 ? state.outcomes.removeFirst() : state.outcomes[0]
        }
        return try outcome.get()
      },
      onChange: { change in shelf.state.withLock { $0.changes.append(change) } })
    (self.time, self.shelf) = (time, shelf)
  }

  static func streams(_ format: PixelFormat = .rgb24) throws -> [StreamDescription] {
    [
      try TestFrames.stream("color", .color, FrameLayout(format, width: 8, height: 4)),
      try TestFrames.stream("depth", .depth, FrameLayout(.depthMillimeters16, width: 8, height: 4)),
    ]
  }

  var now: MonotonicTime { MonotonicTime(nanoseconds: time.nanoseconds.load(ordering: .sequentiallyConsistent)) }
  var changes: [SupervisionChange] { shelf.state.withLock { $0.changes } }
  var openCount: Int { shelf.state.withLock { $0.openCount } }
  /// Somebody is inside the opener, which does not return.
  var isOpening: Bool { shelf.isInside.load(ordering: .sequentiallyConsistent) }

  func pass(milliseconds: Int64) {
    time.nanoseconds.add(milliseconds * 1_000_000, ordering: .sequentiallyConsistent)
  }
  func setOutcomes(_ outcomes: [Result<ScriptedDevice, RetakeError>]) {
    shelf.state.withLock { $0.outcomes = outcomes }
  }
  func setOpeningHangs(_ hangs: Bool) { shelf.hangs.store(hangs, ordering: .releasing) }

  func start() throws { try device.start(delivering: sink) }

  /// A frame of each stream, now.
  func deliver(_ device: ScriptedDevice? = nil, index: Int) {
    for stream in first.streams.indices { (device ?? first).deliver(stream, index, at: now) }
  }

  /// Ends the device as if it were unplugged, and waits until the supervisor has noticed.
  func unplug() throws {
    first.finish(ScriptedDevice.gone)
    try wait(for: "the loss") { !changes.isEmpty }
  }

  /// Waits for what other threads bring about; much longer than it takes.
  func wait(
    for what: String, location: SourceLocation = #_sourceLocation, _ condition: () -> Bool
  ) throws {
    for _ in 0..<30_000 {
      if condition() { return }
      usleep(1000)
    }
    Issue.record("\(what) never came; the sink has \(sink.entries), said was \(changes)", sourceLocation: location)
    throw ChildProcess.Missing(description: what)
  }

  /// Lets the supervisor look several times.
  func letItLook() { usleep(8 * SupervisionOptions.lookMicroseconds) }
}
