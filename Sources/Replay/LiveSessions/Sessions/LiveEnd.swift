import CaptureDevices
import Dispatch
import Foundation
import FrameModel
import Glibc
import RecordingStore
import Support
import Synchronization

/// Ends live capture on its own thread, so that the recording is completed even if an output
/// blocks.
final class LiveEnd: Sendable {
  private let devices: DeviceSet
  private let sets: LiveFrameSets
  private let recorder: Recorder?
  private let stop: StopFlag
  private let ends: DeviceEnds
  private let patience: WritePatience
  private let deadline: MonotonicTime?
  private let recorded = Mutex<RecorderStatus?>(nil)
  private let done = DispatchSemaphore(value: 0)

  /// - Parameter deadline: nil if only a signal, the cameras' end or frame times end the run.
  init(
    _ devices: DeviceSet, _ sets: LiveFrameSets, _ recorder: Recorder?, stop: StopFlag, ends: DeviceEnds,
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

  func watch() {
    let thread = Thread { [self] in
      while !isDue { usleep(20_000) }
      end()
      done.signal()
    }
    thread.name = "retake.end"
    thread.start()
  }

  /// Waits until capture has ended. Returns the recording's final state; nil without one.
  func wait() -> RecorderStatus? {
    done.wait()
    return recorded.withLock { $0 }
  }

  private var isDue: Bool {
    if stop.isSet || sets.isAtEnd || recorder?.status.failure != nil { return true }
    return deadline.map { MonotonicTime.now().nanoseconds >= $0.nanoseconds } ?? false
  }

  private func end() {
    // Pending frames are shown after the cameras' own end, but not after an interruption.
    let isOwnEnd = (ends.isComplete || sets.isAtEnd) && !stop.isInterrupted && recorder?.status.failure == nil
    if !isOwnEnd {
      sets.close()
      patience.end()
    }
    devices.stop()
    sets.finish()
    let status = recorder?.finish()
    recorded.withLock { $0 = status }
  }
}
