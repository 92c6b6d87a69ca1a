import CaptureDevices
import Dispatch
import Foundation
import FrameModel
import RecordingStore
import Support
import Synchronization

/// Ends the capture of a live run when that is due, on a thread of its own: cameras stop and the recording is made whole
/// whatever the outputs do meanwhile, were it that nobody reads them.
final class LiveEnd: Sendable {
  private let devices: [any CaptureDevice]
  private let sets: LiveFrameSets
  private let recorder: Recorder?
  private let stop: StopSignal
  private let ends: DeviceEnds
  private let patience: WritePatience
  /// On the host's clock; nil where there is none.
  private let deadline: MonotonicTime?
  private let recorded = Mutex<RecorderStatus?>(nil)
  private let done = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - patience: of the outputs, which ends when somebody ends the run.
  ///   - deadline: when it is to end; nil: when a signal, its cameras or its frames' times say so.
  init(
    _ devices: [any CaptureDevice], _ sets: LiveFrameSets, _ recorder: Recorder?, stop: StopSignal, ends: DeviceEnds,
    patience: WritePatience, deadline: MonotonicTime?
  ) {
    self.devices = devices
    self.sets = sets
    self.recorder = recorder
    self.stop = stop
    self.ends = ends
    self.patience = patience
    self.deadline = deadline
  }

  /// Begins to look. Once.
  func watch() {
    let thread = Thread { [self] in
      while !isDue { stop.wait(seconds: 0.02) }
      end()
      done.signal()
    }
    thread.name = "retake.end"
    thread.start()
  }

  /// Waits until cameras and recording have ended.
  /// - Returns: how the recording ended; nil where there is none.
  func wait() -> RecorderStatus? {
    done.wait()
    return recorded.withLock { $0 }
  }

  private var isDue: Bool {
    if stop.isSet || sets.isAtEnd || recorder?.status.failure != nil { return true }
    return deadline.map { MonotonicTime.now().nanoseconds >= $0.nanoseconds } ?? false
  }

  private func end() {
    // What came until the cameras' own end is shown; when somebody else ended it, nothing waits any more.
    let isOwnEnd = (ends.isComplete || sets.isAtEnd) && !stop.isSignalled && recorder?.status.failure == nil
    if !isOwnEnd {
      sets.close()
      patience.end()
    }
    for device in devices { device.stop() }
    sets.finish()
    let status = recorder?.finish()
    recorded.withLock { $0 = status }
  }
}
