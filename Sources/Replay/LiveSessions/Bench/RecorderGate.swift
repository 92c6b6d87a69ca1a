import FrameModel
import Support
import Synchronization

/// Passes a device's frames to what shows them, and to a recorder while one is attached.
final class RecorderGate: CaptureSink {
  private let shown: any CaptureSink
  private let recorded = Mutex<(any CaptureSink)?>(nil)

  init(_ shown: any CaptureSink) { self.shown = shown }

  /// When this returns, the sink before gets no more frames: a recorder counts those after its end as lost.
  func attach(_ sink: (any CaptureSink)?) { recorded.withLock { $0 = sink } }

  func deliver(_ frame: CapturedFrame) {
    recorded.withLock { $0?.deliver(frame) }
    shown.deliver(frame)
  }

  func report(_ loss: CaptureLoss) {
    recorded.withLock { $0?.report(loss) }
    shown.report(loss)
  }

  func finished(_ error: RetakeError?) { shown.finished(error) }
}
