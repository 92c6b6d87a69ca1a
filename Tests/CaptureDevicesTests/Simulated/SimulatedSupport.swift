import CaptureDevices
import FrameModel
import Glibc
import Support
import Synchronization

/// What a simulated camera delivered.
struct SimulatedDeliveries: Sendable {
  struct Delivery: Sendable {
    var stream: Int
    var sequence: UInt64
    var tick: UInt64
    var arrival: MonotonicTime
    var flags: FrameFlags
    var byteCount: Int
    var faces: [FaceObservation]
    var hash: UInt64
  }

  var frames: [Delivery] = []
  var losses: [CaptureLoss] = []
  var error: RetakeError?

  func stream(_ index: Int) -> [Delivery] { frames.filter { $0.stream == index } }
}

/// Notes what it is given; may keep the frames, so that the camera runs out of buffers, or hold the camera up at first.
final class SimulatedSink: CaptureSink {
  private struct State {
    var deliveries = SimulatedDeliveries()
    var kept: [CapturedFrame] = []
    var isFinished = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let keeps: Bool
  private let holdupMicroseconds: UInt32
  private let state = Mutex(State())

  init(keepingFrames keeps: Bool = false, holdupMicroseconds: UInt32 = 0) {
    self.keeps = keeps
    self.holdupMicroseconds = holdupMicroseconds
  }

  var deliveries: SimulatedDeliveries { state.withLock { $0.deliveries } }
  var isFinished: Bool { state.withLock { $0.isFinished } }

  func deliver(_ frame: CapturedFrame) {
    let bytes = UnsafeRawBufferPointer(rebasing: frame.buffer.bytes[..<frame.byteCount])
    let delivery = SimulatedDeliveries.Delivery(
      stream: frame.streamIndex, sequence: frame.deviceSequence ?? .max, tick: frame.deviceTick ?? .max,
      arrival: frame.arrival, flags: frame.flags, byteCount: frame.byteCount, faces: frame.faces,
      hash: simulatedHash(bytes))
    let isFirst = state.withLock {
      $0.deliveries.frames.append(delivery)
      if keeps { $0.kept.append(frame) }
      return $0.deliveries.frames.count == 1
    }
    if isFirst { usleep(holdupMicroseconds) }
  }

  func report(_ loss: CaptureLoss) { state.withLock { $0.deliveries.losses.append(loss) } }

  func finished(_ error: RetakeError?) {
    let waiter = state.withLock { state in
      state.isFinished = true
      state.deliveries.error = error
      return state.waiter.take()
    }
    waiter?.resume()
  }

  func waitUntilFinished() async {
    await withCheckedContinuation { continuation in
      let isFinished = state.withLock { state in
        if !state.isFinished { state.waiter = continuation }
        return state.isFinished
      }
      if isFinished { continuation.resume() }
    }
  }
}

/// Order-dependent hash of bytes.
func simulatedHash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  var hash = UInt64(bytes.count)
  var offset = 0
  while offset + 8 <= bytes.count {
    hash = SeededGenerator.mix(
      hash ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    offset += 8
  }
  for byte in bytes[offset...] { hash = SeededGenerator.mix(hash ^ UInt64(byte)) }
  return hash
}

/// All frames of a specification with `frames=` and `pace=fast`.
func simulatedRun(_ options: String) async throws -> SimulatedDeliveries {
  let camera = try SimulatedCamera(DeviceSpecification("simulated?pace=fast&\(options)"))
  let sink = SimulatedSink()
  try camera.start(delivering: sink)
  await sink.waitUntilFinished()
  camera.stop()
  return sink.deliveries
}

/// One instant's frames as arrays.
struct SimulatedPicture: Equatable {
  var color: [UInt8]
  var depth: [UInt8]
  var alpha: [UInt8]

  var depth16: [UInt16] {
    (0..<depth.count / 2).map { UInt16(depth[2 * $0]) | UInt16(depth[2 * $0 + 1]) << 8 }
  }
}

/// Renders instants of one specification in any order.
struct SimulatedStudio {
  let scene: SimulatedScene
  let renderer: SceneRenderer
  let color: FrameLayout
  let depth: FrameLayout

  init(_ options: String) throws {
    let text = options.isEmpty ? "simulated" : "simulated?\(options)"
    scene = SimulatedScene(try SimulationOptions(DeviceSpecification(text)))
    let settings = scene.options
    color = try FrameLayout(settings.colorFormat, width: settings.width, height: settings.height)
    depth = try FrameLayout(settings.depthFormat, width: settings.depthWidth, height: settings.depthHeight)
    renderer = SceneRenderer(scene, colorLayout: color)
  }

  func picture(_ instant: Int) -> SimulatedPicture {
    var picture = SimulatedPicture(
      color: [UInt8](repeating: 0, count: color.byteCount),
      depth: [UInt8](repeating: 0, count: depth.byteCount),
      alpha: [UInt8](repeating: 0, count: color.width * color.height))
    picture.color.withUnsafeMutableBytes { colorBytes in
      picture.depth.withUnsafeMutableBytes { depthBytes in
        picture.alpha.withUnsafeMutableBytes { alphaBytes in
          renderer.render(
            instant: instant, pose: scene.pose(at: instant), color: colorBytes, depth: depthBytes,
            alpha: alphaBytes)
        }
      }
    }
    return picture
  }
}
