import CV4L2
import CaptureDevices
import FrameModel
import Glibc
import Support
import Synchronization

/// A driver written in Swift: what it lists, what it makes of what it is asked for, and what its buffers say.
final class ScriptedVideoNode: VideoNode {
  struct Listed {
    var code: FourCC
    var sizes: VideoSizes = .list([PictureSize(640, 480)])
    var rates: VideoRates = .list([.thirty])
    var isEmulated = false
  }

  enum Step {
    /// A filled buffer. The first byte of each is its sequence.
    case frame(VideoBufferState, fill: UInt8 = 0)
    /// A buffer filled with these bytes.
    case contents([UInt8], sequence: UInt32)
    /// The buffer is taken in vain; the queue is whole or broken.
    case failure(Int32, queueIsBroken: Bool = false)
  }

  var answer = VideoCapability(
    driver: "scripted", card: "Scripted Camera", bus: "test-1",
    flags: UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING))
  var currentInput: VideoInput?
  var listed: [Listed] = [Listed(code: FourCC("YUYV"))]
  /// What the driver makes of a format that it is asked for.
  var adjust: (VideoFormat) -> VideoFormat = { $0 }
  /// What the driver makes of a rate; nil for one that it does not know.
  var adjustRate: (FrameRate) -> FrameRate? = { $0 }
  var setRateFailure: Int32?
  var controlList: [VideoControl] = []
  var values: [UInt32: Int64] = [:]
  /// What the driver makes of a control's value.
  var adjustControl: (VideoControl, Int64) throws(KernelError) -> Int64 = { _, value in value }
  var bufferLimit = 32
  var failures: [String: Int32] = [:]
  var stampFlags = UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
  /// How many times in a row the driver refuses to take a buffer back, once it streams.
  var refusals = 0

  /// What it was told, in order.
  private(set) var calls: [String] = []
  private(set) var steps: [Step]
  private var isEndless = false
  private var currentFormat = VideoFormat(FourCC("YUYV"), PictureSize(160, 120), bytesPerRow: 320, byteCount: 38_400)
  private var currentRate: FrameRate?
  private var memory: [UnsafeMutableRawBufferPointer] = []
  private var queued: [Int] = []
  private var isStreaming = false
  private(set) var isClosed = false

  init(_ steps: [Step] = []) { self.steps = steps }

  /// Frame after frame, for ever.
  static func endless() -> ScriptedVideoNode {
    let node = ScriptedVideoNode()
    node.isEndless = true
    return node
  }

  deinit { for buffer in memory { buffer.deallocate() } }

  private func note(_ call: String) throws(KernelError) {
    calls.append(call)
    let name = String(call.prefix { $0 != " " })
    if let number = failures[name] { throw KernelError(number) }
  }

  private func entry(_ code: FourCC) -> Listed? { listed.first { $0.code == code } }

  func capability() throws(KernelError) -> VideoCapability { answer }
  func input() -> VideoInput? { currentInput }
  func select(input: Int) throws(KernelError) {
    try note("input \(input)")
    currentInput?.index = input
  }
  func formats() -> [VideoFormatEntry] {
    listed.map { VideoFormatEntry($0.code, name: "\($0.code)", isEmulated: $0.isEmulated) }
  }
  func sizes(of format: FourCC) -> VideoSizes { entry(format)?.sizes ?? .list([]) }
  func rates(of format: FourCC, _ size: PictureSize) -> VideoRates { entry(format)?.rates ?? .list([]) }
  func format() throws(KernelError) -> VideoFormat { currentFormat }

  func setFormat(_ format: FourCC, _ size: PictureSize) throws(KernelError) -> VideoFormat {
    try note("format \(format) \(size)")
    let pixels = CameraFormat.of(format)?.pixels ?? .yuyv
    let stride = pixels.packedBytesPerRow(width: size.width)
    let count = pixels == .jpeg ? size.width * size.height : stride * pixels.rowCount(height: size.height)
    currentFormat = adjust(VideoFormat(format, size, bytesPerRow: stride, byteCount: count))
    return currentFormat
  }

  func rate() -> FrameRate? { currentRate }
  func setRate(_ rate: FrameRate) throws(KernelError) -> FrameRate? {
    if let setRateFailure { throw KernelError(setRateFailure) }
    currentRate = adjustRate(rate)
    return currentRate
  }

  func controls() -> [VideoControl] { controlList }
  func value(of control: VideoControl) throws(KernelError) -> Int64 { values[control.id] ?? control.defaultValue }
  func set(_ control: VideoControl, to value: Int64) throws(KernelError) {
    try note("\(control.name) \(value)")
    values[control.id] = try adjustControl(control, value)
  }

  func requestBuffers(_ count: Int) throws(KernelError) -> Int {
    try note("request \(count)")
    return min(count, bufferLimit)
  }
  func bufferState(_ index: Int) throws(KernelError) -> VideoBufferState {
    VideoBufferState(index: index, byteCount: 0, flags: stampFlags, sequence: 0, nanoseconds: 0)
  }
  func map(_ index: Int) throws(KernelError) -> UnsafeRawBufferPointer {
    // Drivers round up to pages.
    let count = (currentFormat.byteCount + 4095) / 4096 * 4096
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 4096)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    memory.append(buffer)
    return UnsafeRawBufferPointer(buffer)
  }
  func queue(_ index: Int) throws(KernelError) {
    if let number = failures["queue"] { throw KernelError(number) }
    if isStreaming, refusals > 0 {
      refusals -= 1
      throw KernelError(EINVAL)
    }
    queued.append(index)
  }
  func startStreaming() throws(KernelError) {
    try note("start")
    isStreaming = true
  }
  func stopStreaming() { calls.append("stop") }
  func close() {
    guard !isClosed else { return }
    isClosed = true
    calls.append("close")
  }

  func wait(milliseconds: Int) -> VideoReadiness {
    if isEndless, !queued.isEmpty { return .filled }
    switch steps.first {
    case .frame, .contents: return queued.isEmpty ? .nothing : .filled
    case .failure(_, let queueIsBroken): return queueIsBroken ? .broken : .filled
    case nil:
      usleep(500)
      return .nothing
    }
  }

  func dequeue() throws(KernelError) -> VideoBufferState {
    if isEndless, steps.isEmpty { steps = [.frame(.scripted(byteCount: currentFormat.byteCount))] }
    guard let step = steps.first else { throw KernelError(EAGAIN) }
    steps.removeFirst()
    switch step {
    case .failure(let number, _): throw KernelError(number)
    case .contents(let bytes, let sequence):
      guard !queued.isEmpty else { throw KernelError(EAGAIN) }
      let index = queued.removeFirst()
      memory[index].copyBytes(from: bytes.prefix(memory[index].count))
      return .scripted(sequence, byteCount: bytes.count, index: index)
    case .frame(var state, let fill):
      if state.index < 0 {
        // The driver's turn to choose.
        guard !queued.isEmpty else { throw KernelError(EAGAIN) }
        state.index = queued.removeFirst()
      }
      if memory.indices.contains(state.index) {
        memory[state.index].initializeMemory(as: UInt8.self, repeating: fill)
        memory[state.index][0] = UInt8(truncatingIfNeeded: state.sequence)
      }
      return state
    }
  }
}

