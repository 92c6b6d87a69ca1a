import CV4L2
import FrameModel
import Glibc
import Media
import Support

/// A configured camera: its buffers, and the loop that empties them.
///
/// Unchecked, since its mutable state has no lock. Until `run`, only the thread that opened the
/// device uses it; from then on only the device's own thread.
final class V4L2Session: @unchecked Sendable {
  private let node: any VideoNode
  private let path: String
  private let layout: FrameLayout
  private let copy: CameraFrameCopy
  /// Nil for cameras whose frames have the driver's times and numbers.
  private let metadata: FrameMetadata?
  private let pool: FrameBufferPool
  private var memory: [UnsafeRawBufferPointer]
  /// Buffers that the driver did not take back, to be queued again.
  private var refused: [Int] = []
  private var failureCount = 0
  private var jpegWatch = JPEGWatch()
  /// Consecutive buffers without data.
  private var emptyCount = 0
  /// State of the first buffer, whose flags say how frames will be timestamped.
  let stamping: VideoBufferState?

  /// Eight buffers last a quarter of a second at 30 fps.
  private static let bufferCount = 8
  /// Frames that the recorder may hold: two seconds at 30 fps, fewer if they are large.
  private static let poolLimits = 8...64
  private static let poolByteCount = 256 << 20
  /// Longest delay of a stop.
  private static let waitMilliseconds = 50
  /// Consecutive failures (each followed by a pause) or empty buffers that end the stream.
  private static let mostFailures = 50
  private static let pauseMicroseconds: UInt32 = 10_000

  /// Requests the driver's buffers, which makes the device busy for other programs.
  init(_ node: any VideoNode, path: String, _ mode: V4L2Mode, metadata: FrameMetadata? = nil) throws(RetakeError) {
    self.node = node
    self.metadata = metadata
    self.path = path
    layout = mode.layout
    copy = CameraFrameCopy(
      to: mode.layout, sourceBytesPerRow: mode.sourceBytesPerRow, from: mode.format.order)
    var memory: [UnsafeRawBufferPointer] = []
    var stamping: VideoBufferState?
    try V4L2Failure.attempt(path, orSay: "could not allocate buffers") { () throws(KernelError) in
      for index in 0..<(try node.requestBuffers(Self.bufferCount)) {
        if index == 0 { stamping = try node.bufferState(index) }
        memory.append(try node.map(index))
      }
    }
    guard memory.count >= 2 else {
      throw RetakeError(
        .device, "\(path) allocated \(memory.count) buffers, but two are needed.", hint: "ask for a smaller size")
    }
    self.memory = memory
    self.stamping = stamping
    // JPEGs fit the driver's buffers, which are much shorter than the longest accepted JPEG.
    let largest = memory.map(\.count).max() ?? 0
    let byteCount = mode.layout.format == .jpeg ? max(1, min(layout.byteCount, largest)) : layout.byteCount
    let limit = min(max(Self.poolByteCount / byteCount, Self.poolLimits.lowerBound), Self.poolLimits.upperBound)
    pool = FrameBufferPool(bufferByteCount: byteCount, limit: limit)
  }

  /// Starts the camera. Frames are delivered only from `run` on.
  func start() throws(RetakeError) {
    for index in memory.indices { queue(index) }
    guard refused.count < memory.count else {
      throw RetakeError(
        .device, "\(path) accepted no buffers to fill.", hint: "check 'dmesg' for details and reconnect it")
    }
    if let metadata {
      try V4L2Failure.attempt(path, orSay: "could not start its metadata", metadata.start)
    }
    try V4L2Failure.attempt(path, orSay: "could not start streaming", node.startStreaming)
  }

  /// Delivers frames until `isStopping` or a failure. Blocks.
  func run(delivering sink: any CaptureSink, isStopping: @escaping @Sendable () -> Bool) {
    while !isStopping() {
      offerAgain()
      let readiness = node.wait(milliseconds: Self.waitMilliseconds)
      if readiness == .nothing { continue }
      do throws(KernelError) {
        deliver(try node.dequeue(), to: sink)
        failureCount = 0
        guard emptyCount < Self.mostFailures else {
          sink.finished(
            RetakeError(
              .disconnected, "\(path) delivered \(emptyCount) empty frames in a row.",
              hint: "check its cable and reconnect it"))
          return
        }
      } catch {
        // EAGAIN is a spurious wake-up, unless the queue is broken.
        if error.number == EAGAIN && readiness != .broken { continue }
        if let failure = failure(error) {
          sink.finished(failure)
          return
        }
        usleep(Self.pauseMicroseconds)
      }
    }
  }

  /// - Returns: nil while the stream may recover.
  private func failure(_ error: KernelError) -> RetakeError? {
    switch error.number {
    case ENODEV, ENXIO: return V4L2Failure.failure(path, "was disconnected", error)
    case EIO, EPIPE, EPROTO, ENOLINK:
      return RetakeError(
        .disconnected, "The stream of \(path) failed: \(V4L2Failure.words(error)).",
        hint: "check its cable or its input signal")
    default:
      failureCount += 1
      guard failureCount >= Self.mostFailures else { return nil }
      return RetakeError(
        .disconnected, "\(path) delivers no more frames: \(V4L2Failure.words(error)).",
        hint: "check its cable and reconnect it")
    }
  }

  private func deliver(_ state: VideoBufferState, to sink: any CaptureSink) {
    let arrival = MonotonicTime.now()
    guard memory.indices.contains(state.index) else { return }
    defer { queue(state.index) }
    let filled = min(state.byteCount, memory[state.index].count)
    emptyCount = filled > 0 ? 0 : emptyCount + 1
    let facts = metadata?.facts(of: state.sequence)
    guard filled > 0, let buffer = pool.take() else {
      sink.report(CaptureLoss(streamIndex: 0, reason: .dropped, count: 1, arrival: arrival))
      return
    }
    let (byteCount, isWhole) = copy.copy(
      UnsafeRawBufferPointer(rebasing: memory[state.index][..<filled]), to: buffer.mutableBytes)
    // Drivers pass on truncated JPEGs when the bus loses parts of them.
    let isDamagedJPEG =
      layout.format == .jpeg && jpegWatch.isDamaged(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<byteCount]))
    sink.deliver(
      CapturedFrame(
        streamIndex: 0, layout: layout, buffer: buffer, byteCount: byteCount,
        deviceSequence: metadata == nil ? UInt64(state.sequence) : facts?.frameCounter.map { UInt64($0) },
        deviceTick: metadata == nil ? state.tick : facts?.deviceMicroseconds.map { UInt64($0) }, arrival: arrival,
        flags: state.isDamaged || !isWhole || isDamagedJPEG ? .damaged : []))
  }

  private func queue(_ index: Int) {
    do throws(KernelError) { try node.queue(index) } catch { refused.append(index) }
  }

  private func offerAgain() {
    guard !refused.isEmpty else { return }
    let indices = refused
    refused.removeAll(keepingCapacity: true)
    for index in indices { queue(index) }
  }

  func close() {
    metadata?.close()
    node.stopStreaming()
    memory = []
    node.close()
  }
}
