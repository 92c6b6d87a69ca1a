import FrameModel
import Glibc
import Support
import Synchronization

/// Watches one device on its own thread, and reopens it when it disconnects or stalls.
final class DeviceSupervisor: Sendable {
  private let options: SupervisionOptions
  private let open: SupervisedDevice.Opener
  private let onChange: @Sendable (SupervisionChange) -> Void
  private let streams: [StreamDescription]
  /// Passes the supervisor's own reports to the sink and to `onChange`, until `stop`.
  private let gate = SinkGate()
  private let state: Mutex<State>
  private let isStopping = Atomic<Bool>(false)
  private let hasEnded = Atomic<Bool>(false)

  private struct State {
    var phase: Phase
    var sink: (any CaptureSink)?
    var thread: DeliveryThread?
    /// When frames stopped; nil while they arrive.
    var awaySince: MonotonicTime?
    /// Without its duration, since a repeat is not said again.
    var lastSaid: SupervisionChange?
  }

  private enum Phase {
    case ready(any CaptureDevice)
    /// Started, or being started.
    case open(any CaptureDevice, SupervisedSession, changedSettings: [String])
    case away(Absence)
    case ended
  }

  private struct Absence {
    var gaps: [StreamGap]
    var nextTry: MonotonicTime
    /// Stops the previous device, which cannot be reopened until its driver has returned.
    var release: DeviceRelease
    var releaseDeadline: MonotonicTime
    var saidHangs = false
    /// How often the device came back with only some of its streams.
    var partCount = 0
  }
  /// Attempts, a second apart, before missing streams are reported.
  private static let mostParts = 5

  init(
    _ device: any CaptureDevice, options: SupervisionOptions, open: @escaping SupervisedDevice.Opener,
    onChange: @escaping @Sendable (SupervisionChange) -> Void
  ) {
    self.options = options
    self.open = open
    self.onChange = onChange
    streams = device.streams
    state = Mutex(State(phase: .ready(device)))
  }

  var awaySince: MonotonicTime? { state.withLock { $0.awaySince } }

  func start(delivering sink: any CaptureSink) throws(RetakeError) {
    let session = SupervisedSession(streams, gaps: nil, startTime: options.now(), sink: sink)
    let found: (any CaptureDevice)? = state.withLock { state in
      guard case .ready(let device) = state.phase else { return nil }
      state.phase = .open(device, session, changedSettings: [])
      state.sink = sink
      return device
    }
    guard let device = found else { throw RetakeError(.usage, "A device can be started only once.") }
    try device.start(delivering: session)
    let thread = try DeliveryThread { [self] _ in
      while !isStopping.load(ordering: .acquiring), look() { usleep(SupervisionOptions.lookMicroseconds) }
      hasEnded.store(true, ordering: .releasing)
    }
    state.withLock { $0.thread = thread }
  }

  // MARK: On the supervisor's thread

  private func look() -> Bool {
    switch state.withLock({ $0.phase }) {
    case .open(let device, let session, let changed): watch(device, session, changed)
    case .away(let absence): wait(absence)
    case .ready, .ended: return false
    }
    return true
  }

  private func watch(_ device: any CaptureDevice, _ session: SupervisedSession, _ changedSettings: [String]) {
    let now = options.now()
    switch session.ended {
    case .complete: end(device, session, nil)
    case .failed(let error) where error.code == .disconnected: lose(device, session, .lost(error))
    case .failed(let error): end(device, session, error)
    case nil:
      if let silence = session.silence(options, now: now) {
        lose(device, session, silence)
      } else if session.isDelivering {
        let since = state.withLock { state in state.awaySince.take() }
        guard let since else { return }
        say(.returned(afterNanoseconds: now.nanoseconds - since.nanoseconds, changedSettings: changedSettings))
      }
    }
  }

  /// Handles a device that ended delivery by itself.
  private func end(_ device: any CaptureDevice, _ session: SupervisedSession, _ error: RetakeError?) {
    session.close()
    let sink = takeEnd()
    // After an absence, the device may end before its first frame.
    if let sink { reportUnended(session, to: sink) }
    waitFor(DeviceRelease(device))
    if let sink { gate.pass { sink.finished(error) } }
  }

  private func waitFor(_ release: DeviceRelease) {
    if !release.wait(nanoseconds: options.patienceNanoseconds) { say(.hangs) }
  }

  /// - Returns: the sink, for the first caller only, so that it is finished once.
  private func takeEnd() -> (any CaptureSink)? {
    state.withLock { state in
      if case .ended = state.phase { return nil }
      state.phase = .ended
      return state.sink
    }
  }

  private func lose(_ device: any CaptureDevice, _ session: SupervisedSession, _ change: SupervisionChange) {
    session.close()
    let now = options.now()
    let error: RetakeError? = if case .lost(let error) = change { error } else { nil }
    var gaps = session.gaps(error == nil ? .stalled : .disconnected)
    // Without reopening, streams that still delivered frames have lost none.
    report(&gaps, now: now, least: options.policy == .stop && error == nil ? 0 : 1)
    let isFirst = state.withLock { state in
      defer { state.awaySince = state.awaySince ?? now }
      return state.awaySince == nil
    }
    switch options.policy {
    case .wait:
      say(change)
      let pause = isFirst ? options.retryNanoseconds : 2 * options.retryNanoseconds
      goAway(gaps, releasing: device, from: now, pause: pause)
    case .stop:
      waitFor(DeviceRelease(device))
      let silence = RetakeError(
        .disconnected, change.sentence(device.summary, .stop),
        hint: "check its cable; --timeout sets how long a camera may deliver nothing")
      if let sink = takeEnd() { gate.pass { sink.finished(error ?? silence) } }
    }
  }

