import FrameModel
import Glibc
import SceneRendering

/// Renders one instant after the other, and delivers its frames in order of arrival. In real time
/// it sleeps until each arrival. In fast mode a virtual clock starts at one second, and only the
/// sink blocks.
final class SimulatedDelivery {
  private let options: SimulationOptions
  private let scene: Scene
  private let cable: SimulatedCable
  private let layouts: [FrameLayout]
  private let pools: [FrameBufferPool]
  private let sink: any CaptureSink
  private let timetable: FrameTimetable
  private let renderer: SceneRenderer
  /// Frames in transit, by arrival, then stream.
  private var underway: [Arrival] = []
  /// Per stream, so that frames do not overtake each other.
  private var lastArrival: [Int64]
  private var epoch: Int64 = 1_000_000_000
  /// Sequence numbers and ticks count from here.
  private var firstInstant = 0

  private struct Arrival {
    var nanoseconds: Int64
    var frame: CapturedFrame
  }

  /// Buffers per stream in use at once, unless a longer backlog is requested.
  static let poolLimit = 32
  private static let depthStream = 1

  init(
    _ options: SimulationOptions, _ scene: Scene, _ streams: [StreamDescription], _ cable: SimulatedCable,
    to sink: any CaptureSink
  ) {
    self.options = options
    self.scene = scene
    self.cable = cable
    layouts = streams.map(\.layout)
    let limit = max(Self.poolLimit, options.backlog)
    pools = layouts.map { FrameBufferPool(bufferByteCount: $0.byteCount, limit: limit) }
    self.sink = sink
    timetable = FrameTimetable(options)
    renderer = SceneRenderer(scene)
    lastArrival = [Int64](repeating: 0, count: streams.count)
    underway.reserveCapacity(64)
  }

  /// Delivers frames until the last one or `isStopping`.
  func run(_ isStopping: () -> Bool) {
    if options.isRealTime {
      let start = cable.start(now: .now())
      (epoch, firstInstant) = (start.epoch.nanoseconds, start.firstInstant)
    }
    var instant = firstInstant
    while !isStopping() {
      if options.frames > 0, instant >= options.frames {
        if deliver(before: .max, isStopping) { sink.finished(nil) }
        return
      }
      if let unplugged = options.unplugged, unplugged.contains(instant) {
        return sink.finished(SimulatedCable.unpluggedError)
      }
      if let silent = options.silent, silent.contains(instant) {
        // Deliver nothing.
      } else if isTooLate(instant) {
        for stream in layouts.indices where sequence(of: stream, instant) != nil { reportLoss(stream) }
      } else {
        generate(instant)
      }
      instant += 1
      guard deliver(before: timetable.earliestArrival(instant), isStopping) else { return }
    }
  }

  /// A machine too slow for the frame rate drops instants, like a camera without a free buffer.
  private func isTooLate(_ instant: Int) -> Bool {
    guard options.isRealTime else { return false }
    let behind = MonotonicTime.now().nanoseconds - epoch - timetable.earliestArrival(instant)
    return behind > Int64(options.backlog) * options.scene.rate.periodNanoseconds
  }

  private func reportLoss(_ stream: Int) {
    sink.report(CaptureLoss(streamIndex: stream, reason: .dropped, count: 1, arrival: .now()))
  }

  /// Sequence number of a stream's frame at an instant; nil if the stream has none then.
  private func sequence(of stream: Int, _ instant: Int) -> Int? {
    let instant = instant - firstInstant
    guard stream == Self.depthStream else { return instant }
    let (sequence, rest) = instant.quotientAndRemainder(dividingBy: options.framesPerDepth)
    return rest == 0 ? sequence : nil
  }

