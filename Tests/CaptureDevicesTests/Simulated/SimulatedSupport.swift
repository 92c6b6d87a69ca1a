import CaptureDevices
import FrameModel
import Glibc
import Support
import Synchronization
import TestSupport

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
    var digest: PlaneDigest
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
  }

  let end = DeviceEnd()
  private let keeps: Bool
  private let holdupMicroseconds: UInt32
  private let state = Mutex(State())

  init(keepingFrames keeps: Bool = false, holdupMicroseconds: UInt32 = 0) {
    self.keeps = keeps
    self.holdupMicroseconds = holdupMicroseconds
  }

  var deliveries: SimulatedDeliveries { state.withLock { $0.deliveries } }

  func deliver(_ frame: CapturedFrame) {
    let bytes = UnsafeRawBufferPointer(rebasing: frame.buffer.bytes[..<frame.byteCount])
    var digest = PlaneDigest()
    digest.add(bytes)
    let delivery = SimulatedDeliveries.Delivery(
      stream: frame.streamIndex, sequence: frame.deviceSequence ?? .max, tick: frame.deviceTick ?? .max,
      arrival: frame.arrival, flags: frame.flags, byteCount: frame.byteCount, faces: frame.faces, digest: digest)
    let isFirst = state.withLock {
      $0.deliveries.frames.append(delivery)
      if keeps { $0.kept.append(frame) }
      return $0.deliveries.frames.count == 1
    }
    if isFirst { usleep(holdupMicroseconds) }
  }

  func report(_ loss: CaptureLoss) { state.withLock { $0.deliveries.losses.append(loss) } }

  func finished(_ error: RetakeError?) {
    state.withLock { $0.deliveries.error = error }
    end.reach()
  }
}

/// All frames of a specification with `frames=` and `pace=fast`.
func simulatedRun(_ options: String) async throws -> SimulatedDeliveries {
  let camera = try SimulatedCamera(DeviceSpecification("simulated?pace=fast&\(options)"))
  let sink = SimulatedSink()
  try camera.start(delivering: sink)
  await sink.end.wait()
  camera.stop()
  return sink.deliveries
}