extension VideoBufferState {
  /// - Parameter index: negative for whichever buffer is next.
  static func scripted(
    _ sequence: UInt32 = 0, nanoseconds: UInt64 = 1_000_000_000, byteCount: Int = 640 * 480 * 2, flags: Int32 = 0,
    type: Int32 = Int32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC), index: Int = -1
  ) -> VideoBufferState {
    VideoBufferState(
      index: index, byteCount: byteCount, flags: UInt32(flags | type), sequence: sequence, nanoseconds: nanoseconds)
  }
}

extension FrameRate {
  static let thirty = FrameRate("30")!
}

/// Opens a device on a scripted node.
func scriptedDevice(_ options: String = "", _ node: ScriptedVideoNode) throws -> V4L2Device {
  let text = "v4l2:/dev/video9" + (options.isEmpty ? "" : "?\(options)")
  return try V4L2Device(DeviceSpecification(text)) { _ in node }
}

/// What a script delivers. Scripts end with an error, which ends the device.
struct ScriptedDeliveries: Sendable {
  var frames: [CapturedFrame] = []
  var losses: [CaptureLoss] = []
  var error: RetakeError?
}

func scriptedRun(_ node: ScriptedVideoNode, options: String = "", keepingFrames: Bool = true) async throws
  -> ScriptedDeliveries
{
  let device = try scriptedDevice(options, node)
  let sink = ScriptedSink(keepingFrames: keepingFrames)
  try device.start(delivering: sink)
  await sink.end.wait()
  device.stop()
  return sink.deliveries
}

/// Keeps every frame, which a test with more than the device's buffers can do to run it out of them.
final class ScriptedSink: CaptureSink {
  private struct State {
    var deliveries = ScriptedDeliveries()
    var count = 0
  }
  let end = DeviceEnd()
  private let keeps: Bool
  private let state = Mutex(State())

  init(keepingFrames keeps: Bool = true) { self.keeps = keeps }

  var deliveries: ScriptedDeliveries { state.withLock { $0.deliveries } }
  var count: Int { state.withLock { $0.count } }

  func deliver(_ frame: CapturedFrame) {
    state.withLock {
      $0.count += 1
      if keeps { $0.deliveries.frames.append(frame) }
    }
  }
  func report(_ loss: CaptureLoss) { state.withLock { $0.deliveries.losses.append(loss) } }
  func finished(_ error: RetakeError?) {
    state.withLock { $0.deliveries.error = error }
    end.reach()
  }
}