  private func generate(_ instant: Int) {
    var shots: [(stream: Int, sequence: Int, fault: FaultSchedule.Faults, buffer: FrameBuffer)] = []
    for stream in layouts.indices {
      guard let sequence = sequence(of: stream, instant) else { continue }
      let fault = options.faults.faults(stream: stream, sequence: sequence)
      guard !fault.isDropped, let buffer = takeBuffer(stream) else { continue }
      shots.append((stream, sequence, fault, buffer))
    }
    func bytes(of stream: Int) -> UnsafeMutableRawBufferPointer? {
      shots.first { $0.stream == stream }?.buffer.mutableBytes
    }
    renderer.render(instant, color: bytes(of: 0), depth: bytes(of: Self.depthStream), alpha: bytes(of: 2))
    for (stream, sequence, fault, buffer) in shots {
      let arrival = max(
        timetable.arrival(instant, stream: stream, periodsLate: fault.periodsLate), lastArrival[stream])
      lastArrival[stream] = arrival
      var frame = CapturedFrame(
        streamIndex: stream, layout: layouts[stream], buffer: buffer,
        byteCount: Int(fault.share * Double(layouts[stream].byteCount)), deviceSequence: UInt64(sequence),
        deviceTick: timetable.tick(instant - firstInstant), arrival: MonotonicTime(nanoseconds: epoch + arrival),
        faces: stream == 0 ? faces(at: instant) : [])
      if fault.share < 1 { frame.flags.insert(.damaged) }
      if fault.periodsLate > 0 { frame.flags.insert(.late) }
      enqueue(Arrival(nanoseconds: arrival, frame: frame))
      if fault.isDuplicated {
        lastArrival[stream] = arrival + timetable.duplicateDelay
        frame.flags.insert(.duplicate)
        frame.arrival = MonotonicTime(nanoseconds: epoch + lastArrival[stream])
        enqueue(Arrival(nanoseconds: lastArrival[stream], frame: frame))
      }
    }
  }

  private func faces(at instant: Int) -> [FaceObservation] {
    guard options.faces, options.faceLost?.contains(instant) != true else { return [] }
    return scene.face(at: instant).map { [$0] } ?? []
  }

  private func takeBuffer(_ stream: Int) -> FrameBuffer? {
    if let buffer = pools[stream].take() { return buffer }
    if options.isRealTime {
      reportLoss(stream)
      return nil
    }
    // Not live, so nothing may be lost. The sink limits how many frames it holds.
    return FrameBuffer(byteCount: layouts[stream].byteCount)
  }

  private func enqueue(_ arrival: Arrival) {
    let place = underway.firstIndex {
      ($0.nanoseconds, $0.frame.streamIndex) > (arrival.nanoseconds, arrival.frame.streamIndex)
    }
    underway.insert(arrival, at: place ?? underway.endIndex)
  }

  /// Delivers the frames that arrive before a time.
  /// - Returns: false if it was stopped.
  private func deliver(before end: Int64, _ isStopping: () -> Bool) -> Bool {
    while let next = underway.first, next.nanoseconds < end {
      guard sleep(until: epoch + next.nanoseconds, isStopping) else { return false }
      var frame = underway.removeFirst().frame
      if options.isRealTime { frame.arrival = .now() }
      sink.deliver(frame)
    }
    // With nothing in transit, wait for the next instant, or its frames would be taken too early.
    if underway.isEmpty, end != .max {
      return sleep(until: epoch + end - options.scene.rate.periodNanoseconds / 2, isStopping)
    }
    return !isStopping()
  }

  /// Sleeps in slices, so that a stop is noticed soon.
  private func sleep(until deadline: Int64, _ isStopping: () -> Bool) -> Bool {
    guard options.isRealTime else { return !isStopping() }
    let slice: Int64 = 20_000_000
    while !isStopping() {
      let now = MonotonicTime.now().nanoseconds
      guard now < deadline else { return true }
      let wake = min(deadline, now + slice)
      var time = timespec(tv_sec: Int(wake / 1_000_000_000), tv_nsec: Int(wake % 1_000_000_000))
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
    }
    return false
  }
}
