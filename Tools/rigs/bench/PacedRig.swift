import CaptureDevices
import Foundation
import FrameModel
import Support
import Synchronization

/// Unsynchronized cameras that run in real time, each with its own phase. One thread delivers all
/// frames, each when it is due and stamped with its actual delivery time.
final class PacedRig: CaptureDevice {
  let summary = "simulated Kinects"
  let streams: [StreamDescription]
  let isLive = true

  private let cameras: [LoopingCamera]
  private let instantCount: Int
  private let isStopping = Atomic<Bool>(false)
  private let ended = DispatchSemaphore(value: 0)
  private let latestNanoseconds = Atomic<Int64>(0)
  static let periodNanoseconds: Int64 = 33_333_333

  init(_ cameras: [LoopingCamera], seconds: Int) {
    self.cameras = cameras
    instantCount = 30 * seconds
    streams = cameras.enumerated().flatMap { position, camera in
      camera.streams.map { stream in
        var stream = stream
        stream.name += "-\(position)"
        stream.device += "#\(position)"
        return stream
      }
    }
  }

  /// The largest delay of a frame's delivery.
  var latestMilliseconds: Double { Double(latestNanoseconds.load(ordering: .relaxed)) / 1e6 }
  var frameCount: Int { instantCount * streams.count }

  func start(delivering sink: any CaptureSink) throws(RetakeError) {
    let thread = Thread { [self] in
      run(sink)
      sink.finished(nil)
      ended.signal()
    }
    thread.name = "retake.cameras"
    thread.start()
  }

  func stop() {
    isStopping.store(true, ordering: .relaxed)
    ended.wait()
    ended.signal()
  }

  private func run(_ sink: any CaptureSink) {
    let due = Self.due(cameraCount: cameras.count)
    let start = MonotonicTime.now().nanoseconds + Self.periodNanoseconds
    for instant in 0..<instantCount {
      for entry in due {
        let time = start + Int64(instant) * Self.periodNanoseconds + entry.offsetNanoseconds
        var now = MonotonicTime.now()
        if now.nanoseconds < time {
          Self.sleep(until: time)
          now = .now()
        }
        if now.nanoseconds - time > latestNanoseconds.load(ordering: .relaxed) {
          latestNanoseconds.store(now.nanoseconds - time, ordering: .relaxed)
        }
        var frame = cameras[entry.camera].frame(stream: entry.stream, instant: instant, arrival: now)
        frame.streamIndex = 2 * entry.camera + entry.stream
        sink.deliver(frame)
      }
      if isStopping.load(ordering: .relaxed) { return }
    }
  }

  /// When a stream's frame is due within each period.
  private struct Due {
    var offsetNanoseconds: Int64
    var camera: Int
    var stream: Int
  }

  /// Spreads the cameras over the period in mixed order; depth follows the camera's colour shortly.
  private static func due(cameraCount: Int) -> [Due] {
    let slot = periodNanoseconds / Int64(3 * cameraCount)
    var due: [Due] = []
    for camera in 0..<cameraCount {
      for stream in 0..<2 {
        let place = camera * 7 % cameraCount * 3 + stream
        due.append(Due(offsetNanoseconds: Int64(place) * slot, camera: camera, stream: stream))
      }
    }
    return due.sorted { $0.offsetNanoseconds < $1.offsetNanoseconds }
  }

  private static func sleep(until nanoseconds: Int64) {
    var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }
}
