import CaptureDevices
import Foundation
import FrameModel
import Support
import Synchronization

/// A simulated camera that repeats frames made beforehand.
struct LoopingCamera: Sendable {
  static let frameCount = 30

  let streams: [StreamDescription]
  /// Indexed by instant, then stream: colour, depth.
  let frames: [[CapturedFrame]]

  /// - Parameters:
  ///   - color, depth: pixel formats, as the simulated camera names them.
  init(seed: Int, color: String = "GRBG8", depth: String = "raw11") throws {
    let device = try SimulatedCamera(
      DeviceSpecification(
        "simulated?pace=fast&format=\(color)&depth=\(depth)&faces=0&alpha=0&seed=\(seed)&frames=\(Self.frameCount)"))
    let collector = FrameCollector()
    try device.start(delivering: collector)
    let frames = collector.wait()
    device.stop()
    self.frames = (0..<Self.frameCount).map { instant in
      frames.filter { $0.deviceSequence == UInt64(instant) }.sorted { $0.streamIndex < $1.streamIndex }
    }
    streams = device.streams
  }

  /// The frame of any instant, from 0 on, with matching sequence number, tick and arrival.
  func frame(stream: Int, instant: Int, arrival: MonotonicTime) -> CapturedFrame {
    var frame = frames[instant % Self.frameCount][stream]
    frame.deviceSequence = UInt64(instant)
    frame.deviceTick = UInt64(instant) * 1_000_000 / 30
    frame.arrival = arrival
    return frame
  }
}

private final class FrameCollector: CaptureSink {
  private let frames = Mutex<[CapturedFrame]>([])
  private let done = DispatchSemaphore(value: 0)

  func deliver(_ frame: CapturedFrame) { frames.withLock { $0.append(frame) } }
  func report(_ loss: CaptureLoss) {}
  func finished(_ error: RetakeError?) { done.signal() }

  func wait() -> [CapturedFrame] {
    done.wait()
    return frames.withLock { $0 }
  }
}