  private func report(_ gaps: inout [StreamGap], now: MonotonicTime, least: Int = 1) {
    guard let sink = state.withLock({ $0.sink }) else { return }
    for stream in gaps.indices {
      if let loss = gaps[stream].loss(stream: stream, now: now, least: least) { gate.pass { sink.report(loss) } }
    }
  }

  private func goAway(
    _ gaps: [StreamGap], releasing device: any CaptureDevice, from now: MonotonicTime, pause: Int64
  ) {
    let absence = Absence(
      gaps: gaps, nextTry: MonotonicTime(nanoseconds: now.nanoseconds + pause), release: DeviceRelease(device),
      releaseDeadline: MonotonicTime(nanoseconds: now.nanoseconds + options.patienceNanoseconds))
    state.withLock { state in
      if case .ended = state.phase { return }
      state.phase = .away(absence)
    }
  }

  private func wait(_ absence: Absence) {
    let now = options.now()
    guard absence.release.isDone else {
      if now > absence.releaseDeadline, !absence.saidHangs {
        say(.hangs)
        change(absence) { $0.saidHangs = true }
      }
      return
    }
    guard now >= absence.nextTry else { return }
    do throws(RetakeError) {
      try takeBack(absence, now: now)
    } catch {
      // A device that is still absent is not reported.
      if error.code != .notFound && error.code != .disconnected { say(.refused(error)) }
      change(absence) { $0.nextTry.nanoseconds = now.nanoseconds + 2 * options.retryNanoseconds }
    }
  }

  private func change(_ absence: Absence, _ body: (inout Absence) -> Void) {
    state.withLock { state in
      guard case .away(var absence) = state.phase else { return }
      body(&absence)
      state.phase = .away(absence)
    }
  }

  /// Opens and starts the device. A blocking driver blocks only this thread.
  private func takeBack(_ absence: Absence, now: MonotonicTime) throws(RetakeError) {
    let device = try open()
    if let difference = StreamComparison.difference(streams, device.streams) {
      device.stop()
      // A Kinect's motor is found later than its cameras.
      if StreamComparison.isPart(device.streams, of: streams), absence.partCount < Self.mostParts {
        change(absence) { $0.partCount += 1 }
        throw RetakeError(.notFound, "Not all of its streams are back.")
      }
      throw RetakeError(
        .device, "A different device came back: \(difference).",
        hint: "reconnect the device that was recorded with its old settings, or stop and start a new recording")
    }
    guard let sink = state.withLock({ $0.sink }) else { return device.stop() }
    let session = SupervisedSession(streams, gaps: absence.gaps, startTime: options.now(), sink: sink)
    let changed = StreamComparison.changedSettings(streams, device.streams)
    // Set before `start`, so that `stop` finds the device even if `start` blocks.
    let isWanted = state.withLock { state in
      guard case .away = state.phase else { return false }
      state.phase = .open(device, session, changedSettings: changed)
      return true
    }
    guard isWanted else { return device.stop() }
    do throws(RetakeError) {
      try device.start(delivering: session)
    } catch {
      session.close()
      goAway(
        session.gaps(absence.gaps[0].reason), releasing: device, from: now, pause: 2 * options.retryNanoseconds)
      throw error
    }
  }

  private func say(_ change: SupervisionChange) {
    let isNews = state.withLock { state in
      defer { state.lastSaid = change.withoutDuration }
      return state.lastSaid != change.withoutDuration
    }
    if isNews { gate.pass { onChange(change) } }
  }

  // MARK: Stopping

  func stop() {
    isStopping.store(true, ordering: .releasing)
    let thread = state.withLock { $0.thread.take() }
    if let thread {
      // A thread stuck in a driver is abandoned; the closed gate blocks its later calls.
      let isDone = SupervisionOptions.wait(nanoseconds: options.patienceNanoseconds) {
        hasEnded.load(ordering: .acquiring)
      }
      if isDone { thread.stop() }
    }
    let (phase, sink) = state.withLock { state in
      defer { state.phase = .ended }
      return (state.phase, state.sink)
    }
    var release: DeviceRelease?
    switch phase {
    case .ready(let device), .open(let device, _, _): release = DeviceRelease(device)
    case .away(var absence):
      report(&absence.gaps, now: options.now())
      release = absence.release
    case .ended: break
    }
    if let release { waitFor(release) }
    if case .open(_, let session, _) = phase {
      // Closed only now, since a device reports its last losses while it stops.
      session.close()
      if let sink { reportUnended(session, to: sink) }
    }
    gate.close()
  }

  private func reportUnended(_ session: SupervisedSession, to sink: any CaptureSink) {
    let now = options.now()
    var gaps = session.unendedGaps
    // The device disconnected after the thread last looked.
    if case .failed(let error) = session.ended, error.code == .disconnected { gaps = session.gaps(.disconnected) }
    for (stream, gap) in gaps.enumerated() {
      guard var gap, let loss = gap.loss(stream: stream, now: now) else { continue }
      gate.pass { sink.report(loss) }
    }
  }
}

extension SupervisionChange {
  /// Equal for changes that differ only in how long they took.
  fileprivate var withoutDuration: SupervisionChange {
    switch self {
    case .stalled(let streams, _), .neverCame(let streams, _): .stalled(streams: streams, nanoseconds: 0)
    case .returned: .returned(afterNanoseconds: 0, changedSettings: [])
    case .lost, .refused, .hangs: self
    }
  }
}
