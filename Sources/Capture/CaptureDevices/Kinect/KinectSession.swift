import CFreenect
import FrameModel
import Support

/// A running Kinect: turns libfreenect's events into frames.
///
/// Unchecked, since its mutable state has no lock. Until `run`, only the thread that opened the
/// device uses it; from then on only the device's thread, which also runs libfreenect's callbacks.
final class KinectSession: @unchecked Sendable {
  private let connection: KinectConnection
  /// The session that fakenect replays; nil for a real Kinect.
  private let folder: FakenectFolder?
  private let controls: KinectControls
  /// Indexed by `KinectLog.Camera`.
  private var lanes: [KinectLane?]
  private var motion: KinectLane?
  private var motionFailures = 0
  /// When the accelerometer last answered.
  private var motionHeard = MonotonicTime.now()
  /// The gap since polling of the accelerometer stopped.
  private var motionGap: (stream: Int, gap: StreamGap)?
  /// Nil outside `run`: events handled while a camera starts or stops are ignored.
  private var sink: (any CaptureSink)?
  private var isStopping: @Sendable () -> Bool = { false }

  /// Polling period of the accelerometer. Each request is a USB round trip.
  static let motionPeriodNanoseconds: Int64 = 100_000_000
  /// LIBUSB_ERROR_INTERRUPTED: a signal arrived during the wait; nothing is lost.
  private static let interrupted: Int32 = -10

  init(
    _ connection: KinectConnection, folder: FakenectFolder?, controls: KinectControls, _ streams: KinectStreams
  ) {
    self.connection = connection
    self.folder = folder
    self.controls = controls
    lanes = [streams.color, streams.depth]
    motion = streams.motion
  }

  /// Starts the cameras. Frames are delivered only from `run` on.
  func start() throws(RetakeError) {
    let device = connection.device
    // Unretained: the session's owner holds it until the device is closed.
    freenect.freenect_set_user(device, Unmanaged.passUnretained(self).toOpaque())
    freenect.freenect_set_video_callback(device) { @Sendable device, _, tick in
      KinectSession.of(device)?.deliver(.color, tick: tick)
    }
    freenect.freenect_set_depth_callback(device) { @Sendable device, _, tick in
      KinectSession.of(device)?.deliver(.depth, tick: tick)
    }
    if let depth = lane(.depth) {
      let isSet = freenect.freenect_set_depth_buffer(device, depth.buffer.mutableBytes.baseAddress) >= 0
      guard isSet, freenect.freenect_start_depth(device) >= 0 else { throw failure("depth camera") }
    }
    if let color = lane(.color) {
      let isSet = freenect.freenect_set_video_buffer(device, color.buffer.mutableBytes.baseAddress) >= 0
      guard isSet, freenect.freenect_start_video(device) >= 0 else { throw failure("colour camera") }
    }
    if let control = controls.apply(to: device) {
      throw RetakeError(
        .unsupported, "The Kinect or this version of libfreenect does not support \(control.name)=\(control.value).",
        hint: "leave out the option")
    }
  }

  private func failure(_ what: String) -> RetakeError {
    RetakeError(
      .device, "The Kinect's \(what) could not be started\(connection.log.words).",
      hint: "connect it to a USB controller of its own, and check its power supply")
  }

  private static func of(_ device: OpaquePointer?) -> KinectSession? {
    guard let device, let user = freenect.freenect_get_user(device) else { return nil }
    return Unmanaged<KinectSession>.fromOpaque(user).takeUnretainedValue()
  }

  /// Delivers frames until `isStopping` or the end of the session. Blocks.
  func run(delivering sink: any CaptureSink, isStopping: @escaping @Sendable () -> Bool) {
    self.sink = sink
    self.isStopping = isStopping
    motionHeard = .now()
    let end: Result<Void, RetakeError>?
    if let folder { end = replay(folder) } else { end = processEvents() }
    reportMissingMotion()
    self.sink = nil
    switch end {
    case .success: sink.finished(nil)
    case .failure(let error): sink.finished(error)
    case nil: break  // stopped
    }
  }

  func close() { connection.close() }

  /// - Returns: how delivery ended; nil if it was stopped.
  private func processEvents() -> Result<Void, RetakeError>? {
    let processLimited = freenect.freenect_process_events_timeout
    var motionDue = MonotonicTime.now().nanoseconds
    while !isStopping() {
      var timeout = timeval(tv_sec: 0, tv_usec: 50_000)
      let status =
        processLimited?(connection.context, &timeout) ?? freenect.freenect_process_events(connection.context)
      reportLosses()
      if status >= 0 { connection.log.forgetErrors() }
      if status < 0 && status != Self.interrupted {
        return .failure(
          RetakeError(
            .disconnected, "The Kinect was disconnected\(connection.log.words).",
            hint: "check its cable and power supply, and reconnect it"))
      }
      let now = MonotonicTime.now().nanoseconds
      if motion != nil, now >= motionDue {
        motionDue = now + Self.motionPeriodNanoseconds
        askForMotion()
      }
    }
    return nil
  }

  /// Fakenect replays one index line per call. Further calls would print to standard output.
  private func replay(_ folder: FakenectFolder) -> Result<Void, RetakeError>? {
    for (number, kind) in folder.lines.enumerated() {
      if isStopping() { return nil }
      guard freenect.freenect_process_events(connection.context) >= 0 else {
        return .failure(
          RetakeError(
            .inputOutput, "fakenect could not replay line \(number + 1) of \(folder.path)/INDEX.txt.",
            hint: "do not change the session's files during replay"))
      }
      if kind == .motion { deliverMotion() }
    }
    return .success(())
  }

  private func lane(_ camera: KinectLog.Camera) -> KinectLane? { lanes[camera.rawValue] }

  private func deliver(_ camera: KinectLog.Camera, tick: UInt32) {
    let arrival = MonotonicTime.now()
    guard let sink, let lane = lane(camera) else { return }
    var flags: FrameFlags = []
    if connection.log.takeDamage(camera) { flags.insert(.damaged) }
    guard let next = nextBuffer(from: lane.pool) else {
      // The library keeps writing to its current buffer.
      reportNoBuffer(lane, at: arrival)
      return
    }
    if lane.unpacking == .none {
      let memory = next.mutableBytes.baseAddress
      switch camera {
      case .color: _ = freenect.freenect_set_video_buffer(connection.device, memory)
      case .depth: _ = freenect.freenect_set_depth_buffer(connection.device, memory)
      }
    }
    guard let filled = lanes[camera.rawValue]?.exchange(for: next) else { return }
    sink.deliver(
      CapturedFrame(
        streamIndex: lane.streamIndex, layout: lane.layout, buffer: filled, byteCount: lane.layout.byteCount,
        deviceSequence: nil, deviceTick: UInt64(tick), arrival: arrival, flags: flags))
  }

  /// A session on disk waits for a buffer; a camera cannot.
  /// - Returns: nil if a camera's frame is lost, or replay is being stopped.
  private func nextBuffer(from pool: FrameBufferPool) -> FrameBuffer? {
    folder == nil ? pool.take() : pool.take(waitingUnless: isStopping)
  }

  private func reportNoBuffer(_ lane: KinectLane, at arrival: MonotonicTime) {
    guard folder == nil else { return }
    sink?.report(CaptureLoss(streamIndex: lane.streamIndex, reason: .dropped, count: 1, arrival: arrival))
  }

  private func askForMotion() {
    if freenect.freenect_update_tilt_state(connection.device) >= 0 {
      motionFailures = 0
      deliverMotion()
      return
    }
    motionFailures += 1
    guard motionFailures == 5, let motion else { return }
    // Each failure can block delivery for 250 ms, so polling stops.
    motionGap = (
      motion.streamIndex,
      StreamGap(reason: .stalled, start: motionHeard, periodNanoseconds: Self.motionPeriodNanoseconds)
    )
    self.motion = nil
    reportMissingMotion()
  }

  /// Called when polling of the accelerometer stops, and for the rest at the end.
  private func reportMissingMotion() {
    guard let stream = motionGap?.stream, let loss = motionGap?.gap.loss(stream: stream, now: .now()) else { return }
    sink?.report(loss)
  }

  private func deliverMotion() {
    guard let sink, let motion, let state = freenect.freenect_get_tilt_state(connection.device) else { return }
    let arrival = MonotonicTime.now()
    motionHeard = arrival
    guard let buffer = nextBuffer(from: motion.pool) else {
      reportNoBuffer(motion, at: arrival)
      return
    }
    KinectLane.write(state.pointee, to: buffer)
    // No tick: the accelerometer has none, and fakenect's files repeat the previous frame's.
    sink.deliver(
      CapturedFrame(
        streamIndex: motion.streamIndex, layout: motion.layout, buffer: buffer,
        byteCount: motion.layout.byteCount, deviceSequence: nil, deviceTick: nil, arrival: arrival))
  }

  private func reportLosses() {
    for camera in KinectLog.Camera.allCases {
      let lost = connection.log.takeLosses(camera)
      // Losses before the first whole frame are normal synchronisation.
      guard let lane = lane(camera), lane.hasDelivered else { continue }
      for (reason, count) in [(FrameEvent.Reason.lostPackets, lost.packets), (.dropped, lost.frames)] where count > 0 {
        sink?.report(CaptureLoss(streamIndex: lane.streamIndex, reason: reason, count: count, arrival: .now()))
      }
    }
  }
}
